// Documents that are made of what iterables yield, in loops and in pipes; elements as text.

import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { parseXml, readXml, type XmlElement } from '../../../source/xml/index.ts'
import {
  rawXml,
  toXml,
  writeXml,
  type XmlContent,
  type XmlWriteItem,
  type XmlWriteOptions,
} from '../../../source/xml/write/index.ts'
import { collectAll } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'

const invalid = expect.objectContaining({ code: 'invalid-option' })
const FEED = '<feed xmlns="u" xmlns:p="v"><e p:n="1">a &amp; b</e><!--c--><e/><?t d?></feed>'

async function written(
  items: AsyncIterable<XmlWriteItem> | Iterable<XmlWriteItem>,
  options?: XmlWriteOptions,
): Promise<string> {
  return Buffer.concat(await collectAll(writeXml(items, options))).toString()
}

describe('writeXml', () => {
  test('writes events, one by one and in arrays', async () => {
    expect(await written(readXml(FEED).events())).toBe(FEED)
    expect(await written(readXml(FEED).events().batches())).toBe(FEED)
    expect(await written(await collectAll(readXml(FEED).events()))).toBe(FEED)
    const sections = '<a>x<![CDATA[<y>]]><![CDATA[]]></a>'
    expect(await written(readXml(sections).events({ cdata: true }))).toBe(sections)
    expect(await written(readXml('<a>one text</a>').events({ maxText: 2 }))).toBe('<a>one text</a>')
  })

  test('writes elements in a root, with the declarations that they need', async () => {
    expect(await written(readXml(FEED).select('e'), { root: 'all' })).toBe(
      '<all><e p:n="1" xmlns="u" xmlns:p="v">a &amp; b</e><e xmlns="u"/></all>',
    )
    expect(await written(readXml(FEED).select('e'), { root: { namespace: 'u', localName: 'all' } })).toBe(
      '<all xmlns="u"><e p:n="1" xmlns:p="v">a &amp; b</e><e/></all>',
    )
    expect(await written([], { root: 'all' })).toBe('<all/>')
  })

  test('writes plain data, text and events that were not read', async () => {
    const { root } = parseXml('<a b="1">x<c/></a>')
    const items: XmlWriteItem[] = [
      { type: 'declaration' },
      { type: 'doctype', name: 'r' },
      { type: 'start', name: 'r', attributes: { n: '1' } },
      root.toJSON(),
      ['t', rawXml('<v/>')],
      { type: 'end' },
    ]
    expect(await written(items)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE r><r n="1"><a b="1">x<c/></a>t<v/></r>',
    )
    expect(await written(items.slice(0, 2).concat(root.toJSON()), { root: 's' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE r><s><a b="1">x<c/></a></s>',
    )
  })

  test('copies the document type, or leaves it out and keeps its defaults', async () => {
    const text = '<!DOCTYPE a [<!ATTLIST a b CDATA "c"><!ENTITY e "f">]><a>&e;</a>'
    expect(await written(readXml(text).events())).toBe(
      '<!DOCTYPE a [<!ATTLIST a b CDATA "c"><!ENTITY e "f">]><a b="c">f</a>',
    )
    expect(await written(readXml(text).events(), { doctype: 'omit' })).toBe('<a b="c">f</a>')
    const document = parseXml(text)
    expect(toXml(document)).toBe('<!DOCTYPE a [<!ATTLIST a b CDATA "c"><!ENTITY e "f">]><a b="c">f</a>')
    expect(toXml(document, { doctype: 'omit' })).toBe('<a b="c">f</a>')
  })

  test('names the encoding that it writes', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?><a>é</a>'
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
    expect(await written(readXml(bytes).events())).toBe(text.replace('ISO-8859-1', 'UTF-8'))
  })

  test('yields what is complete before an error, and gives the error of the iterable', async () => {
    const big = 'x'.repeat(100_000)
    async function* items(): AsyncGenerator<XmlWriteItem> {
      yield { type: 'start', name: 'a' }
      yield big
      throw new Error('the source is broken')
    }
    const pieces: Uint8Array[] = []
    const reading = async () => {
      for await (const bytes of writeXml(items())) pieces.push(bytes)
    }
    await expect(reading()).rejects.toThrow('the source is broken')
    expect(Buffer.concat(pieces).toString()).toBe(`<a>${big}`)
  })

  test('returns from the iterable when it is left', async () => {
    let isLeft = false
    async function* items(): AsyncGenerator<XmlWriteItem> {
      try {
        yield { type: 'start', name: 'a' }
        for (;;) yield 'x'.repeat(10_000)
      } finally {
        isLeft = true
      }
    }
    for await (const _ of writeXml(items())) break
    expect(isLeft).toBe(true)
  })

  test('closes the iterable once, and gives an error of that', async () => {
    let closed = 0
    const items: AsyncIterable<XmlWriteItem> = {
      [Symbol.asyncIterator]: () => {
        let count = 0
        return {
          next: async () => ({ done: false, value: count++ ? 'x'.repeat(40_000) : { type: 'start', name: 'a' } }),
          return: async () => {
            closed++
            throw new Error('closing fails')
          },
        }
      },
    }
    const copy = writeXml(items)
    await copy.next()
    await expect(copy.return()).rejects.toThrow('closing fails')
    expect(closed).toBe(1)
  })

  test('refuses elements that do not end, and ends of others', async () => {
    const start: XmlWriteItem = { type: 'start', name: 'a' }
    await expect(written([start])).rejects.toMatchObject({ code: 'unclosed-element', openElements: ['a'] })
    await expect(written([start, { type: 'end', name: 'b' }])).rejects.toMatchObject({ code: 'wrong-end' })
    await expect(written(readXml(FEED).select('e'))).rejects.toMatchObject({ code: 'wrong-place' })
  })

  test('refuses what cannot be iterated, and items of other kinds', async () => {
    for (const items of ['<a/>', 1, undefined, parseXml('<a/>').root] as unknown as XmlWriteItem[][]) {
      expect(() => writeXml(items)).toThrow(invalid)
    }
    for (const item of [1, undefined, { a: 1 }, { type: 'other' }] as unknown as XmlWriteItem[]) {
      await expect(written([item], { root: 'a' })).rejects.toEqual(invalid)
    }
    expect(() => writeXml([], { rot: 'a' } as XmlWriteOptions)).toThrow(invalid)
  })
})

describe('a pipe', () => {
  const output = (readable: ReadableStream<Uint8Array>) => new Response(readable).text()

  test('writes events and elements', async () => {
    const events = new Blob([FEED]).stream().pipeThrough(makeTransform((source) => readXml(source).events().batches()))
    expect(
      await output(
        events.pipeThrough(makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items), { type: 'bytes' })),
      ),
    ).toBe(FEED)
    const elements = new Blob([FEED]).stream().pipeThrough(makeTransform((source) => readXml(source).select('e')))
    const text = await output(
      elements.pipeThrough(
        makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items, { root: 'all', indent: 1 }), {
          type: 'bytes',
        }),
      ),
    )
    expect(text).toBe('<all>\n <e p:n="1" xmlns="u" xmlns:p="v">a &amp; b</e>\n <e xmlns="u"/>\n</all>\n')
  })

  test('makes writers wait for readers', async () => {
    const { readable, writable } = makeTransform(
      (items: AsyncIterable<XmlWriteItem>) => writeXml(items, { root: 'all' }),
      { type: 'bytes' },
    )
    const writer = writable.getWriter()
    let written = 0
    const writing = (async () => {
      for (; written < 100; written++) await writer.write('x'.repeat(10_000))
      await writer.close()
    })()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(written).toBeLessThan(15)
    expect((await output(readable)).length).toBe(100 * 10_000 + 11)
    await writing
  })

  test('gives an error to both sides', async () => {
    const { readable, writable } = makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items), {
      type: 'bytes',
    })
    const writer = writable.getWriter()
    const reading = output(readable)
    const refused = expect.objectContaining({ code: 'wrong-place' })
    writer.write('text').catch(() => {})
    const closed = expect(writer.closed).rejects.toEqual(refused)
    await expect(reading).rejects.toEqual(refused)
    await closed
  })

  test('ends when it is cancelled or aborted', async () => {
    const cancelled = makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items, { root: 'all' }), {
      type: 'bytes',
    })
    const writer = cancelled.writable.getWriter()
    writer.closed.catch(() => {})
    await cancelled.readable.cancel('enough')
    await expect(writer.write('x')).rejects.toBe('enough')
    const aborted = makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items, { root: 'all' }), {
      type: 'bytes',
    })
    const reading = output(aborted.readable)
    await aborted.writable.abort(new Error('given up'))
    await expect(reading).rejects.toThrow('given up')
  })

  test('says that it was aborted where no reason was given', async () => {
    const aborted = makeTransform((items: AsyncIterable<XmlWriteItem>) => writeXml(items, { root: 'all' }), {
      type: 'bytes',
    })
    const reading = output(aborted.readable)
    await aborted.writable.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('toXml', () => {
  test('begins with a declaration where that is wanted', () => {
    const utf8 = '<?xml version="1.0" encoding="UTF-8"?>'
    expect(toXml({ name: 'a' }, { declaration: true })).toBe(`${utf8}<a/>`)
    expect(toXml(parseXml('<a/>').root, { declaration: true, indent: 2 })).toBe(`${utf8}\n<a/>`)
    expect(toXml(parseXml('<a/>'), { declaration: true })).toBe(`${utf8}<a/>`)
    const declared = parseXml('<?xml version="1.0" standalone="yes"?><a/>')
    expect(toXml(declared, { declaration: true })).toBe('<?xml version="1.0" standalone="yes"?><a/>')
    expect(toXml(declared, { declaration: false })).toBe('<a/>')
    expect(() => toXml({ name: 'a' }, { declaration: true, standalone: false })).toThrow('must be the first')
  })

  test('gives a part xml:lang and xml:space of what is around it', () => {
    const { root } = parseXml(
      '<r xml:lang="de" xml:space="preserve"><g xml:space="default"><a> <b/></a></g><a xml:lang=""/></r>',
    )
    const parts = [root.child('g')?.child('a'), root.child('a')] as XmlElement[]
    expect(parts.map((part) => toXml(part, { indent: 2 }))).toEqual([
      '<a xml:lang="de" xml:space="default"> <b/></a>',
      '<a xml:lang="" xml:space="preserve"/>',
    ])
    expect(parts.map((part) => toXml(part, { standalone: false }))).toEqual(['<a> <b/></a>', '<a xml:lang=""/>'])
  })

  test.each([
    `<r xmlns:p="u"><a ${[...'abcdefghi'].map((name) => `${name}=""`).join(' ')}/><a ${[...'abcdefgh'].map((name) => `p:${name}=""`).join(' ')} i=""/></r>`,
    '<!DOCTYPE p:a><p:a xmlns:p="u"/>',
    '<!DOCTYPE a [<!ATTLIST a x:type CDATA #FIXED "simple" x:y CDATA "">]><a xmlns:x="u" x:type="simple" x:y=""/>',
    '<!DOCTYPE a [<!ATTLIST a p:x CDATA "1" q:x CDATA "2" xmlns:p CDATA "u" xmlns:q CDATA "u">]><b/>',
    '<!DOCTYPE content [<!ATTLIST content_ p:x CDATA "1">]><content_ p:x="1" xmlns:p="u"/>',
  ])('gives a document that is well-formed as it was: %s', (text) => {
    expect(toXml(parseXml(text))).toBe(text)
  })

  test('gives a document of its own, or what belongs in the place of the element', () => {
    const e = parseXml(FEED).root.child('e') as ReturnType<typeof parseXml>['root']
    expect(toXml(e)).toBe('<e p:n="1" xmlns="u" xmlns:p="v">a &amp; b</e>')
    expect(toXml(e, { standalone: false })).toBe('<e p:n="1">a &amp; b</e>')
    expect(toXml(parseXml(FEED))).toBe(FEED)
    expect(toXml(e.toJSON(), { standalone: false })).toBe('<e p:n="1">a &amp; b</e>')
  })

  test('writes names as they are where namespaces were off', () => {
    const text = '<p:a><a:b:c x:y="1"/></p:a>'
    expect(toXml(parseXml(text, { namespaces: false }), { namespaces: false })).toBe(text)
  })

  test('takes plain data, which may have neither attributes nor children', () => {
    expect(toXml({ name: 'a' })).toBe('<a/>')
    expect(toXml({ name: 'a', children: [{ name: 'b', attributes: [['c', '1']] }, 'x'] })).toBe('<a><b c="1"/>x</a>')
  })

  test('refuses elements that are in themselves, at any depth, but not elements in several places', () => {
    const twice = { name: 'b', children: ['1'] }
    const deep = { name: 'c', children: [{ name: 'd', children: [twice, twice] }, twice] }
    const markup = '<c><d><b>1</b><b>1</b></d><b>1</b></c>'
    expect(toXml({ name: 'a', children: [deep, deep] })).toBe(`<a>${markup}${markup}</a>`)
    for (const length of [1, 2, 3, 10]) {
      const last = { name: 'z', children: [] as XmlContent[] }
      let ring: XmlContent = last
      for (let i = 1; i < length; i++) ring = { name: 'y', children: ['x', deep, twice, ring] }
      last.children.push(twice, ring)
      const message = expect.stringMatching(/^the element <[yz]> is in itself/)
      expect(() => toXml({ name: 'a', children: [{ name: 'b', children: [ring] }] })).toThrow(
        expect.objectContaining({ name: 'TypeError', code: 'invalid-option', message }),
      )
    }
  })

  test('refuses arrays of content that are in themselves, but not arrays in several places or of any depth', () => {
    const twice = ['x', { name: 'b' }]
    expect(toXml({ name: 'a', children: [twice, [twice, twice]] })).toBe(`<a>${'x<b/>'.repeat(3)}</a>`)
    for (const length of [1, 2, 3, 10]) {
      const last: XmlContent[] = [twice]
      let ring: XmlContent[] = last
      for (let i = 1; i < length; i++) ring = [twice, ring]
      last.push(ring)
      for (const children of [ring, [['x', ring]]])
        expect(() => toXml({ name: 'a', children })).toThrow(
          expect.objectContaining({
            name: 'TypeError',
            code: 'invalid-option',
            message: 'an array of content is in itself, in a',
          }),
        )
    }
    let deep: XmlContent = 'x'
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(toXml({ name: 'a', children: [deep] })).toBe('<a>x</a>')
  })

  test.runIf(isThorough)('takes elements of any depth', () => {
    const depth = 100_000
    const text = `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`
    expect(toXml(parseXml(text).root)).toBe(text)
  })

  test('refuses other values', () => {
    for (const value of ['<a/>', undefined, [], {}, { type: 'text', text: 'a' }]) {
      expect(() => toXml(value as unknown as Parameters<typeof toXml>[0])).toThrow(invalid)
    }
    expect(() => toXml(parseXml('<a/>').root, { standalone: 1 } as object)).toThrow(invalid)
  })
})
