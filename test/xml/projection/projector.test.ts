// Records: what is in them, and when they come.

import { describe, expect, test } from 'vitest'
import { readXml, type XmlError } from '../../../source/xml/index.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { readRecords as read, readPieces, recordsOf } from '../../support/records.ts'
import { stalling } from '../../support/sources.ts'

describe('a record', () => {
  test('has what is at any depth, by two slashes as by two asterisks', async () => {
    const document = '<r id="0"><p id="1"><q id="2"><t>1</t><p><t id="3">2</t></p></q><t>3</t></p><t>4</t></r>'
    const fields = {
      a: '//t',
      b: './/t',
      c: '**/t',
      d: ['//p//t'],
      e: ['q//t'],
      f: ['//@id'],
      g: ['q//@id'],
      h: ['//name()'],
    } as const
    expect(await recordsOf(document, '//p', fields)).toEqual([
      {
        a: '1',
        b: '1',
        c: '1',
        d: ['2'],
        e: ['1', '2'],
        f: ['1', '2', '3'],
        g: ['2', '3'],
        h: ['p', 'q', 't', 'p', 't', 't'],
      },
    ])
    const inner = { t: '//t', ids: ['//@id'] } as const
    expect(await recordsOf(document, 'p', inner, { nested: 'innermost' })).toEqual([{ t: '2', ids: ['3'] }])
    expect(await recordsOf(document, 'p[@id]', inner)).toEqual([{ t: '1', ids: ['1', '2', '3'] }])
  })

  test('has attributes of a namespace, whatever their prefix, and of none', async () => {
    const document =
      '<!DOCTYPE r [<!ATTLIST b q:k CDATA "d">]><r xmlns:p="u" xmlns:q="v"><b p:k="1" k="2"/><c q:k="3"/><b xmlns:x="u" x:k="&lt;"/><e xmlns:p="v" xmlns:q="z"><b p:k="5" p:l="6"/></e></r>'
    const fields = { u: '@{u}k', v: '@{v}k', none: '@{}k', written: '@p:k' } as const
    expect(await recordsOf(document, 'b', fields)).toEqual([
      { u: '1', v: 'd', none: '2', written: '1' },
      { u: '<', v: 'd', none: undefined, written: undefined },
      { u: undefined, v: '5', none: undefined, written: '5' },
    ])
    expect(await recordsOf(document.replace(/<!D.*?\]>/, ''), 'r', { k: ['//@{v}k'], c: 'c/@{v}k' })).toEqual([
      { k: ['3', '5'], c: '3' },
    ])
    const off = await recordsOf(
      '<r p:k="1" k="2"/>',
      'r',
      { u: '@{u}k', none: '@{}k', k: '@p:k' },
      { namespaces: false },
    )
    expect(off).toEqual([{ u: undefined, none: '1', k: '1' }])
  })

  test('has the text of the first element that a path matches, and of all where all are wanted', async () => {
    const document = '<r><p><t>1</t><t>2</t><q><u>3</u></q></p><p><q><u>é</u><u>&lt;</u></q></p><p/></r>'
    expect(await recordsOf(document, 'p', { t: 't', all: ['t'], u: 'q/u' })).toEqual([
      { t: '1', all: ['1', '2'], u: '3' },
      { t: undefined, all: [], u: 'é' },
      { t: undefined, all: [], u: undefined },
    ])
  })

  test('has all text in an element, whatever stands in it', async () => {
    const inner =
      'a<b c="&gt;>" d=\'"/>\'>b</b><!-- <x> --><![CDATA[<c>&amp;]]]]><![CDATA[>]]><?y <z?>\r\n&#233;&amp;<e/>木'
    const text = 'ab<c>&amp;]]>\né&木'
    expect(await recordsOf(`<r><p>${inner}</p></r>`, 'p', { text: '.', b: 'b' })).toEqual([{ text, b: 'b' }])
  })

  test('has attributes, normalised as they are everywhere, and names', async () => {
    const document = '<r><p id="1&#10;2\r\n3&lt;"><t k=\'4\' id="5"/><u/></p><p/></r>'
    expect(
      await recordsOf(document, '/r/*', { id: '@id', k: 't/@k', none: 't/@none', name: 'name()', inner: ['*/name()'] }),
    ).toEqual([
      { id: '1\n2 3<', k: '4', none: undefined, name: 'p', inner: ['t', 'u'] },
      { id: undefined, k: undefined, none: undefined, name: 'p', inner: [] },
    ])
  })

  test('has its fields in the order in which they were given', async () => {
    const [record] = await recordsOf('<p><b>1</b><a>2</a></p>', 'p', { z: 'z', a: 'a', b: ['b'] })
    expect(Object.keys(record as object)).toEqual(['z', 'a', 'b'])
  })

  test('is of the outermost of nested elements, or of the innermost', async () => {
    const document = '<r><p><t>1</t><p><t>2</t></p><p/><t>3</t></p><p><t>4</t></p></r>'
    const fields = { t: 't', all: ['**/t'] } as const
    expect(await recordsOf(document, 'p', fields)).toEqual([
      { t: '1', all: ['1', '2', '3'] },
      { t: '4', all: ['4'] },
    ])
    expect(await recordsOf(document, 'p', fields, { nested: 'innermost' })).toEqual([
      { t: '2', all: ['2'] },
      { t: undefined, all: [] },
      { t: '4', all: ['4'] },
    ])
  })

  test('may lie in another, whose text continues after it', async () => {
    expect(await recordsOf('<p>1<a>2<b>3</b>4</a>5</p>', 'p', { p: '.', a: 'a', b: 'a/b' })).toEqual([
      { p: '12345', a: '234', b: '3' },
    ])
  })

  test('has what entities bring, and nothing where they bring nothing', async () => {
    const subset = '<!ENTITY e "E"><!ENTITY n ""><!ENTITY m "M<t>T</t>&e;"><!ENTITY p "<p><t>P&lt;</t></p>">'
    const document = `<!DOCTYPE r [${subset}]><r><p><t>1&e;2&n;3</t>&m;<u a="&e;"/></p>&p;<p>&e;</p></r>`
    expect(await recordsOf(document, 'p', { t: ['t'], text: '.', a: 'u/@a' })).toEqual([
      { t: ['1E23', 'T'], text: '1E23MTE', a: 'E' },
      { t: ['P<'], text: 'P<', a: undefined },
      { t: [], text: 'E', a: undefined },
    ])
  })

  test('has the text of external entities where it is given, and nothing of them where it is not', async () => {
    const document = '<!DOCTYPE r [<!ENTITY x SYSTEM "x"><!ENTITY y SYSTEM "y">]><r><p><t>1&x;2&y;3</t></p></r>'
    const resolve = async ({ systemId }: { systemId: string }) =>
      systemId === 'x' ? '<?xml encoding="utf-8"?>X<b>B</b>' : undefined
    expect(await recordsOf(document, 'p', { t: 't' }, { resolve })).toEqual([{ t: '1XB23' }])
    expect(await recordsOf(document, 'p', { t: 't' })).toEqual([{ t: '123' }])
  })

  test('has defaults of attributes', async () => {
    const document = '<!DOCTYPE r [<!ATTLIST p k NMTOKENS " 1  2 ">]><r><p/><p k=" 3  4 "/></r>'
    expect(await recordsOf(document, 'p', { k: '@k' })).toEqual([{ k: '1 2' }, { k: '3 4' }])
  })

  test('is found by namespaces and predicates as elements are', async () => {
    const document = '<r xmlns:a="u"><a:p k="1"><a:t>1</a:t></a:p><p xmlns="u" k="2"><t>2</t></p><p><t>3</t></p></r>'
    expect(await recordsOf(document, '{u}p', { t: '{u}t' })).toEqual([{ t: '1' }, { t: '2' }])
    expect(await recordsOf(document, '{u}p[@k="2"]', { t: 't' })).toEqual([{ t: '2' }])
    expect(await recordsOf(document, 'a:p', { t: 'a:t' })).toEqual([{ t: '1' }])
    expect(await recordsOf(document, 'p', { t: 't', k: '@k' }, { namespaces: false })).toEqual([
      { t: '2', k: '2' },
      { t: '3', k: undefined },
    ])
  })

  test('is made of other encodings, and of input with its own line ends', async () => {
    const wide = new Uint8Array(
      new Uint16Array(
        Array.from('\ufeff<r><p k="木">é🌳<b/>&amp;</p></r>', (c) => c.split('').map((u) => u.charCodeAt(0))).flat(),
      ).buffer,
    )
    expect(await recordsOf(wide, 'p', { text: '.', k: '@k' })).toEqual([{ text: 'é🌳&', k: '木' }])
    expect(
      await recordsOf('<p k="1\r\n2">1\r\n2\r</p>', 'p', { text: '.', k: '@k' }, { normalizeLineEnds: false }),
    ).toEqual([{ text: '1\r\n2\r', k: '1 2' }])
  })

  test('is made of fragments', async () => {
    const document = 'x<p><t>1</t></p>&amp;<p><t>2</t></p><p><t>3'
    expect(await recordsOf(document, 'p', { t: 't' }, { fragment: true })).toEqual([{ t: '1' }, { t: '2' }])
  })
})

