import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  checkRanges,
  guessCuts,
  type PlanXmlOptions,
  planXmlRanges,
  type RangeReport,
  readXmlRange,
  verifyCuts,
  type XmlRange,
} from '../../../source/xml/ranges/index.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { extent, isThorough, sample } from '../../support/extent.ts'
import { collectGarbage } from '../../support/resources.ts'
import { DOCUMENTS, rows, SHAPE } from '../../support/uneven-documents.ts'
import { compress, encode, readInRanges, readWhole } from '../../support/xml-ranges.ts'

describe('a document in ranges', () => {
  for (const [name, text] of sample(Object.entries(DOCUMENTS), 6)) {
    const content = encode(text)
    test(`gives what one reading gives, cut at every byte: ${name}`, async () => {
      const whole = await readWhole(content, 'row', SHAPE)
      const step = extent(19, 5, 1)
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
        for (let cut = 5; cut < file.length; cut += extent(301, 93, 31)) {
          const { records, error } = await readInRanges(file, [cut, cut + 150], 'row', SHAPE)
          // An error does not wait for the next block, so its excerpt may be shorter.
          const expected = whole.error && { ...whole.error, excerpt: expect.anything() }
          expect({ cut, records, error }).toEqual({ cut, records: whole.records, error: expected })
        }
      }
    })
  }
})

test('neither planning nor guessing nor reading leaves a cursor that was not released', async () => {
  const file = compress(encode(`<r>${rows(1, 400)}</r>`), 2000)
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  try {
    const ranges = await planXmlRanges(file, file.length, 'row', { target: 500 })
    await guessCuts(file, ranges)
    await verifyCuts(file, ranges)
    await readInRanges(file, [300, 900], 'row', SHAPE)
    await collectGarbage()
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', note)
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
