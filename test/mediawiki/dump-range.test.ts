import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkRanges,
  type DumpRange,
  guessCuts,
  planRanges,
  RangeReader,
  type RangeReport,
} from '../../source/mediawiki/dump-range.ts'
import { readDump } from '../../source/mediawiki/dump-reader.ts'
import { encodeBzip2, makeRandom } from '../support/bzip2-encoder.ts'
import { isThorough, sample } from '../support/extent.ts'
import { parameters } from '../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const page = (id: number, size: number) =>
  `  <page>\n    <title>Page ${id}</title>\n    <id>${id}</id>\n    <revision><id>${id * 2}</id><text>${'word &lt;page&gt; '.repeat(size)}</text></revision>\n    <revision><id>${id * 2 + 1}</id><text>new</text></revision>\n  </page>\n`
const random = makeRandom(11)
const pages = Array.from({ length: 60 }, (_, i) => page(i + 1, Math.floor(random() ** 3 * 40)))
const head = '<mediawiki>\n  <siteinfo><sitename>x</sitename></siteinfo>\n'
const text = `${head}${pages.join('')}</mediawiki>\n`
const plain = encode(text)
const single = encodeBzip2(plain, { blockSize: 400 })
const parts = [
  head,
  ...Array.from({ length: 12 }, (_, i) => pages.slice(5 * i, 5 * i + 5).join('')),
  '</mediawiki>\n',
  '',
]
const multistream = new Uint8Array(Buffer.concat(parts.map((part) => encodeBzip2(encode(part), { blockSize: 900 }))))
const files: [string, Uint8Array][] = [
  ['plain', plain],
  ['one bzip2 stream', single],
  ['many bzip2 streams', multistream],
]
const ids = Array.from({ length: 60 }, (_, i) => i + 1)

/** Ids of the pages, or of the revisions, of a range, and its report. */
async function read(file: Uint8Array, range: DumpRange, kind: 'pages' | 'revisions' = 'pages') {
  const rangeReader = new RangeReader(file, range)
  const found: number[] = []
  if (kind === 'pages') for await (const { id } of rangeReader.reader.pages()) found.push(id)
  else for await (const { id } of rangeReader.reader.revisions()) found.push(id)
  return { found, report: rangeReader.report }
}

async function readAll(file: Uint8Array, ranges: readonly DumpRange[], kind: 'pages' | 'revisions' = 'pages') {
  const all: number[] = []
  const reports: (DumpRange & RangeReport)[] = []
  for (const range of ranges) {
    const { found, report } = await read(file, range, kind)
    all.push(...found)
    reports.push({ ...range, ...report })
  }
  return { all, reports }
}

function cut(file: Uint8Array, cuts: readonly number[]): DumpRange[] {
  const places = [...new Set([0, ...cuts, file.length])].sort((a, b) => a - b)
  const codec = file === plain ? 'none' : 'bzip2'
  return places.slice(1).map((end, i) => ({ codec, start: places[i] as number, end }))
}

describe.each(files)('the ranges of a dump that is %s', (_, file) => {
  test('have every page once, in order, however many there are', async () => {
    for (const count of sample([7, 2, 1, 500, 24, 100, 3], 1, 4)) {
      const ranges = await planRanges(file, file.length, file.length / count)
      expect(ranges).toHaveLength(count)
      const { all, reports } = await readAll(file, ranges)
      expect(all).toEqual(ids)
      checkRanges(file.length, reports)
    }
  })

  test('have every page once wherever the cuts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(file.length), { maxLength: 6 }), async (cuts) => {
        const { all, reports } = await readAll(file, cut(file, cuts))
        expect(all).toEqual(ids)
        checkRanges(file.length, reports)
      }),
      parameters(40, 1),
    )
  })

  test('have every revision once, those of a page in the range that has its beginning', async () => {
    const revisions = ids.flatMap((id) => [id * 2, id * 2 + 1])
    for (const count of sample([5, 2, 40], 1)) {
      const { all } = await readAll(file, await planRanges(file, file.length, file.length / count), 'revisions')
      expect(all).toEqual(revisions)
    }
  })
})

