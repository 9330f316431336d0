import { describe, expect, test } from 'vitest'
import type { DumpOptions } from '../../source/mediawiki/dump-options.ts'
import { readDump } from '../../source/mediawiki/dump-reader.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import type { ParseError } from '../../source/text/parse-error.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { collectAll, everyCut, inPieces } from '../support/collect.ts'
import { sample } from '../support/extent.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const page = (id: number, text = `text ${id}`) =>
  `<page><title>Page ${id}</title><id>${id}</id><revision><id>${id + 100}</id><text>${text}</text></revision></page>\n`

/** Ids of what is read, and the errors that were reported. */
async function read(source: ByteSource, how: 'pages' | 'revisions' = 'pages', options: DumpOptions = {}) {
  const ids: number[] = []
  const texts: (string | undefined)[] = []
  const faults: ParseError[] = []
  const reader = readDump(source, { ...options, onFault: (fault) => faults.push(fault as ParseError) })
  if (how === 'pages') {
    for await (const { id, revision } of reader.pages()) {
      ids.push(id)
      texts.push(revision?.text)
    }
  } else {
    for await (const { page: own, text } of reader.revisions()) {
      ids.push(own.id)
      texts.push(text)
    }
  }
  return { ids, texts, faults, replaced: reader.replaced }
}

