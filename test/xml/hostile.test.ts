// Documents that are meant to do harm: they cost no more than honest ones of their size.

import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/index.ts'
import { parseXml, readXml } from '../../source/xml/index.ts'
import { isThorough, range, sample } from '../support/extent.ts'
import { collectGarbage } from '../support/resources.ts'

async function check(source: Iterable<string>): Promise<unknown> {
  return readXml(source)
    .check()
    .catch((error: unknown) => error)
}

const bomb = (levels: number, reference: string) => {
  const entities = Array.from({ length: levels }, (_, i) => {
    return `<!ENTITY e${i} "${i === 0 ? 'ha'.repeat(50) : `&e${i - 1};`.repeat(10)}">`
  })
  return `<!DOCTYPE a [${entities.join('')}]><a ${reference.startsWith('b=') ? reference : ''}>${reference.startsWith('b=') ? '' : reference}</a>`
}

describe('entities that grow', () => {
  const bombs = [
    ['in text', bomb(9, '&e8;')],
    ['in an attribute', bomb(9, 'b="&e8;"')],
    ['in the default of an attribute', bomb(9, '').replace(']>', '<!ATTLIST a b CDATA "&e8;">]>')],
    ['by one that is large', `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(100_000)}">]><a>${'&e;'.repeat(10_000)}</a>`],
  ] as const
  test.each(sample(bombs, 2))('%s are stopped', async (_, text) => {
    expect(await check([text])).toMatchObject({ name: 'LimitError', code: 'entity-limit' })
    expect(() => parseXml(text)).toThrow(/maxAmplification/)
  })

  test('are not stopped where they are honest', async () => {
    const references = Array.from({ length: isThorough ? 2000 : 200 }, () => '&quot;&lt;&#10;'.repeat(1000))
    expect(await check(['<a>', ...references, '</a>'])).toBeUndefined()
    const text = `<!DOCTYPE a [<!ENTITY e "xylem">]><a>${'&e;'.repeat(isThorough ? 100_000 : 20_000)}</a>`
    expect(await check([text])).toBeUndefined()
  })

  const nothing = { maxAmplification: 0, freeExpansion: 0 }
  const anything = { maxAmplification: Number.POSITIVE_INFINITY }
  test.each([
    ['in text', '<!DOCTYPE a [<!ENTITY e "xy">]><a>&e;</a>'],
    ['with markup', '<!DOCTYPE a [<!ENTITY e "<b/>">]><a>&e;</a>'],
    ['in an attribute', '<!DOCTYPE a [<!ENTITY e "xy">]><a b="&e;"/>'],
    ['in a default', '<!DOCTYPE a [<!ENTITY e "xy"><!ATTLIST a b CDATA "&e;">]><a/>'],
    ['in an entity', '<!DOCTYPE a [<!ENTITY e "xy"><!ENTITY f "&e;">]><a>&f;</a>'],
    ['by a parameter entity', '<!DOCTYPE a [<!ENTITY % e "<!ELEMENT a ANY>">%e;]><a/>'],
  ])('%s count for limits of nothing and of everything', async (_, text) => {
    expect(() => parseXml(text, { limits: nothing })).toThrow(/maxAmplification/)
    await expect(readXml([text], { limits: nothing }).check()).rejects.toMatchObject({ code: 'entity-limit' })
    expect(parseXml(text, { limits: anything }).root.name).toBe('a')
    expect(parseXml('<a b="&quot;&#65;">&lt;&#66;</a>', { limits: nothing }).root.text).toBe('<B')
  })

  test('are counted once, whatever is wanted of the document', async () => {
    const value = 'x'.repeat(1000)
    const text = `<!DOCTYPE r [<!ENTITY e "${value}">]><r>${'<a b="&e;">&e;</a>'.repeat(5)}</r>`
    const limits = { freeExpansion: 10_000, maxAmplification: 0 }
    const count = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items);
    }
    const ways: ((text: string) => Promise<void>)[] = [
      (document) => readXml([document], { limits }).check(),
      (document) => readXml([document], { limits, namespaces: false }).check(),
      (document) => count(readXml([document], { limits }).events().batches()),
      (document) => count(readXml([document], { limits }).select('a')),
      (document) => count(readXml([document], { limits }).records('a', { b: '@b', text: '.' })),
    ]
    for (const read of ways) {
      await read(text)
      await expect(read(text.replace('</r>', '&e;</r>'))).rejects.toMatchObject({ code: 'entity-limit' })
    }
  })

  test.runIf(isThorough)('in a long chain need no stack', async () => {
    const count = 100_000
    const chain = Array.from({ length: count }, (_, i) => `<!ENTITY e${i} "&e${i + 1};">`)
    const text = `<!DOCTYPE a [${chain.join('')}<!ENTITY e${count} "x">]><a b="&e0;"/>`
    expect(parseXml(text).root.attribute('b')).toBe('x')
    const inContent = text.replace(' b="&e0;"/>', '>&e0;</a>')
    expect(parseXml(inContent).root.text).toBe('x')
  })
})

