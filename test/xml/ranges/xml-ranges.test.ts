import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  checkRanges,
  type PlanXmlOptions,
  planXmlRanges,
  type RangeReport,
  readXmlRange,
  type XmlRange,
} from '../../../source/xml/ranges/index.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { compress, encode, readInRanges, readWhole } from '../../support/xml-ranges.ts'

const SHAPE = { id: '@id', text: '.', inner: ['.//b'] } as const
const rows = (from: number, count: number, write = (id: number) => `  <row id="${id}">t${id}<b>in</b></row>\n`) =>
  Array.from({ length: count }, (_, i) => write(from + i)).join('')

/** Documents whose records are not where a search finds them, or are read in another way than the first ones. */
const DOCUMENTS: Record<string, string> = {
  rows: `<?xml version="1.0"?>\n<posts>\n${rows(1, 8)}</posts>\n`,
  'rows without content': `<posts>${rows(1, 8, (id) => `<row id="${id}"/>`)}</posts><!-- end -->`,
  'rows in comments': `<posts>\n${rows(1, 3)}<!-- ${rows(10, 3)} -->${rows(4, 3)}</posts>`,
  'rows in CDATA sections': `<posts>\n${rows(1, 2)}<row id="3"><![CDATA[${rows(10, 3)}]]></row>${rows(4, 3)}</posts>`,
  'rows in instructions': `<posts>\n${rows(1, 2)}<?x ${rows(10, 3)} ?>${rows(4, 3)}</posts>`,
  'rows in attributes, as an error': `<posts>\n${rows(1, 2)}<row id="<row id='9'>"/>${rows(4, 3)}</posts>`,
  'rows in attributes, after a greater-than sign': `<posts>\n${rows(1, 2)}<x a="> &lt;row >"/>${rows(4, 3)}</posts>`,
  'rows in entities': `<!DOCTYPE posts [<!ENTITY r '<row id="e">&lt;row></row>'><!ATTLIST row k CDATA "<&#38;lt;row >">]><posts>\n${rows(1, 2)}&r;${rows(4, 3)}&r;</posts>`,
  'rows in the head': `<!-- <row id="1"> --><!DOCTYPE posts [<!-- <row > --><!ENTITY e "<row id='0'/>"><!ATTLIST row id CDATA "none">]><posts>${rows(1, 3)}<row/><row/></posts>`,
  'rows in rows': `<posts>\n${rows(1, 3)}<row id="4"><row id="5"><b>x</b><row id="6"/></row></row>${rows(7, 3)}</posts>`,
  'rows at several depths': `<posts>\n${rows(1, 3)}<g>${rows(4, 3)}</g>${rows(7, 3)}<g>${rows(10, 2)}</g></posts>`,
  'rows in many parents': `<posts>${[1, 2, 3, 4].map((i) => `<g n="${i}">${rows(i * 10, 2)}</g>`).join('')}</posts>`,
  'namespaces that are declared again': `<r><g xmlns:p="u1">${rows(1, 3, (id) => `<row p:id="${id}" id="${id}"/>`)}</g><g xmlns:p="u2">${rows(4, 3, (id) => `<row p:id="${id}" id="${id}"/>`)}</g><g xmlns:p="u1">${rows(7, 3)}</g></r>`,
  'a default namespace that changes': `<r xmlns="u1">${rows(1, 2)}<g xmlns="u2">${rows(3, 2)}</g><g xmlns="">${rows(5, 2)}</g>${rows(7, 2)}</r>`,
  'prefixes that end to hold': `<r><g xmlns:p="u1">${rows(1, 3)}</g><g>${rows(4, 2)}<row><p:b/></row>${rows(7, 2)}</g></r>`,
  'a language that changes': `<r><g xml:lang="en">${rows(1, 2)}</g><g xml:lang="de">${rows(3, 2)}</g><g xml:lang="en">${rows(5, 2)}</g></r>`,
  'space that changes': `<r><g>${rows(1, 2)}</g><g xml:space="preserve">${rows(3, 2)}</g><g>${rows(5, 2)}</g></r>`,
  'rows that declare namespaces': `<r>${rows(1, 6, (id) => `<row xmlns="u${id % 2}" xmlns:p="v" p:id="${id}" id="${id}"><b/></row>`)}</r>`,
  'text around rows': `<r>a&amp;b${rows(1, 2)}<![CDATA[<row>]]>&#60;row>${rows(3, 2)}c</r>`,
  'names that begin in the same way': `<r><rows/>${rows(1, 2)}<row-2 id="0"><b/></row-2><rowed/>${rows(3, 2)}</r>`,
  'characters of several bytes': `<räume>${rows(1, 4, (id) => `<row id="ä${id}">€𝄞</row>é`)}</räume>`,
  'a byte order mark': `\uFEFF<posts>${rows(1, 4)}</posts>`,
  'one row': '<posts><row id="1"/></posts>',
  'no row': '<posts><x>row</x></posts>',
  'a row that is the root': '<row id="1"><row id="2"/></row>',
  'carriage returns': `<posts>\r\n${rows(1, 4).replaceAll('\n', '\r\n')}</posts>\r\n`,
  'an end tag that does not match': `<posts>${rows(1, 3)}</post>${rows(4, 2)}`,
  'an end tag that does not match after rows': `<posts>${rows(1, 3)}<g>${rows(4, 2)}</h></posts>`,
  'a comment that does not end': `<posts>${rows(1, 3)}<!-- ${rows(4, 2)}</posts>`,
  'a comment with two hyphens': `<posts>${rows(1, 3)}<!-- -- ${rows(4, 2)} -->${rows(7, 2)}</posts>`,
  'text after the root': `<posts>${rows(1, 3)}</posts>${rows(4, 2)}`,
  'two roots': `<posts>${rows(1, 3)}</posts><posts>${rows(4, 2)}</posts>`,
  'an end that is missing': `<posts>${rows(1, 3)}<row id="4">`,
  'an attribute twice': `<posts>${rows(1, 3)}<row id="4" id="5"/>${rows(6, 2)}</posts>`,
  'a prefix that is not declared': `<posts>${rows(1, 3)}<row p:id="4"/>${rows(6, 2)}</posts>`,
  'an entity that is not declared': `<posts>${rows(1, 3)}<row>&nothing;</row>${rows(6, 2)}</posts>`,
  'a character that is not allowed': `<posts>${rows(1, 3)}<row>\u0001</row>${rows(6, 2)}</posts>`,
}

