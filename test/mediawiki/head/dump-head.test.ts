import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DumpOptions } from '../../../source/mediawiki/dump-options.ts'
import {
  checkRanges,
  type DumpRange,
  planRanges,
  RangeReader,
  type RangeReport,
} from '../../../source/mediawiki/dump-range.ts'
import { type DumpReader, readDump } from '../../../source/mediawiki/dump-reader.ts'
import { buildIndex } from '../../../source/mediawiki/multistream/index-builder.ts'
import { formatIndexEntry, type IndexEntry } from '../../../source/mediawiki/multistream/index-format.ts'
import { readIndex, readPageAt } from '../../../source/mediawiki/multistream/multistream-index.ts'
import type { Seekable } from '../../../source/stream/seekable.ts'
import type { ParseError } from '../../../source/text/parse-error.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { collectAll, drain, everyCut, inPieces } from '../../support/collect.ts'
import { anyDump, FIELDS, publish } from '../../support/dump-with-head.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { LINE_FORMATS } from '../../support/notations.ts'
import { parameters } from '../../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** A way to read a dump, as lines. */
type Way = (reader: DumpReader) => AsyncGenerator<string>

const decoder = new TextDecoder()
const ways: Record<string, Way> = {
  async *pages(reader) {
    for await (const page of reader.pages()) yield `${JSON.stringify(page)}\n`
  },
  async *revisions(reader) {
    for await (const revision of reader.revisions()) yield `${JSON.stringify(revision)}\n`
  },
  async *pageLines(reader) {
    for await (const { bytes } of reader.pageLines()) yield decoder.decode(bytes)
  },
  async *revisionLines(reader) {
    for await (const { bytes } of reader.revisionLines()) yield decoder.decode(bytes)
  },
  async *chosenFields(reader) {
    const choice = { fields: FIELDS, format: LINE_FORMATS.jsonl } as const
    for await (const { bytes } of reader.pageLines({ choice })) yield decoder.decode(bytes)
  },
}
const anyWay = fc.constantFrom(...Object.keys(ways)).map((name) => ({ name, read: ways[name] as Way }))
/** Bytes in a piece. One at a time takes most of the time. */
const anySize = fc.constantFrom(...sample([7, 1, 1000], 2))
const anyPublication = anyDump.chain((parts) => fc.constantFrom(...publish(parts)))

async function linesOf(reader: DumpReader, { read }: { read: Way }): Promise<string> {
  return (await collectAll(read(reader))).join('')
}

/** A dump that arrives in pieces of a size, wherever it is read from. */
function seekable(bytes: Uint8Array, size: number): Seekable {
  return {
    from: (offset, end) => inPieces(bytes.subarray(offset, end), size),
    size: async () => bytes.length,
  }
}