describe.each(['pages', 'revisions'] as const)('reading %s of a dump with a listener for errors', (how) => {
  test.each([
    ['an end tag that is wrong', page(2).replace('</text>', '</txt>'), 'tag-mismatch'],
    ['an entity that is not declared', page(2, '&nope;'), 'undeclared-entity'],
    ['a page that does not end', page(2).replace('</page>', ''), undefined],
    ['a tag that is no tag', page(2, 'a < b'), undefined],
    ['an id that is no number', page(2).replace('<id>2<', '<id>x<'), 'malformed-page'],
    ['no title', '<page><id>2</id></page>', 'malformed-page'],
  ])('skips a page with %s, and reads all others', async (_, bad, code) => {
    const text = `<mediawiki>\n${page(1)}${bad}${page(3)}${page(4)}</mediawiki>\n`
    for (const chunks of sample([[text], inPieces(encode(text), 7), inPieces(encode(text), 1)], 2)) {
      const { ids, faults } = await read(chunks, how)
      // If a page does not end, the page in it is not distinguished from it.
      expect(ids.filter((id) => id !== 3 && id !== 2)).toEqual([1, 4])
      if (code !== undefined) {
        expect(ids).toEqual([1, 3, 4])
        expect(faults.map((fault) => fault.code)).toEqual([code])
      }
      expect(faults.length).toBeGreaterThan(0)
    }
  })

  test('skips a page with elements that are nested deeper than the limit', async () => {
    const deep = page(2).replace('<id>', `${'<odd>'.repeat(40)}${'</odd>'.repeat(40)}<id>`)
    const text = `<mediawiki>\n${page(1)}${deep}${page(3)}</mediawiki>\n`
    const ways = [[text], ...sample([...everyCut(encode(text))], 8), inPieces(encode(text), 1)]
    for (const chunks of ways) {
      const { ids, faults } = await read(chunks, how, { limits: { maxDepth: 30 } })
      expect({ ids, codes: faults.map(({ code }) => code) }).toEqual({ ids: [1, 3], codes: ['depth-limit'] })
    }
  })

  test('reads pages that are a little smaller than the limit, however they are cut', async () => {
    const large = 'word '.repeat(12_000)
    const text = `<mediawiki>${page(1, large)}${page(2, large)}${page(3, '<')}${page(4, large)}</mediawiki>`
    for (const size of [7000, 65_536, 1_000_000]) {
      const { ids, faults } = await read(inPieces(encode(text), size), how, { limits: { maxRetained: 64_000 } })
      expect({ size, ids, faults: faults.length }).toEqual({ size, ids: [1, 2, 4], faults: 1 })
    }
  })

  test('says of a dump that is cut off what is missing, after all that is there', async () => {
    const text = `<mediawiki>\n${page(1)}${page(2)}<page><title>cut`
    const { ids, faults } = await read(text, how)
    expect(ids).toEqual([1, 2])
    expect(faults.map(({ code }) => code)).toEqual(['unexpected-end'])
  })

  test('throws for input that is not a dump at all', async () => {
    await expect(read('<html></html>', how)).rejects.toThrow('the root element is <html>')
    await expect(read('', how)).rejects.toThrow('not a MediaWiki dump')
  })

  test('skips the page in which a block of the archive is missing, and never joins what is before and after it', async () => {
    const pages = Array.from({ length: 60 }, (_, i) => page(i + 1, `${i + 1}: ${'word '.repeat(30)}`))
    const text = `<mediawiki>\n${pages.join('')}</mediawiki>`
    const archive = encodeBzip2(encode(text), { blockSize: 1500 })
    const whole = await read(archive, how)
    expect(whole.ids).toHaveLength(60)
    for (const share of sample([0.55, 0.3, 0.8], 1)) {
      const damaged = archive.slice()
      const place = Math.floor(damaged.length * share)
      damaged[place] = (damaged[place] as number) ^ 8
      const { ids, texts, faults } = await read(damaged, how)
      expect(faults.map(({ name }) => name)).toEqual(['CompressionError'])
      expect(ids.length).toBeLessThan(60)
      expect(ids.length).toBeGreaterThan(45)
      for (const [i, id] of ids.entries()) expect(texts[i]).toBe(whole.texts[id - 1])
    }
  })

  test('never joins what is before a missing block and after it, where an element ends with the one before', async () => {
    const damaged = encodeBzip2(encode('<revision/></page><page><title>B</title><id>2</id>'))
    damaged[12] = (damaged[12] as number) ^ 8
    const archive = new Uint8Array([
      ...encodeBzip2(encode('<mediawiki>\n<page><title>A</title><id>1</id>')),
      ...damaged,
      ...encodeBzip2(encode(`<revision><id>2</id><text>text of B</text></revision></page>\n${page(3)}</mediawiki>`)),
    ])
    const { ids, texts, faults } = await read(archive, how)
    expect({ ids, texts }).toEqual({ ids: [3], texts: ['text 3'] })
    expect(faults.length).toBeGreaterThan(0)
  })

  test('begins after a first block that is missing', async () => {
    const pages = Array.from({ length: 30 }, (_, i) => page(i + 1, `${i + 1}: ${'word '.repeat(30)}`))
    const archive = encodeBzip2(encode(`<mediawiki>\n${pages.join('')}</mediawiki>`), { blockSize: 1500 })
    const damaged = archive.slice()
    damaged[30] = (damaged[30] as number) ^ 8
    const { ids, faults } = await read(damaged, how)
    expect(faults.map(({ name }) => name)).toEqual(['CompressionError'])
    expect(ids.length).toBeGreaterThan(15)
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => 31 - ids.length + i))
  })

  test('reads a dump after a dump, and says that it should not be there', async () => {
    const text = `<mediawiki>${page(1)}</mediawiki>\n`
    for (const isPart of [true, false]) {
      const { ids, faults } = await read(`${text} ${text}`, how, { isPart })
      expect(ids).toEqual([1, 1])
      expect(faults).toMatchObject([{ code: 'unexpected-input', byteOffset: text.length + 1 }])
    }
  })

  test('says once that an archive is cut off', async () => {
    const pages = Array.from({ length: 30 }, (_, i) => page(i + 1, 'word '.repeat(30)))
    const archive = encodeBzip2(encode(`<mediawiki>${pages.join('')}</mediawiki>`), { blockSize: 1000 })
    const { ids, faults } = await read(archive.slice(0, archive.length * 0.7), how)
    expect(ids.length).toBeGreaterThan(15)
    expect(faults.map(({ code }) => code)).toEqual(['truncated'])
  })
})