describe('records', () => {
  test('come before the error that is after them, which is the one that a check finds', async () => {
    const document = '<r><p><t>1</t></p><p><t>2</t></q></r>'
    const { records, fault } = await read(document, 'p', { t: 't' })
    const checked = await readXml([document])
      .check()
      .catch((error: XmlError) => error)
    const { code, message, byteOffset, line, column } = checked as XmlError
    expect(records).toEqual([{ t: '1' }])
    expect(fault).toEqual([code, message, byteOffset, line, column])
  })

  test('hold no more of the input than a field that is open', async () => {
    const filling = 'x'.repeat(100_000)
    async function* chunks() {
      const encoder = new TextEncoder()
      for (let page = 1; page <= 3; page++) {
        yield encoder.encode(`<p><t>${page}</t><u>`.replace(/^/, page === 1 ? '<r>' : ''))
        for (let i = 0; i < 30; i++) yield encoder.encode(filling)
        yield encoder.encode('</u></p>')
      }
      yield encoder.encode('</r>')
    }
    const limits = { maxRetained: 700_000 }
    const found = await readPieces(chunks(), 'p', { t: 't' }, { limits })
    expect(found).toEqual({ records: [{ t: '1' }, { t: '2' }, { t: '3' }], fault: undefined })
    const { fault } = await readPieces(chunks(), 'p', { u: 'u' }, { limits })
    expect(fault?.[0]).toBe('retained-limit')
  })

  test('have values of any length', async () => {
    const lengths = [0, 1, 255, 256, 257, 16_385, 70_000, 1_100_000]
    const texts = lengths.map((length) => 'é&amp;'.repeat(Math.ceil(length / 6)))
    const document = `<r>${texts.map((text) => `<p><t>${text}</t></p>`).join('\n')}</r>`
    for (const size of sample([1000, 64 * 1024, document.length * 2], 2)) {
      const bytes = new TextEncoder().encode(document)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      const { records } = await readPieces(pieces, 'p', { t: 't' }, {})
      expect(records.map((record) => (record as { t: string }).t)).toEqual(
        texts.map((text) => text.replaceAll('&amp;', '&')),
      )
    }
  })

  test('are right after much text without tags, wherever it is cut', async () => {
    const encoder = new TextEncoder()
    const filling = '木'.repeat(100_000)
    const document = `<r>${filling}<p k="&#49;2 3" xmlns:u="urn:abc" u:k="1"><t>4</t></p><u:z xmlns:u="urn:1"/></r>`
    for (const shift of sample(['x', 'xx', ''], 1)) {
      const bytes = encoder.encode(document.replace('<r>', `<r>${shift}`))
      for (const size of [bytes.length, 65_536, 10_000]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        )
        await readXml(pieces).check()
        const { records } = await readPieces(pieces, 'p[@k]', { k: '@k', t: 't' }, {})
        expect(records).toEqual([{ k: '12 3', t: '4' }])
        expect((await readPieces(pieces, '{urn:1}z', { z: 'name()' }, {})).records).toEqual([{ z: 'u:z' }])
      }
    }
  })

  test('may have the same value in many fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, i % 2 === 0 ? '@k' : '.']))
    const element = (value: string) => `<p k="${value.repeat(200)}">${value.repeat(250)}</p>`
    const document = `<r>${element('v')}<q z="1&#10;2">x</q>${element('w')}</r>`
    for (const engine of ['wasm', 'plain'] as const) {
      const { records } = await readPieces([new TextEncoder().encode(document)], 'p', fields, { engine })
      expect(records).toEqual(
        ['v', 'w'].map((value) => {
          const [even, odd] = [value.repeat(200), value.repeat(250)]
          return Object.fromEntries(Object.keys(fields).map((name, i) => [name, i % 2 === 0 ? even : odd]))
        }),
      )
    }
  })

  test('may have many short values, which share strings', async () => {
    const count = isThorough ? 5000 : 1500
    const document = `<r>${Array.from({ length: count }, (_, i) => `<p k="${i}"><t>${'é'.repeat(i % 130)}</t></p>`).join('')}</r>`
    for (const engine of ['wasm', 'plain'] as const) {
      const { records } = await readPieces([new TextEncoder().encode(document)], 'p', { k: '@k', t: 't' }, { engine })
      expect(records).toEqual(Array.from({ length: count }, (_, i) => ({ k: String(i), t: 'é'.repeat(i % 130) })))
    }
  })

  test('know that an element around them has another one before them, in each of many elements in elements', async () => {
    const section = `<g><n/><g><p>inner</p></g>${'<p>text that is a little longer</p>'.repeat(30)}</g>`
    const document = new TextEncoder().encode(`<r>${section.repeat(100)}</r>`)
    const shape = { around: { outer: 'g', fields: { hasP: { path: 'p', as: 'present' } } } } as const
    for (const size of [document.length, 3000, 700]) {
      for (const engine of ['wasm', 'plain'] as const) {
        const pieces = Array.from({ length: Math.ceil(document.length / size) }, (_, i) => {
          return document.subarray(i * size, (i + 1) * size)
        })
        const { records } = await readPieces(pieces, 'p', shape, { engine })
        expect(records).toEqual(Array(3100).fill({ around: { hasP: true } }))
      }
    }
  })

  test('have of elements around them what was there before, also of several paths', async () => {
    const document = '<r><c><c n=""/></c><a/><b><c/></b><b><c n="x"/></b><a/></r>'
    const encoder = new TextEncoder()
    const shape = { around: { outer: 'r', fields: { o: { firstOf: ['b/c', '*/c'], unless: '@n!="x"' } } } } as const
    for (const size of [document.length, 7, 1]) {
      for (const engine of ['wasm', 'plain'] as const) {
        const pieces = Array.from(document.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [], (text) =>
          encoder.encode(text),
        )
        const { records } = await readPieces(pieces, 'r/a', shape, { engine })
        expect(records).toEqual([{ around: {} }, { around: { o: '' } }])
      }
    }
  })

  test('come in arrays, with one await each', async () => {
    const batches: object[][] = []
    for await (const batch of readXml(['<r><p>1</p><p>2</p>', '<p>3</p></r>']).records('p', { t: '.' }).batches())
      batches.push(batch)
    expect(batches.every(({ length }) => length > 0)).toBe(true)
    expect(batches.flat()).toEqual([{ t: '1' }, { t: '2' }, { t: '3' }])
  })

  test('close the source when they are left early', async () => {
    const source = stalling(['<r><p>1</p><p>2</p><x>'])
    for await (const { t } of readXml(source).records('p', { t: '.' })) {
      expect(t).toBe('1')
      break
    }
    await expect.poll(() => source.isClosed).toBe(true)
  })

  test('end with the reason of an abort', async () => {
    const controller = new AbortController()
    const reading = async () => {
      for await (const _ of readXml(stalling(['<r><p>1</p>']), { signal: controller.signal }).records('p', {
        t: '.',
      })) {
        controller.abort(new Error('enough'))
      }
    }
    await expect(reading()).rejects.toThrow('enough')
  })

  test('of a document are read once', () => {
    const reader = readXml('<p/>')
    reader.records('p', { t: '.' })
    expect(() => reader.records('p', { t: '.' })).toThrow('the document was already read')
  })
})
