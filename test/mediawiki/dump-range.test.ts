import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BlockReport,
  checkStreams,
  type DumpRange,
  planRanges,
  RangeReader,
} from '../../source/mediawiki/dump-range.ts'
import { readDump } from '../../source/mediawiki/dump-reader.ts'
import { encodeBzip2, makeRandom } from '../support/bzip2-encoder.ts'
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
  const reports: BlockReport[] = []
  for (const range of ranges) {
    const { found, report } = await read(file, range, kind)
    all.push(...found)
    reports.push(report)
  }
  return { all, reports }
}

function cut(file: Uint8Array, cuts: readonly number[]): DumpRange[] {
  const places = [0, ...new Set(cuts.map((place) => Math.min(place, file.length)).sort((a, b) => a - b)), file.length]
  const codec = file === plain ? 'none' : 'bzip2'
  return places.slice(1).map((end, i) => ({ codec, start: places[i] as number, end }))
}

describe.each(files)('the ranges of a dump that is %s', (_, file) => {
  test('have every page once, in order, however many there are', async () => {
    for (const count of [1, 2, 3, 7, 24, 100, 500]) {
      const ranges = planRanges(file, file.length, file.length / count)
      expect(ranges).toHaveLength(count)
      const { all, reports } = await readAll(file, ranges)
      expect(all).toEqual(ids)
      expect(() => checkStreams(reports)).not.toThrow()
    }
  })

  test('have every page once wherever the cuts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(file.length), { maxLength: 6 }), async (cuts) => {
        const { all, reports } = await readAll(file, cut(file, cuts))
        expect(all).toEqual(ids)
        checkStreams(reports)
      }),
      parameters(40),
    )
  })

  test('have every revision once, those of a page in the range that has its beginning', async () => {
    const revisions = ids.flatMap((id) => [id * 2, id * 2 + 1])
    for (const count of [2, 5, 40]) {
      const { all } = await readAll(file, planRanges(file, file.length, file.length / count), 'revisions')
      expect(all).toEqual(revisions)
    }
  })
})

describe.each(files.slice(1))('the ranges of a dump that is %s', (_, file) => {
  test('have every page once with cuts at every edge of a block, and a byte before and behind', async () => {
    const edges: number[] = []
    const reader = readDump(file, { onBlock: (bit) => edges.push(Math.floor(bit / 8)) })
    for await (const _page of reader.pages());
    expect(edges.length).toBeGreaterThan(12)
    for (const edge of edges) {
      for (const place of [edge - 1, edge, edge + 1]) {
        const { all, reports } = await readAll(file, cut(file, [place]))
        expect(all).toEqual(ids)
        checkStreams(reports)
      }
    }
  })

  test('tell that the checksum of a stream is wrong, which no range can see by itself', async () => {
    const damaged = file.slice()
    const end = Buffer.from(damaged).lastIndexOf(Buffer.from([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
    // The end may stand at any bit: there it is looked for bit by bit.
    const ends: number[] = []
    for await (const _page of readDump(file, { onStreamEnd: (bit) => ends.push(bit) }).pages());
    const bit = (ends[ends.length > 3 ? 3 : 0] as number) + 50
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (0x80 >> (bit & 7))
    expect(end).toBeLessThan(file.length)
    const ranges = cut(damaged, [Math.floor(file.length / 9), Math.floor(file.length / 3), Math.floor(file.length / 2)])
    let reports: BlockReport[] = []
    try {
      reports = (await readAll(damaged, ranges)).reports
    } catch (error) {
      // A stream that lies in one range is checked there.
      expect(error).toMatchObject({ cause: { message: expect.stringContaining('the checksum of a stream is wrong') } })
      return
    }
    expect(() => checkStreams(reports)).toThrow('the checksum of a stream is wrong')
  })
})

test('a dump that cannot be cut is one range', async () => {
  const { gzipSync } = await import('node:zlib')
  for (const file of [new Uint8Array(gzipSync(plain)), new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))]) {
    const ranges = planRanges(file, file.length, 100)
    expect(ranges).toEqual([{ codec: 'other', start: 0, end: file.length }])
    expect((await readAll(file, ranges)).all).toEqual(ids)
  }
})