describe.each(['pages', 'revisions', 'pageLines'] as const)('errors of a dump that is read on: %s', (how) => {
  const MARK = '§'
  const parts = [
    '<mediawiki>\n',
    page(1, 'é\n木\r\n🌳'),
    page(2, 'a\n\n &§ b\nc\n'),
    page(3, 'é\n'),
    '  <!--é🌳--> §<page><title>x</title><id>x</id></page>\n',
    page(4, 'a\n§&nope;\nb\nc'),
    page(5, '\u0001\ufffe\n'),
    '\n <!--é-->§<page>\n<id>6</id></page>',
    page(7, '</§txt>\n'),
    page(8),
    '<page><title>9</title><id>9</id>\n§<revision><id>y</id></revision></page>',
    page(10),
    '</mediawiki>\n\n §more\n',
    page(11),
    page(12, '\n<§ '),
  ]
  const text = parts.join('')

  /** Of each mark the place, by a plain count. */
  function marks(): object[] {
    const places: object[] = []
    for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + 1)) {
      const before = text.slice(0, at).replaceAll(MARK, '')
      const lines = before.split('\n')
      const column = (lines.at(-1) as string).length + 1
      places.push({ byteOffset: encode(before).length, line: lines.length, column })
    }
    return places
  }

  test('have the line and the column of the dump, however many were skipped', async () => {
    const bytes = encode(text.replaceAll(MARK, ''))
    for (const chunks of sample([inPieces(bytes, 1), inPieces(bytes, 7), inPieces(bytes, 300), [bytes]], 2)) {
      const faults: ParseError[] = []
      const reader = readDump(chunks, { onFault: (fault) => faults.push(fault as ParseError) })
      for await (const _ of reader[how]());
      const places = faults.map(({ byteOffset, line, column }) => ({ byteOffset, line, column }))
      expect(places).toEqual(marks())
      expect(faults.filter(({ excerpt }) => excerpt === undefined)).toEqual([])
    }
  })

  test('count what is malformed as the parser does', async () => {
    const bad = [0xff, 0x80, 0xc3, 0xef, 0xbf, 0xbe, 0xf0, 0x9f, 0x8c, 0xb3]
    const head = encode('<mediawiki>\n<page><title>x & </title><id>1</id></page>\n')
    const bytes = new Uint8Array([...head, ...bad, ...encode('<page><title>x & </title><id>2</id></page></mediawiki>')])
    for (const chunks of everyCut(bytes)) {
      const faults: ParseError[] = []
      const reader = readDump(chunks, { onFault: (fault) => faults.push(fault as ParseError) })
      for await (const _ of reader[how]());
      // Three bytes that are none, a noncharacter, and a character of two units.
      const column = 3 + 1 + 2 + '<page><title>x & '.length
      expect(faults.at(-1)).toMatchObject({ line: 3, column, byteOffset: head.length + bad.length + 16 })
    }
  })

  test('of a part count from where it begins', async () => {
    const faults: ParseError[] = []
    const reader = readDump('xt\né</text></page>\n <page>\n &</page>', {
      isPart: true,
      onFault: (fault) => faults.push(fault as ParseError),
    })
    for await (const _ of reader[how]());
    expect(faults).toMatchObject([{ line: 4, column: 3 }])
  })
})

describe('characters that XML does not allow', () => {
  const bad = [0x61, 0x01, 0xff, 0xef, 0xbf, 0xbe, 0xed, 0xa0, 0x80, 0x62]
  const place = encode(`<mediawiki>${page(1, '?')}`).indexOf(0x3f)
  const plain = encode(`<mediawiki>${page(1, '?')}</mediawiki>`)
  const text = new Uint8Array([...plain.slice(0, place), ...bad, ...plain.slice(place + 1)])

  test('are replaced and counted, in complete input, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(text)) {
      const { texts, faults, replaced } = await read(chunks)
      expect({ texts, replaced }).toEqual({ texts: ['a??\ufffd???b'], replaced: 6 })
      expect(faults).toEqual([])
    }
  })

  test('are an error if it is to be strict', async () => {
    const { ids, faults } = await read(text, 'pages', { strict: true })
    expect(ids).toEqual([])
    expect(faults).toMatchObject([{ code: 'malformed-text', byteOffset: place + 1 }])
  })

  test('are replaced at the very end as well', async () => {
    const open = encode(`<mediawiki>${page(1, '?')}<page><title>x`)
    for (const chunks of everyCut(new Uint8Array([...open, 0xf0, 0x9f]))) {
      const { ids, faults, replaced } = await read(chunks)
      expect({ ids, faults: faults.length, replaced }).toEqual({ ids: [1], faults: 1, replaced: 2 })
    }
    // After the root, the first is an error, and the second is left out.
    for (const chunks of everyCut(new Uint8Array([...plain, 0x0a, 0xf0, 0x9f]))) {
      const { ids, faults, replaced } = await read(chunks)
      expect({ ids, faults: faults.length, replaced }).toEqual({ ids: [1], faults: 1, replaced: 1 })
    }
  })
})