describe('small declarations', () => {
  test.each(
    sample(
      [
        ['of elements', (i: number) => `<!ELEMENT e${i} (a,b)>`],
        ['of attributes', (i: number) => `<!ATTLIST a b${i} CDATA "c">`],
        ['of entities', (i: number) => `<!ENTITY e${i} "c">`],
        ['of notations', (i: number) => `<!NOTATION n${i} PUBLIC "p">`],
      ],
      1,
    ),
  )('%s take no more than a hundred times their size', async (_, write) => {
    let subset = ''
    for (let i = 0; subset.length < (isThorough ? 250_000 : 60_000); i++) subset += write(i)
    const text = `<!DOCTYPE a [${subset}]><a/>`
    await collectGarbage()
    const before = process.memoryUsage().heapUsed
    const document = parseXml(text)
    await collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * text.length)
    expect(document.root.name).toBe('a')
  })
})

describe('clones of a cursor', () => {
  test('are read without regard to each other, also when one is malformed', async () => {
    const cursor = StreamCache.from(['<a>é', '<b/>', '</a>']).cursor()
    const clone = cursor.clone()
    const texts: string[] = []
    for await (const events of readXml(cursor).events().batches()) {
      for (const event of events) if (event.type === 'text') texts.push(event.text)
    }
    clone.skip(3)
    const error = await readXml(clone)
      .check()
      .catch((reason: unknown) => reason)
    expect(texts).toEqual(['é'])
    expect(error).toMatchObject({ name: 'XmlError', byteOffset: 3 })
    cursor.release()
    clone.release()
  })
})

describe('what is long or deep', () => {
  const many = isThorough ? 1_000_000 : 200_000
  test.each([
    [
      'parentheses in a content model',
      () => `<!DOCTYPE a [<!ELEMENT a ${'('.repeat(0.3 * many)}b${')'.repeat(0.3 * many)}>]><a/>`,
    ],
    ['a name', () => `<${'n'.repeat(many)}/>`],
    ['an attribute', () => `<a b="${'v'.repeat(5 * many)}"/>`],
    ['a comment', () => `<a><!--${'- '.repeat(2 * many)}--></a>`],
    ['a CDATA section', () => `<a><![CDATA[${']'.repeat(5 * many)} ]]></a>`],
    ['an instruction', () => `<a><?x ${'?'.repeat(5 * many)} ?></a>`],
    ['text', () => `<a>${']] >'.repeat(many)}</a>`],
    ['a number', () => `<a>&#${'0'.repeat(many / 10)}65;</a>`],
    ['attributes', () => `<a ${Array.from({ length: many / 20 }, (_, i) => `a${i}=""`).join(' ')}/>`],
    [
      'declarations of namespaces',
      () => `<a ${Array.from({ length: many / 20 }, (_, i) => `xmlns:a${i}="u"`).join(' ')}/>`,
    ],
  ])('%s is read, also in small pieces', async (_, make) => {
    const text = make()
    expect(await check([text])).toBeUndefined()
    const pieces = Array.from({ length: Math.ceil(text.length / 1024) }, (_, i) => text.slice(1024 * i, 1024 * (i + 1)))
    expect(await check(pieces)).toBeUndefined()
  })

  test('every prefix of a document that has everything ends with one error', async () => {
    const text =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "<b>x</b>"><!ATTLIST a c CDATA "d">]><!--x--><a x="&lt;é"><?y z?><![CDATA[q]]>&e;&#65;<b/></a>'
    for (const length of sample(range(0, text.length), 50)) {
      expect(await check([text.slice(0, length)]), text.slice(0, length)).toMatchObject({ name: 'XmlError' })
    }
    expect(await check([text])).toBeUndefined()
  })

  test.runIf(isThorough)('offsets are right beyond 4 GiB', async () => {
    const piece = new TextEncoder().encode(`<b>${'x'.repeat(1024 * 1024 - 7)}</b>`)
    const source = function* () {
      yield new TextEncoder().encode('<a>')
      for (let i = 0; i < 4100; i++) yield piece
      yield new TextEncoder().encode('</c>')
    }
    const error = await readXml(source())
      .check()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'tag-mismatch', byteOffset: 3 + 4100 * 1024 * 1024 + 2, line: 1 })
  })

  test.runIf(isThorough)('a lent cursor follows through a text of more than 2 GiB', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x78)
    const source = function* () {
      yield new TextEncoder().encode('<a><b/>')
      for (let i = 0; i < 2100; i++) yield piece
      yield new TextEncoder().encode('</a>')
    }
    // A text may be retained completely; here it takes the memory of one piece.
    const cursor = StreamCache.from(source(), { limits: { maxRetained: 2 ** 32 } }).cursor()
    await readXml(cursor).check()
    expect(cursor.offset).toBe(7 + 2100 * 1024 * 1024 + 4)
    cursor.release()
  })
})