describe('what the beginning of a dump declares', () => {
  test.runIf(isThorough)('holds in every range, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPublication,
        anyWay,
        fc.integer({ min: 2, max: 30 }),
        anySize,
        async ({ bytes }, way, count, size) => {
          const ranges = await planRanges(bytes, bytes.length, bytes.length / count)
          const reports: (DumpRange & RangeReport)[] = []
          let lines = ''
          for (const range of ranges) {
            const rangeReader = new RangeReader(seekable(bytes, size), range)
            lines += await linesOf(rangeReader.reader, way)
            reports.push({ ...range, ...rangeReader.report })
          }
          expect(lines).toBe(await linesOf(readDump(bytes), way))
          checkRanges(bytes.length, reports)
        },
      ),
      parameters(60, 3),
    )
  })

  test.runIf(isThorough)('holds in every page that is read alone', async () => {
    await fc.assert(
      fc.asyncProperty(anyPublication, anySize, async ({ bytes }, size) => {
        const pages = await collectAll(readDump(bytes).pages())
        const index = (await collectAll(buildIndex(bytes))).map(formatIndexEntry).join('')
        const entries: IndexEntry[] = await collectAll(readIndex(index))
        expect(entries).toHaveLength(pages.length)
        for (const [i, entry] of entries.entries())
          expect(await readPageAt(seekable(bytes, size), entry)).toEqual(pages[i])
      }),
      parameters(80, 3),
    )
  })

  test('holds after a page that is skipped', async () => {
    await fc.assert(
      fc.asyncProperty(anyDump, fc.nat(11), anyWay, async (parts, place, way) => {
        const at = place % parts.pages.length
        const [damaged] = publish({ ...parts, pages: parts.pages.with(at, '<page><title>x</title><id>x</id></page>') })
        const [without] = publish({ ...parts, pages: parts.pages.toSpliced(at, 1) })
        const expected = await linesOf(readDump(without?.bytes ?? ''), way)
        const broken = encode(decoder.decode(damaged?.bytes).replace('<id>x</id>', '<id>x</ix>'))
        for (const chunks of [[damaged?.bytes ?? broken], inPieces(broken, 1), [broken]]) {
          const faults: unknown[] = []
          const reader = readDump(chunks, { onFault: (fault) => faults.push(fault) })
          expect(await linesOf(reader, way)).toBe(expected)
          expect(faults).toHaveLength(1)
        }
      }),
      parameters(80, 2),
    )
  })

  const head = '<!DOCTYPE mediawiki [<!ENTITY e "木"><!ENTITY bad "<q>">]>\n<mediawiki xmlns:x="urn:x">'
  const page = (id: number, text = '&e;', own = '<x:c/>') =>
    `  <page>\n<title>é&e;</title><id>${id}</id>${own}<revision><id>${id}</id><text>${text}</text></revision></page>\n`

  test('holds after a block that is missing, also where it ends between two pages', async () => {
    const streams = [head, page(1) + page(2), page(3), page(4), page(5), `${page(6)}</mediawiki>`].map((text) =>
      encodeBzip2(encode(text)),
    )
    const damage = (places: readonly number[]) =>
      Buffer.concat(
        streams.map((stream, i) => (places.includes(i) ? stream.with(30, (stream[30] as number) ^ 8) : stream)),
      )
    for (const [places, ids] of [
      [[2], [1, 2, 4, 5, 6]],
      [
        [1, 3],
        [3, 5, 6],
      ],
      [
        [2, 4],
        [1, 2, 4, 6],
      ],
    ] as const) {
      for (const size of [7, 100_000]) {
        const faults: ParseError[] = []
        const reader = readDump(inPieces(damage(places), size), {
          onFault: (fault) => faults.push(fault as ParseError),
        })
        const pages = await collectAll(reader.pages())
        expect(pages.map(({ id }) => id)).toEqual(ids)
        expect(pages.every(({ title, revision }) => title === 'é木' && revision?.text === '木')).toBe(true)
        expect(faults.map(({ code }) => code)).toEqual(places.map(() => 'corrupt'))
      }
    }
  })

  test('is not known where its block is missing, and all pages are read that do not need it', async () => {
    const plain = (id: number) => page(id, 'text', '').replace('&e;', '')
    const streams = [head, plain(1), plain(2), plain(3), `${plain(4)}</mediawiki>`].map((text) =>
      encodeBzip2(encode(text)),
    )
    const archive = Buffer.concat(
      streams.map((stream, i) => (i % 2 === 0 ? stream.with(30, (stream[30] as number) ^ 8) : stream)),
    )
    const faults: unknown[] = []
    const pages = await collectAll(readDump(archive, { onFault: (fault) => faults.push(fault) }).pages())
    expect(pages.map(({ id }) => id)).toEqual([1, 3])
    expect(faults).toHaveLength(3)
  })

  test('holds in a page that is read alone in any encoding', async () => {
    const text = `<?xml version="1.0" encoding="UTF-16"?>${head}${page(1)}${page(2)}</mediawiki>`
    const bytes = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const [expected, other] = await collectAll(readDump(bytes).pages())
    const entries = await collectAll(buildIndex(bytes))
    expect(expected).toMatchObject({ title: 'é木', revision: { text: '木' } })
    for (const [i, page] of [expected, other].entries())
      expect(await readPageAt(seekable(bytes, 5), entries[i] as IndexEntry, { encoding: 'utf-16le' })).toEqual(page)
  })

  test('holds where its ampersands are repaired, and what is replaced in it is counted once', async () => {
    const bad = `<mediawiki a="\u0001&é" xmlns:x="urn:x">\n  <siteinfo><sitename>A & B</sitename></siteinfo>\n`
    const own = (id: number) => page(id, 'text').replace('&e;', '')
    const bytes = encode(`${bad}${own(1)}${own(2)}${own(3)}</mediawiki>`)
    const whole = readDump(bytes)
    const expected = await collectAll(whole.pages())
    let replaced = 0
    const found: unknown[] = []
    for (const range of await planRanges(bytes, bytes.length, bytes.length / 5)) {
      const { reader } = new RangeReader(bytes, range)
      found.push(...(await collectAll(reader.pages())))
      replaced += reader.replaced
    }
    expect(found).toEqual(expected)
    expect(replaced).toBe(whole.replaced)
    const damaged = readDump(decoder.decode(bytes).replace('<id>1</id>', '<id>1'), { onFault: () => {} })
    expect(await collectAll(damaged.pages())).toEqual(expected.slice(1))
    expect(damaged.replaced).toBe(whole.replaced)
  })

  describe('does not change', () => {
    /** What is reported of an error in a dump that is read from an offset on; the excerpt after the place. */
    const describeError = (error: unknown, start = 0) => {
      const { code, byteOffset = Number.NaN, line, column, excerpt, detail } = error as ParseError & { detail: string }
      const what = detail.replace(/opened at (?!2:1 )\d+:/, 'opened at ')
      return {
        code,
        what,
        byteOffset: byteOffset + start,
        place: `${line}:${column}`,
        excerpt: excerpt?.trim().slice(0, 6),
      }
    }
    const errorOf = (reading: Promise<unknown>) =>
      reading.then(
        () => undefined,
        (error: unknown) => error,
      )
    const dump = (last: string, end = '</mediawiki>') => `${head}\n${page(1)}${page(2)}\n${last}${end}`

    test.each([
      ['an entity that is not declared', dump(page(3, 'a\n&nope; b'))],
      ['an entity that is not content', dump(page(3, 'a\n&bad; b'))],
      ['a prefix that is not declared', dump(page(3, 'a', '<y:c/>'))],
      ['an end tag that is wrong', dump(page(3), '</mediawikx>')],
      ['something after the end', dump(page(3), '</mediawiki>\n  <more/>')],
      ['an end that is missing between pages', dump(page(3), '')],
      ['an end that is missing in a page', dump(page(3).slice(0, -20), '')],
      ['an id that is no number', dump(page(3).replace('<id>3', '<id>three'))],
    ])('%s: the place of an error, in a range and after a page that was skipped', async (_, text) => {
      const bytes = encode(text)
      const from = encode(text.slice(0, text.lastIndexOf('  <page>'))).length
      const line = text.slice(0, text.lastIndexOf('  <page>')).split('\n').length - 1
      for (const way of sample(Object.values(ways), 3)) {
        const error = await errorOf(drain(way(readDump(bytes))))
        const expected = describeError(error)
        expect(expected.code).toEqual(expect.any(String))
        const range = { codec: 'none', start: from, end: bytes.length } as const
        const inRange = (await errorOf(drain(way(new RangeReader(bytes, range).reader)))) as ParseError
        const [at = 0, column] = expected.place.split(':').map(Number)
        expect(describeError(inRange, from)).toEqual({ ...expected, place: `${at - line}:${column}` })
        for (const chunks of everyCut(encode(text.replace('<id>1</id>', '<id>1</ix>')))) {
          const faults: unknown[] = []
          await drain(way(readDump(chunks, { onFault: (fault) => faults.push(fault) })))
          expect(faults.map((fault) => describeError(fault)).slice(1)).toEqual([expected])
        }
      }
    })
  })
})