describe('a document in ranges', () => {
  for (const [name, text] of sample(Object.entries(DOCUMENTS), 12)) {
    const content = encode(text)
    test(`gives what one reading gives, cut at every byte: ${name}`, async () => {
      const whole = await readWhole(content, 'row', SHAPE)
      const step = isThorough ? 1 : 19
      for (let cut = 1 + (content.length % 3); cut < content.length; cut += step) {
        const { records, error } = await readInRanges(content, [cut], 'row', SHAPE)
        expect({ cut, records, error }).toEqual({ cut, records: whole.records, error: whole.error })
      }
    })

    test(`gives what one reading gives, in many ranges: ${name}`, async () => {
      const whole = await readWhole(content, 'row', SHAPE)
      for (const length of isThorough ? [1, 5, 13, 34] : [5, 34]) {
        const cuts = Array.from({ length: Math.floor(content.length / length) }, (_, i) => (i + 1) * length)
        const { records, error } = await readInRanges(content, cuts, 'row', SHAPE)
        expect({ length, records, error }).toEqual({ length, records: whole.records, error: whole.error })
      }
    })

    test(`gives what one reading gives, in blocks of bzip2: ${name}`, async () => {
      const whole = await readWhole(content, 'row', SHAPE)
      for (const size of isThorough ? [17, 90] : [40]) {
        const file = compress(content, size)
        for (let cut = 5; cut < file.length; cut += isThorough ? 31 : 301) {
          const { records, error } = await readInRanges(file, [cut, cut + 150], 'row', SHAPE)
          expect({ cut, records, error }).toEqual({ cut, records: whole.records, error: whole.error })
        }
      }
    })
  }
})