describe('references to characters that XML does not allow', () => {
  const bad = 'a&#1;b&#xFFFE;&#65535;c&#xD800;&#x0001f;&#0;&#9999999999;&amp;&#65; and more text &#8;'
  const repaired = 'a?b\ufffd\ufffdc????&A and more text ?'
  const dump = (text: string) =>
    `<!DOCTYPE mediawiki [<!ENTITY e "木">]>\n<mediawiki a="&#2;">${page(1, text)}${page(2, '&#x2;')}</mediawiki>`

  test('are replaced and counted as the characters are, in complete input, byte by byte and at every cut', async () => {
    for (const [before, after] of [
      ['', ''],
      ['&e;', '木'],
    ] as const) {
      for (const chunks of everyCut(encode(dump(before + bad)))) {
        const { texts, faults, replaced } = await read(chunks)
        expect({ texts, replaced, faults }).toEqual({ texts: [after + repaired, '?'], replaced: 10, faults: [] })
      }
    }
    expect(await read(encode(dump(bad)), 'revisions')).toMatchObject({ texts: [repaired, '?'], replaced: 10 })
  })

  test('are replaced in lines, in attributes, and in texts that are long', async () => {
    const long = 'word &#1; '.repeat(300_000)
    const lines = await collectAll(readDump(inPieces(encode(dump(long)), 100_000)).pageLines())
    const text = lines.map(({ bytes }) => new TextDecoder().decode(bytes)).join('')
    expect(JSON.parse(text.split('\n')[0] ?? '').revision.text === 'word ? '.repeat(300_000)).toBe(true)
    const reader = readDump(dump('&#1;').replace('<title>', '<title>&#3;').replace('<text>', '<text own="&#4;">'))
    expect(await collectAll(reader.pages())).toMatchObject([{ title: '?Page 1', revision: { text: '?' } }, {}])
    expect(reader.replaced).toBe(5)
  })

  test('are an error if it is to be strict', async () => {
    const { ids, faults } = await read(dump(bad).replace(' a="&#2;"', ''), 'pages', { strict: true })
    expect(ids).toEqual([])
    expect(faults).toMatchObject([{ code: 'character-reference' }, { code: 'character-reference' }])
  })
})

describe('a site description with ampersands that are not escaped', () => {
  const head = `<mediawiki>
  <siteinfo>
    <sitename>A & B &amp; C</sitename>
    <namespaces>
      <namespace key="4">R&D</namespace>
      <namespace key="5">R&amp;D talk</namespace>
    </namespaces>
  </siteinfo>
`
  test('is read as it is meant, and counted', async () => {
    for (const chunks of everyCut(encode(head))) {
      const reader = readDump(chunks)
      const { siteName, namespaces } = await reader.siteInfo
      expect(siteName).toBe('A & B & C')
      expect(namespaces.map(({ name }) => name)).toEqual(['R&D', 'R&D talk'])
      expect(reader.replaced).toBe(2)
      await reader.close()
    }
  })

  test('leaves the places of errors as they are', async () => {
    const { ids } = await read(`${head}${page(1)}</mediawiki>`)
    expect(ids).toEqual([1])
    const text = `${head}${page(1)}<page></oops></page></mediawiki>`
    const { faults } = await read(text)
    expect(faults[0]).toMatchObject({ byteOffset: text.indexOf('oops'), line: 10 })
  })

  test('is an error if it is to be strict', async () => {
    const reader = readDump(head, { strict: true })
    await expect(reader.siteInfo).rejects.toThrow()
  })
})