describe('the head of a dump', () => {
  const page = (id: number) => `<page><title>T</title><id>${id}</id></page>\n`
  const body = `${[1, 2, 3, 4].map(page).join('')}</mediawiki>`
  const large = `<!DOCTYPE mediawiki [<!-- ${'é'.repeat(600_000)} -->]>\n<mediawiki>`

  test('is known by its length and a digest, and another one is refused', async () => {
    const bytes = encode(`\ufeff<mediawiki xmlns="urn:one">${body}`)
    const ranges = await planRanges(bytes, bytes.length, 40)
    expect(ranges.length).toBeGreaterThan(3)
    for (const { head } of ranges) expect(head).toEqual({ length: 27, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    for (const other of ['<mediawiki xmlns="urn:two">', '<mediawiki >'.padEnd(27), '<mediawiki>', '']) {
      const changed = encode(`\ufeff${other}${body}`)
      const { reader } = new RangeReader(changed, ranges[1] as DumpRange)
      await expect(drain(reader.pages()), other).rejects.toMatchObject({
        code: 'source-changed',
        message: expect.stringContaining('its first 27 bytes'),
      })
    }
  })

  test('is read where a range says nothing of it', async () => {
    const bytes = encode(`<mediawiki xmlns:x="urn:x">${body.replace('<id>3', '<x:c/><id>3')}`)
    const range: DumpRange = { codec: 'none', start: 40, end: bytes.length }
    expect(await collectAll(new RangeReader(bytes, range).reader.pages())).toMatchObject([
      { id: 2 },
      { id: 3 },
      { id: 4 },
    ])
  })

  test('that is too large leaves a dump in one range, and is an error where something follows alone', async () => {
    const bytes = encode(`${large}${body}`)
    expect(await planRanges(bytes, bytes.length, 1000)).toEqual([{ codec: 'other', start: 0, end: bytes.length }])
    expect(await collectAll(readDump(bytes).pages())).toHaveLength(4)
    expect(await collectAll(readDump(bytes, { onFault: () => {} }).pages())).toHaveLength(4)
    const error = {
      code: 'retained-limit',
      limit: 1024 * 1024,
      message: expect.stringContaining('the start tag of the root'),
    }
    const range: DumpRange = { codec: 'none', start: bytes.length - 50, end: bytes.length }
    await expect(drain(new RangeReader(bytes, range).reader.pages())).rejects.toMatchObject(error)
    const [entry] = await collectAll(buildIndex(bytes))
    await expect(readPageAt(bytes, entry as IndexEntry)).rejects.toMatchObject(error)
    const faults: ParseError[] = []
    const options: DumpOptions = { onFault: (fault) => faults.push(fault as ParseError) }
    await expect(drain(readDump(`${large}<page></x>${body}`, options).pages())).rejects.toMatchObject(error)
    expect(faults.map(({ code }) => code)).toEqual(['tag-mismatch'])
  })

  test('may be anything where pages are read that need none', async () => {
    for (const start of [
      '',
      '<',
      '<mediawiki',
      '<other>',
      '<mediawiki/>',
      '<!DOCTYPE mediawiki [<!ENTITY>]><mediawiki>',
    ]) {
      const bytes = encode(`${start}${body}`)
      const range: DumpRange = { codec: 'none', start: bytes.length - body.length + 5, end: bytes.length }
      expect(await collectAll(new RangeReader(bytes, range).reader.pages()), start).toMatchObject([
        { id: 2 },
        { id: 3 },
        { id: 4 },
      ])
    }
  })
})