describe.each(files.slice(1))('the ranges of a dump that is %s', (_, file) => {
  test.runIf(isThorough)(
    'have every page once with cuts at every edge of a block, and a byte before and after',
    async () => {
      const edges: number[] = []
      const reader = readDump(file, { onBlock: (bit) => edges.push(Math.floor(bit / 8)) })
      for await (const _page of reader.pages());
      expect(edges.length).toBeGreaterThan(12)
      for (const edge of sample(edges, 1, 5)) {
        for (const place of [edge - 1, edge, edge + 1]) {
          const { all, reports } = await readAll(file, cut(file, [place]))
          expect(all).toEqual(ids)
          checkRanges(file.length, reports)
        }
      }
    },
  )

  test('report that the checksum of a stream is wrong, which no range can see by itself', async () => {
    const damaged = file.slice()
    const end = Buffer.from(damaged).lastIndexOf(Buffer.from([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
    // The end may stand at any bit: there it is looked for bit by bit.
    const ends: number[] = []
    for await (const _page of readDump(file, { onStreamEnd: (bit) => ends.push(bit) }).pages());
    const bit = (ends[ends.length > 3 ? 3 : 0] as number) + 50
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (0x80 >> (bit & 7))
    expect(end).toBeLessThan(file.length)
    const ranges = cut(damaged, [Math.floor(file.length / 9), Math.floor(file.length / 3), Math.floor(file.length / 2)])
    let reports: (DumpRange & RangeReport)[] = []
    try {
      reports = (await readAll(damaged, ranges)).reports
    } catch (error) {
      // A stream that lies in one range is checked there.
      expect(error).toMatchObject({ cause: { message: expect.stringContaining('the checksum of a stream is wrong') } })
      return
    }
    expect(() => checkRanges(damaged.length, reports)).toThrow('the checksum of a stream is wrong')
  })
})

describe('the ranges of a dump with a page in a comment before its root', () => {
  test.each(['', '\uFEFF'])('have every page once, after %j', async (mark) => {
    const file = encode(`${mark}<!-- ${'<page><id>0</id></page>'.repeat(9)} -->\n${text}`)
    const ranges = await planRanges(file, file.length, 60)
    const guessed = await guessCuts(file, ranges)
    for (const all of [ranges, guessed]) expect((await readAll(file, all)).all).toEqual(ids)
  })
})

describe('the reports of ranges', () => {
  test('account for every page, also where ranges have none of their own', async () => {
    for (const [, file] of sample(files, 1)) {
      const count = isThorough ? 80 : 24
      const { reports } = await readAll(file, await planRanges(file, file.length, file.length / count))
      checkRanges(file.length, reports)
      for (const without of [0, 1, 17, count - 1]) {
        const some = reports.filter((_, i) => i !== without)
        expect(() => checkRanges(file.length, some)).toThrow(expect.objectContaining({ code: 'incomplete-ranges' }))
      }
      const twice = reports.with(8, reports[7] as (typeof reports)[0])
      expect(() => checkRanges(file.length, twice)).toThrow(expect.objectContaining({ code: 'incomplete-ranges' }))
    }
  })

  test('show a hole between two ranges, whatever has made it', async () => {
    for (const [, file] of sample(files, 2)) {
      const ranges = await planRanges(file, file.length, file.length / 5)
      const { reports } = await readAll(file, ranges)
      // As if the second range had begun at a later page, or the third one had ended at an earlier one.
      const late = reports.with(1, { ...(reports[1] as (typeof reports)[0]), from: reports[2]?.from as never })
      const early = reports.with(2, { ...(reports[2] as (typeof reports)[0]), to: reports[2]?.from as never })
      const short = reports.with(4, { ...(reports[4] as (typeof reports)[0]), to: reports[4]?.from as never })
      for (const wrong of [late, early, short]) {
        expect(() => checkRanges(file.length, wrong)).toThrow(expect.objectContaining({ code: 'incomplete-ranges' }))
      }
    }
  })

  test('show that a dump was cut that cannot be, where pages are not found from the middle', async () => {
    const wide = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const files = [
      ['none', () => wide],
      ['bzip2', () => encodeBzip2(wide, { blockSize: 900 })],
    ] as const
    for (const [codec, make] of sample(files, 1)) {
      const file = make()
      const places = [0, 1, 2, 3].map((i) => Math.floor((i * file.length) / 3))
      const ranges = places.slice(1).map((end, i) => ({ codec, start: places[i] as number, end }))
      const { all, reports } = await readAll(file, ranges)
      expect(all.length).toBeLessThan(60)
      expect(() => checkRanges(file.length, reports)).toThrow(expect.objectContaining({ code: 'incomplete-ranges' }))
    }
  })

  test('are there when a range was read to its end, and not before', async () => {
    const rangeReader = new RangeReader(plain, { codec: 'none', start: 0, end: plain.length })
    expect(() => rangeReader.report).toThrow(expect.objectContaining({ code: 'range-unread' }))
    for await (const _page of rangeReader.reader.pages()) break
    expect(() => rangeReader.report).toThrow(expect.objectContaining({ code: 'range-unread' }))
  })
})

test('a dump that cannot be cut is one range', async () => {
  const { gzipSync } = await import('node:zlib')
  const latin1 = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${text.replaceAll('word', 'w\u00f6rd')}`,
    'latin1',
  )
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  const files = [
    gzipSync(plain),
    wide,
    latin1,
    encodeBzip2(wide, { blockSize: 900 }),
    encodeBzip2(latin1, { blockSize: 900 }),
  ]
  for (const bytes of sample(files, 3)) {
    const file = new Uint8Array(bytes)
    const ranges = await planRanges(file, file.length, 100)
    expect(ranges).toEqual([{ codec: 'other', start: 0, end: file.length }])
    const { all, reports } = await readAll(file, ranges)
    expect(all).toEqual(ids)
    checkRanges(file.length, reports)
  }
})

test.each(['pages', 'revisions'] as const)(
  'an error in a page is not lost where the input ends in a page after the range: %s',
  async (kind) => {
    const wrong = '<page><title>P</title><ns>0</ns><id>x</id><revision><id>4</id><text>t</text></revision></page>\n'
    const open = '<page><title>P</title><ns>0</ns><id>3</id><revision><id>5</id><text>never closed'
    const file = encode(`${head}${page(1, 0)}${wrong}${page(2, 0)}${open}`)
    const end = head.length + page(1, 0).length + wrong.length
    for (const codec of ['none', 'other'] as const) {
      const range = { codec, start: 0, end: codec === 'none' ? end : file.length }
      await expect(read(file, range, kind)).rejects.toThrow('the id of a page is not a whole number: "x"')
    }
  },
)