describe('a range of a document', () => {
  const content = encode(`<posts xmlns:p="u">${rows(1, 200)}</posts>`)
  const shape = { id: '@id' } as const

  test('is planned with the elements around the records, and the head by its length and digest', async () => {
    const ranges = await planXmlRanges(content, content.length, 'row', { target: 1000 })
    expect(ranges).toHaveLength(Math.round(content.length / 1000))
    expect(ranges[1]).toEqual({
      codec: 'none',
      start: Math.floor(content.length / ranges.length),
      end: Math.floor((2 * content.length) / ranges.length),
      head: { length: 19, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      path: ['row'],
      within: { elements: ['posts'], namespaces: { p: 'u' } },
    })
  })

  test('is the only one where a file cannot be cut', async () => {
    const plan = async (text: string | Uint8Array<ArrayBuffer>, path = 'row', options: PlanXmlOptions = {}) => {
      const file = typeof text === 'string' ? encode(text) : text
      const [range, ...others] = await planXmlRanges(file, file.length, path, { target: 20, ...options })
      expect(range?.codec === 'other').toBe(others.length === 0)
      return others.length === 0
    }
    const text = `<r a="1"><g>${rows(1, 9)}</g></r>`
    expect(await plan(text)).toBe(false)
    expect(await plan(text, 'g/row')).toBe(false)
    expect(await plan(text, 'row[@id]')).toBe(false)
    expect(await plan(text, 'r[@a]//row')).toBe(true)
    expect(await plan(text, 'g/*')).toBe(true)
    expect(await plan(text, 'r')).toBe(true)
    expect(await plan(text, 'none')).toBe(true)
    expect(await plan(text, 'row', { encoding: 'iso-8859-1' })).toBe(true)
    expect(await plan(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`)).toBe(true)
    expect(await plan(`<r>${' '.repeat(1 << 20)}${rows(1, 9)}</r>`)).toBe(true)
    expect(await plan(new Uint8Array(gzipSync(text)))).toBe(true)
    expect(await plan(`<r><row></r>${rows(1, 9)}`)).toBe(false)
    expect(await plan(`<r><x></r>${rows(1, 9)}`)).toBe(true)
  })

  test('of a file whose head has changed is an error', async () => {
    const ranges = await planXmlRanges(content, content.length, 'row', { target: 1000 })
    const changed = encode(`<posts xmlns:p="v">${rows(1, 200)}</posts>`)
    const read = async () => {
      for await (const _ of readXmlRange(changed, ranges[1] as XmlRange).records(shape));
    }
    await expect(read()).rejects.toMatchObject({ code: 'source-changed' })
    await expect(read()).rejects.toThrow(
      'the document has changed: its first 19 bytes, up to its first record, are not those',
    )
  })

  test('has a report when it was read to its end, and says where it ends', async () => {
    const ranges = await planXmlRanges(content, content.length, 'row', { target: 1000 })
    const reader = readXmlRange(content, ranges[1] as XmlRange)
    expect(() => reader.report).toThrow(expect.objectContaining({ code: 'range-unread' }))
    for await (const _ of reader.records(shape));
    const { from, to, toWithin } = reader.report
    expect(toWithin).toEqual({ elements: ['posts'], namespaces: { p: 'u' } })
    for (const place of [from, to]) {
      const { offset } = place as { offset: number }
      expect(new TextDecoder().decode(content.subarray(offset, offset + 9))).toBe('<row id="')
    }
  })

  test('can be read in each of the ways that records have', async () => {
    const ranges = await planXmlRanges(content, content.length, 'row', { target: 3000 })
    const lines: string[] = []
    let count = 0
    const reports: (XmlRange & RangeReport)[] = []
    for (const range of ranges) {
      const pieces: Uint8Array[] = []
      for await (const bytes of readXmlRange(content, range).write('jsonl', shape)) pieces.push(bytes.slice())
      lines.push(Buffer.concat(pieces).toString())
      for await (const { rows } of readXmlRange(content, range).columns(shape)) count += rows
      const reader = readXmlRange(content, range)
      await reader.check()
      reports.push({ ...range, ...reader.report })
    }
    checkRanges(content.length, reports)
    expect(lines.join('')).toBe(Array.from({ length: 200 }, (_, i) => `{"id":"${i + 1}"}\n`).join(''))
    expect(count).toBe(200)
  })

  test('does not know what is around its records, or where they are in bzip2', async () => {
    const [range] = (await planXmlRanges(content, content.length, 'row', { target: 3000 })) as [XmlRange]
    const outer = { posts: { outer: 'posts', fields: { x: '@x' } }, id: '@id' } as const
    expect(() => readXmlRange(content, range).records(outer)).toThrow(
      'a range does not know what is around its records',
    )
    const offsets = { at: { path: '.', as: 'offset' } } as const
    expect(() => readXmlRange(content, { ...range, codec: 'bzip2' }).records(offsets)).toThrow(
      'does not know the offsets',
    )
    const found: unknown[] = []
    for (const one of await planXmlRanges(content, content.length, 'row', { target: 3000 }))
      for await (const { at } of readXmlRange(content, one).records(offsets)) found.push(at)
    const all: unknown[] = []
    for await (const { at } of readXml(content).records('row', offsets)) all.push(at)
    expect(found).toEqual(all)
  })

  test('that began in another place than the one where the range before has ended is refused by the check', async () => {
    const text = encode(`<r>${rows(1, 9)}<!-- ${rows(10, 9)} -->${rows(19, 9)}</r>`)
    const [range] = (await planXmlRanges(text, text.length, 'row', { target: 10 })) as [XmlRange]
    const middle = new TextDecoder().decode(text).indexOf('<row id="12"')
    const reports: (XmlRange & RangeReport)[] = []
    for (const [start, end] of [
      [0, middle],
      [middle, text.length],
    ] as const) {
      const reader = readXmlRange(text, { ...range, start, end })
      for await (const _ of reader.records(shape));
      reports.push({ ...range, start, end, ...reader.report })
    }
    expect(() => checkRanges(text.length, reports)).toThrow(
      expect.objectContaining({
        code: 'incomplete-ranges',
        message: expect.stringMatching(/^the records between byte \d+ and byte \d+ were skipped or read twice/),
      }),
    )
    const [first, second] = reports as [XmlRange & RangeReport, XmlRange & RangeReport]
    const other = { ...second, from: first.to, within: { elements: ['r'], lang: 'de' } }
    expect(() => checkRanges(text.length, [first, other])).toThrow(
      expect.objectContaining({ code: 'incomplete-ranges' }),
    )
  })
})
