// Documents and what happens in them; every document complete, byte by byte and at every cut, on both engines.

import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { XmlError } from '../../source/xml/errors/errors.ts'
import { parseXml, readXml } from '../../source/xml/index.ts'
import { isThorough } from '../support/extent.ts'
import { isBun } from '../support/runtime.ts'
import { read } from '../support/xml.ts'

describe('a document', () => {
  test.each([
    ['<a/>', ['<a/>', '</a>']],
    ['<a></a>', ['<a>', '</a>']],
    ['<a >x</a >', ['<a>', '"x"', '</a>']],
    ['<?xml version="1.0"?><a/>', ['<?xml 1.0 undefined undefined?>', '<a/>', '</a>']],
    ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<a/>", ['<?xml 1.0 UTF-8 true?>', '<a/>', '</a>']],
    ['<!-- x --><a/><!--y--><?z?>\n', ['<!-- x -->', '<a/>', '</a>', '<!--y-->', '<?z ?>']],
    ['<a b="c" d=\'e\'/>', ['<a b="c" d="e"/>', '</a>']],
    ['<a b = "c"\n\td="e" ></a>', ['<a b="c" d="e">', '</a>']],
    ['<a><b><c/></b><b/></a>', ['<a>', '<b>', '<c/>', '</c>', '</b>', '<b/>', '</b>', '</a>']],
    ['<a>x<!--y-->z<?t d ?></a>', ['<a>', '"x"', '<!--y-->', '"z"', '<?t d ?>', '</a>']],
    ['<größe été="木🌳">é木🌳</größe>', ['<größe été="木🌳">', '"é木🌳"', '</größe>']],
    ['<a>]] ]></a>', ['<a>', '"]] ]>"', '</a>']],
    ['<a><![CDATA[<b>&amp;]]]]></a>', ['<a>', '"<b>&amp;]]"', '</a>']],
    ['<a>1 <![CDATA[2]]> 3&lt;4</a>', ['<a>', '"1 2 3<4"', '</a>']],
    ['<a><![CDATA[]]></a>', ['<a>', '</a>']],
    ['<a>&lt;&gt;&amp;&quot;&apos;</a>', ['<a>', JSON.stringify('<>&"\''), '</a>']],
    ['<a>&#65;&#x42;&#x1F333;</a>', ['<a>', '"AB🌳"', '</a>']],
    ['<a b="&lt;&#10;x&#x9;y"/>', [`<a b=${JSON.stringify('<\nx\ty')}/>`, '</a>']],
    ['<a>x\r\ny\rz\n</a>', ['<a>', '"x\\ny\\nz\\n"', '</a>']],
    ['<a b="x\r\ny\rz\n\t"/>', ['<a b="x y z  "/>', '</a>']],
    ['<a><!--x\r\ny--><?t\r\nu\rv?><![CDATA[\r\n]]></a>', ['<a>', '<!--x\ny-->', '<?t u\nv?>', '"\\n"', '</a>']],
    ['<a __proto__="1" constructor="2"/>', ['<a __proto__="1" constructor="2"/>', '</a>']],
  ])('%j is %j', async (text, events) => {
    expect(await read(text)).toMatchObject({ events, error: undefined })
  })

  test('gives offsets in bytes', async () => {
    const { events, places } = await read('<é b="ü">木&lt;<c/>x<![CDATA[y]]></é>')
    expect(events).toEqual(['<é b="ü">', '"木<"', '<c/>', '</c>', '"xy"', '</é>'])
    expect(places).toEqual(['0-11', '11-18', '18-22', '22-22', '22-36', '36-41'])
  })

  test('keeps CDATA sections apart where that is wanted', async () => {
    const { events } = await read('<a>1<![CDATA[2]]>3<![CDATA[]]></a>', { cdata: true })
    expect(events).toEqual(['<a>', '"1"', 'cdata "2"', '"3"', 'cdata ""', '</a>'])
  })

  test('leaves line ends as they are where that is wanted', async () => {
    expect(await read('<a>x\r\ny</a>', { normalizeLineEnds: false })).toMatchObject({
      events: ['<a>', '"x\\r\\ny"', '</a>'],
    })
  })

  test('may be a fragment: several roots, text around them, and an unfinished end', async () => {
    const { events, error } = await read('x<a/>y<b><c>z', { fragment: true })
    expect(error).toBeUndefined()
    expect(events).toEqual(['"x"', '<a/>', '</a>', '"y"', '<b>', '<c>', '"z"'])
    expect((await read('<a></b>', { fragment: true })).error?.code).toBe('tag-mismatch')
  })

  test('yields large text in pieces where that is wanted', async () => {
    const text = `${'x&amp;'.repeat(1000)}${'é'.repeat(1000)}${'𝄞'.repeat(500)}x`
    const pieces: string[] = []
    let behind = 3
    for await (const events of readXml([`<a>${text}</a>`])
      .events({ maxText: 101 })
      .batches()) {
      for (const event of events) {
        if (event.type !== 'text') continue
        expect(event.start).toBe(behind)
        behind = event.end
        pieces.push(event.text)
      }
    }
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(102)
    expect(pieces.length).toBeLessThan(45)
    expect(pieces.join('')).toBe(text.replaceAll('&amp;', '&'))
    expect(behind).toBe(3 + Buffer.byteLength(text))
  })

  test('is read from where a lent cursor stands, which stands after it afterwards', async () => {
    const cursor = StreamCache.from(['..<a>x</a>']).cursor()
    await cursor.read(2)
    const events = []
    for await (const batch of readXml(cursor).events().batches()) events.push(...batch)
    expect(events[0]).toMatchObject({ type: 'start', start: 2 })
    expect(cursor.offset).toBe(10)
    cursor.release()
  })

  test('is content, and no path', async () => {
    const message = '"dump.xml" is not XML. If it is a file path, use new FileSource(path) from xylem/node'
    await expect(readXml('dump.xml').check()).rejects.toMatchObject({ name: 'XmlError', code: 'path-as-content' })
    expect(() => parseXml('dump.xml')).toThrow(message)
    expect(() => readXml('/a dump/of wood.xml').select('a')).toThrow('is not XML')
    await expect(readXml('Internal Server Error').check()).rejects.toMatchObject({ code: 'unexpected-input' })
    await expect(readXml('text', { fragment: true }).check()).resolves.toBeUndefined()
    await expect(readXml('').check()).rejects.toMatchObject({ name: 'XmlError' })
  })

  test('can be read once', async () => {
    const reader = readXml(['<a/>'])
    await reader.check()
    await expect(reader.check()).rejects.toMatchObject({ name: 'TypeError', code: 'stream-read' })
  })

  test('is refused at once when it has been read', async () => {
    const reader = readXml(['<a/>'])
    await reader.check()
    expect(() => reader.events().batches()).toThrow('the document was already read')
    expect(() => reader.select('a')).toThrow('the document was already read')
  })

  test.each([
    [{ namespaces: 'no' }, 'namespaces must be true or false, not "no"'],
    [{ resolve: 'x' }, 'resolve must be a function, not "x"'],
    [{ engine: 'fast' }, 'engine must be wasm or plain, not "fast"'],
    [{ signal: {} }, 'signal must be an AbortSignal, not an object of class Object'],
    [{ limits: 7 }, 'limits must be an object, not 7'],
    [{ limits: { maxDepth: -1 } }, 'maxDepth must be a number of at least 0, not -1'],
    ['x', 'options must be an object, not "x"'],
  ])('is not read with the options %j', (options, message) => {
    expect(() => readXml('<a/>', options as object)).toThrow(message)
    expect(() => parseXml('<a/>', options as object)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('is not read with options for its events or elements that cannot be', () => {
    const events = (options: unknown) => () =>
      readXml('<a/>')
        .events(options as object)
        .batches()
    const select = (options: unknown) => () => readXml('<a/>').select('a', options as object)
    expect(events({ maxText: Number.NaN })).toThrow('maxText must be a number of at least 1, not NaN')
    expect(events({ cdata: 'yes' })).toThrow('cdata must be true or false, not "yes"')
    expect(select({ nested: 'inner' })).toThrow('nested must be outermost or innermost or all, not "inner"')
    expect(select(() => false)).toThrow('options must be an object, not a function')
  })

  test.each([[7], [undefined], [['<a/>']], [new Blob(['<a/>'])], [new Uint16Array(4)]])(
    'is not parsed at once from %j',
    (input) => {
      expect(() => parseXml(input as unknown as string)).toThrow(expect.objectContaining({ code: 'invalid-source' }))
    },
  )

  test.skipIf(isBun)('whose error is thrown names the function that waits for it', async () => {
    async function readerOfFaults(): Promise<string | undefined> {
      try {
        for await (const _ of readXml(['<!DOCTYPE a [<!ENTITY e "<b>">]><a>', '&e;</a>']).select('a'));
      } catch (error) {
        return (error as Error).stack
      }
      return undefined
    }
    const stack = await readerOfFaults()
    expect(stack).toContain('readerOfFaults')
    expect(stack).not.toContain('parser.ts')
  })

  test('closes its source as soon as it is aborted, also when nobody waits', async () => {
    const controller = new AbortController()
    let isClosed = false
    async function* source(): AsyncGenerator<string> {
      try {
        for (;;) {
          yield '<a/>'.repeat(1000)
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        isClosed = true
      }
    }
    async function* document(): AsyncGenerator<string> {
      yield '<r>'
      yield* source()
    }
    const elements = readXml(document(), { signal: controller.signal }).select('a')
    await elements.next()
    controller.abort(new Error('enough'))
    for (let turns = 0; turns < 200 && !isClosed; turns++) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(isClosed).toBe(true)
    await expect(elements.next()).rejects.toThrow('enough')
  })

  test.each([
    ['<r>x&u;y\x01</r>', 'undeclared-entity', 4, ['<r>', '"x"']],
    ['<r>x&#0;y]]>', 'character-reference', 4, ['<r>', '"x"']],
    ['<r a="&u;" a="1"/>', 'undeclared-entity', 6, []],
    ['<r a="&u;', 'undeclared-entity', 6, []],
    ['<r>x&u;y&', 'undeclared-entity', 4, ['<r>', '"x"']],
    ['<r><?xml a?]', 'reserved-target', 5, ['<r>']],
    ['<r>abc]]></r>', 'unexpected-input', 6, ['<r>', '"abc"']],
    ['<r>a\r\nb&amp;c]]></r>', 'unexpected-input', 13, ['<r>', '"a\\nb&c"']],
    ['<r>abc&', 'unexpected-end', 7, ['<r>', '"abc"']],
    [
      '<!DOCTYPE r [<!ENTITY e "<b/>">]><r>x&e;y]]></r>',
      'unexpected-input',
      41,
      ['<!DOCTYPE r>', '<r>', '"x"', '<b/>', '</b>', '"y"'],
    ],
    [
      '<!DOCTYPE r [<!ENTITY e "<b>&e;</b>">]><r>x&e;y]]></r>',
      'entity-loop',
      43,
      ['<!DOCTYPE r>', '<r>', '"x"', '<b>'],
    ],
  ])('%j reports its first error whatever is wanted, and text up to it', async (text, code, byteOffset, events) => {
    const expected = { code, byteOffset }
    await expect(readXml([text]).check()).rejects.toMatchObject(expected)
    await expect(readXml([text]).select('none').next()).rejects.toMatchObject(expected)
    expect(() => parseXml(text)).toThrow(expect.objectContaining(expected))
    const told = await read(text)
    expect(told.error).toMatchObject(expected)
    expect(told.events).toEqual(events)
  })

  test.runIf(isThorough)('reports the first error also after half a million references', async () => {
    const text = `<r>${'&amp;'.repeat(500_000)}]]></r>`
    const expected = { code: 'unexpected-input', byteOffset: text.length - 7 }
    let length = 0
    const telling = async () => {
      for await (const events of readXml([text]).events().batches()) {
        for (const event of events) if (event.type === 'text') length += event.text.length
      }
    }
    await expect(telling()).rejects.toMatchObject(expected)
    expect(length).toBe(500_000)
  })

  test('waits for no more input when a limit is passed', async () => {
    async function* source(): AsyncGenerator<string> {
      yield `<r>${'<a>'.repeat(60)}`
      await new Promise(() => {})
    }
    await expect(readXml(source(), { limits: { maxDepth: 20 } }).check()).rejects.toMatchObject({ code: 'depth-limit' })
    const elements = readXml(source(), { limits: { maxDepth: 20 } }).select('b')
    await expect(elements.next()).rejects.toMatchObject({ code: 'depth-limit' })
  })

  test('gives what comes before a limit is passed, however it is cut', async () => {
    const before = '<i>one</i>'.repeat(10)
    const deep = `<r>${before}${'<a>'.repeat(60)}${'</a>'.repeat(60)}</r>`
    const names = `<r>${before}${Array.from({ length: 60 }, (_, i) => `<n${i}/>`).join('')}</r>`
    const cases = [
      [deep, { maxDepth: 20 }, 'depth-limit'],
      [names, { maxNames: 20 }, 'name-limit'],
    ] as const
    for (const [text, limits, code] of cases) {
      for (const pieces of [[text], Array.from(text)]) {
        let found = 0
        const reading = async () => {
          for await (const _ of readXml(pieces, { limits }).select('i')) found++
        }
        await expect(reading()).rejects.toMatchObject({ code })
        expect(found).toBe(10)
      }
      let ends = 0
      const telling = async () => {
        for await (const events of readXml([text], { limits }).events().batches()) {
          for (const event of events) if (event.type === 'end' && event.name === 'i') ends++
        }
      }
      await expect(telling()).rejects.toMatchObject({ code })
      expect(ends).toBe(10)
    }
  })

  test('is limited in what entities make of it by where they are referred to, however it is cut', async () => {
    const references = '<a>&e;</a>'.repeat(5) + '<b>text</b>'.repeat(500)
    const text = `<!DOCTYPE r [<!ENTITY e "${'x'.repeat(300)}">]><r>${references}</r>`
    const limits = { freeExpansion: 1000, maxAmplification: 2 }
    const offset = text.indexOf('&e;', text.indexOf('&e;', text.indexOf('&e;', text.indexOf('&e;') + 1) + 1) + 1)
    const expected = { code: 'entity-limit', byteOffset: offset }
    for (const pieces of [[text], Array.from(text)]) {
      await expect(readXml(pieces, { limits }).check()).rejects.toMatchObject(expected)
      const reading = async () => {
        for await (const _ of readXml(pieces, { limits }).events().batches());
      }
      await expect(reading()).rejects.toMatchObject(expected)
    }
    expect(() => parseXml(text, { limits })).toThrow(expect.objectContaining(expected))
  })

  test('has pieces of text that lie where their reference does, where an entity stands for them', async () => {
    const text = `<!DOCTYPE r [<!ENTITY abcd "12345'">]><r>&abcd;xyzw</r>`
    const reference = text.indexOf('&abcd;')
    const pieces: string[] = []
    for await (const events of readXml(text).events({ maxText: 2 }).batches()) {
      for (const event of events) if (event.type === 'text') pieces.push(`${event.text} ${event.start}-${event.end}`)
    }
    const [from, to] = [reference, reference + 6]
    expect(pieces).toEqual([
      ...['12', '34', "5'"].map((piece) => `${piece} ${from}-${to}`),
      `xy ${to}-${to + 2}`,
      `zw ${to + 2}-${to + 4}`,
    ])
  })

  test('may hold as much as is not yielded yet, however it is cut', async () => {
    const small = `<r>${'<a/>'.repeat(40_000)}</r>`
    const large = `<r><a>${'x'.repeat(100_000)}</a></r>`
    const cut = (text: string, length: number) => text.match(new RegExp(`[^]{1,${length}}`, 'g')) as string[]
    const count = async (pieces: string[], limits: object) => {
      let found = 0
      for await (const _ of readXml(pieces, { limits }).select('a')) found++
      return found
    }
    for (const length of [100, 500, 65_536, 200_000]) {
      expect(await count(cut(small, length), { maxRetained: 1000 })).toBe(40_000)
      await expect(readXml(cut(small, length), { limits: { maxRetained: 1000 } }).check()).resolves.toBeUndefined()
    }
    for (const length of [100, 500, 50_000]) {
      await expect(count(cut(large, length), { maxRetained: 1000 })).rejects.toMatchObject({ code: 'retained-limit' })
      expect(await count(cut(large, length), { maxRetained: 200_000 })).toBe(1)
    }
  })

  test('can be stopped by a signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readXml(['<a/>'], { signal }).check()).rejects.toThrow('enough')
  })

  test('fails with the reason of a signal that aborted in the loop, also if an error follows', async () => {
    for (const text of ['<r><a/><b></r>', '<r><a/></x>', '<r><a/>']) {
      for (const engine of ['wasm', 'plain'] as const) {
        const read = (signal: AbortSignal) => readXml(text, { signal, engine })
        for (const batchesOf of [
          (signal: AbortSignal) => read(signal).select('a').batches(),
          (signal: AbortSignal) => read(signal).records('a', { name: 'name()' }).batches(),
          (signal: AbortSignal) => read(signal).events().batches(),
          (signal: AbortSignal) => read(signal).write('jsonl', 'a', { name: 'name()' }),
        ]) {
          const controller = new AbortController()
          const batches = batchesOf(controller.signal)
          await batches.next()
          controller.abort(new Error('enough'))
          await expect(batches.next()).rejects.toThrow('enough')
        }
      }
    }
  })

  test.each([isThorough ? 1_000_000 : 200_000])('of %i open elements works', async (depth) => {
    const source = ['<a>'.repeat(depth), '</a>'.repeat(depth)]
    await readXml(source, { limits: { maxDepth: 3_000_000 } }).check()
    await expect(readXml(source, { limits: { maxDepth: 1000 } }).check()).rejects.toMatchObject({ code: 'depth-limit' })
  })
})

describe('a document with an error', () => {
  test.each([
    ['', 'unexpected-end', 0, /the document is empty/],
    ['<a', 'unexpected-end', 2, /the input ends, but the start tag <a> opened at 1:1 is not closed/],
    ['<a><b>', 'unexpected-end', 6, /the input ends, but <b> opened at 1:4 is not closed/],
    [
      '<a>\n <b></a>',
      'tag-mismatch',
      10,
      /the end tag <\/a> does not match <b> opened at 2:2 \[WFC: Element Type Match\]/,
    ],
    ['<a><bc></b></a>', 'tag-mismatch', 9, /the end tag <\/b> does not match <bc> opened at 1:4/],
    ['<a></a', 'unexpected-end', 6, /the input ends/],
    ['</a>', 'unexpected-input', 1, /found "\/"/],
    ['<a/><b/>', 'unexpected-input', 4, /one root element: after <\/a>, only comments/],
    ['<a/>x', 'unexpected-input', 4, /one root element: after <\/a>, only comments/],
    ['x<a/>', 'unexpected-input', 0, /found "x"/],
    ['<a b="1" b="2"/>', 'duplicate-attribute', 10, /duplicate attribute b \[WFC: Unique Att Spec\]/],
    ['<a b="<"/>', 'unexpected-input', 6, /"<" is not allowed in a value/],
    ['<a b=1/>', 'unexpected-input', 5, /found "1"/],
    ['<a b/>', 'unexpected-input', 4, /expected .*"="/],
    ['<a b="1"c="2"/>', 'unexpected-input', 8, /found "c"/],
    ['<a>]]></a>', 'unexpected-input', 3, /"\]\]>" is not allowed in text: write \]\]&gt;/],
    ['<a>&</a>', 'unexpected-input', 4, /found "<"/],
    ['<a>&b</a>', 'unexpected-input', 5, /";"/],
    ['<a>&b;</a>', 'undeclared-entity', 3, /the entity b is not declared \[WFC: Entity Declared\]/],
    ['<a b="&c;"/>', 'undeclared-entity', 6, /the entity c is not declared/],
    ['<a>&#0;</a>', 'character-reference', 3, /&#0; is not a character that XML 1.0 allows \[WFC: Legal Character\]/],
    ['<a b="&#xD800;"/>', 'character-reference', 6, /&#xD800; is not a character/],
    ['<a>&#x110000;</a>', 'character-reference', 3, /is not a character/],
    [`<a>&#${'9'.repeat(300)};</a>`, 'character-reference', 3, /is not a character/],
    ['<a>\u0001</a>', 'malformed-text', 3, /XML 1.0 does not allow the character U\+/],
    ['<a>\uffff</a>', 'malformed-text', 3, /XML 1.0 does not allow the character U\+/],
    ['<a><!-- -- --></a>', 'unexpected-input', 8, /"--" is not allowed in a comment/],
    ['<a><?xml ?></a>', 'reserved-target', 5, /the target xml is reserved/],
    [' <?xml version="1.0"?><a/>', 'reserved-target', 3, /the target xml is reserved/],
    ['<?xml version="1.1"?><a/>', 'unsupported-version', 0, /XML 1.1 is not supported/],
    ['<?xml encoding="UTF-8"?><a/>', 'malformed-declaration', 0, /expected version, then optionally encoding/],
  ])('%j is reported: %s at byte %i', async (text, code, byteOffset, message) => {
    const { error } = await read(text)
    expect(error).toBeInstanceOf(XmlError)
    expect(error).toMatchObject({ code, byteOffset })
    expect(error?.message).toMatch(message)
  })

  test('gives what comes before the error', async () => {
    const { events } = await read('<a>x<b/>y</c>')
    expect(events).toEqual(['<a>', '"x"', '<b/>', '</b>', '"y"'])
  })

  test('says where an element was opened long before', async () => {
    const count = isThorough ? 100_000 : 20_000
    const text = `<r>\n  <open>${'<x>text</x>\n'.repeat(count)}</shut></r>`
    const error = await readXml([text])
      .check()
      .catch((reason: unknown) => reason)
    expect((error as XmlError).detail).toBe(
      'the end tag </shut> does not match <open> opened at 2:3 [WFC: Element Type Match]',
    )
    expect(error).toMatchObject({ line: count + 2, column: 3 })
  })

  test('reports the place of a byte that is not UTF-8', async () => {
    const bytes = new TextEncoder().encode('<a>\n<b>ab?</b></a>')
    bytes[9] = 0xff
    expect((await read(bytes)).error).toMatchObject({ code: 'malformed-text', byteOffset: 9, line: 2, column: 6 })
  })
})

describe('namespaces', () => {
  test.each([
    ['<a:b xmlns:a="u"/>', undefined],
    ['<a xmlns="u"><b xmlns=""/></a>', undefined],
    ['<a xml:lang="en"/>', undefined],
    ['<a xmlns:p="u" p:x="1" x="2"/>', undefined],
    ['<a:b/>', 'undeclared-prefix'],
    ['<a b:c="d"/>', 'undeclared-prefix'],
    ['<a><b xmlns:p="u"/><p:c/></a>', 'undeclared-prefix'],
    ['<a xmlns:p="u" xmlns:q="u" p:x="1" q:x="2"/>', 'duplicate-attribute'],
    ['<a xmlns:p=""/>', 'namespace-declaration'],
    ['<a xmlns:xmlns="u"/>', 'namespace-declaration'],
    ['<a xmlns:xml="u"/>', 'namespace-declaration'],
    ['<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>', 'namespace-declaration'],
    ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', 'namespace-declaration'],
    ['<a:b:c xmlns:a="u"/>', 'qualified-name'],
    ['<:a/>', 'qualified-name'],
    ['<xmlns:a/>', 'namespace-prefix'],
    ['<a><?p:q?></a>', 'name-with-colon'],
  ])('%j gives %s', async (text, code) => {
    expect((await read(text)).error?.code).toBe(code)
    // Without namespaces colons are like letters.
    expect((await read(text, { namespaces: false })).error).toBeUndefined()
  })

  test('cost no more at any depth', async () => {
    const depth = isThorough ? 100_000 : 30_000
    await readXml([`<r xmlns:p="u">${'<p:a b="c">'.repeat(depth)}${'</p:a>'.repeat(depth)}</r>`]).check()
  })
})
