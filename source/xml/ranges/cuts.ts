// Finding where the ranges of a file begin and end before they are read: by a guess at each cut, or by reading the file, which proves them.

import { decompress } from '../../compression/decompress.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import { RecordNames } from '../names/record-names.ts'
import { parsePaths } from '../question/path.ts'
import { isOfContent } from './head-facts.ts'
import { findFirst } from './pass-to.ts'
import type { Boundary, FileRange, XmlRange } from './range.ts'
import { isOutside } from './range-checker.ts'
import { RangeProgress } from './range-progress.ts'
import { readXmlRange, type XmlRangeOptions } from './xml-range-reader.ts'

/** Bytes of content in which a guess looks for a record: an eighth of what is in a range of the usual size. */
const LONGEST_GUESS = 8 * 1024 * 1024
/** Bytes of the file that are asked for at first for a guess; then four times as many, and so on. A block of bzip2 is mostly smaller. */
const FIRST_PIECE = { none: 64 * 1024, bzip2: 512 * 1024, other: 0 } as const

/**
 * The ranges of `planXmlRanges` with the places where they begin and end (`cut`), as they seem to be: at the first start tag of a record after each cut. It
 * may stand in a comment; then the report of the range before it throws. So if the reports of all ranges are given, all cuts were right.
 *
 * Reads at each cut up to the first start tag: most often some KiB, or one block of bzip2, and at most 8 MiB of content. A range in which none is found is
 * joined with the one before. Throws what reading the file throws.
 */
export async function guessCuts(
  source: Seekable,
  ranges: readonly XmlRange[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<XmlRange[]> {
  const [{ path, prefixes, head } = { path: [] }] = ranges as [XmlRange?]
  const names = RecordNames.of(parsePaths(path, { prefixes }))
  return names
    ? await guessCutsOf(source, ranges, names, { ...options, headLength: head?.length ?? 0 })
    : joinRanges(ranges, [])
}

/** Guesses the cuts of any records, by their names. */
export async function guessCutsOf<Range extends FileRange>(
  source: Seekable,
  ranges: readonly Range[],
  names: RecordNames,
  { headLength, signal }: { headLength: number; signal?: AbortSignal | undefined },
): Promise<Range[]> {
  const starts: (Boundary | undefined)[] = []
  for (const [i, range] of ranges.entries()) {
    if (i === 0) continue
    const blocks = new RangeProgress(range)
    const file = readPieces(source, range, ranges.at(-1)?.end ?? 0)
    // Nothing is read ahead: no second block is decompressed.
    const ahead = { highWaterMark: 1 }
    const content = range.codec === 'bzip2' ? decompress(file, { ...blocks.options, ...ahead }) : file
    const cache = StreamCache.from(content, { ...ahead, signal })
    const cursor = cache.cursor()
    try {
      const until = () => Math.min(blocks.ownedUntil, LONGEST_GUESS)
      if (await findFirst(cursor, names, range, headLength, until)) starts[i] = blocks.placeOf(cursor.offset)
    } catch (error) {
      // Who reads the range reports what is wrong with it.
      if (!isOfContent(error)) throw error
    } finally {
      cursor.release()
      await cache.cancel().catch(() => {})
    }
  }
  return joinRanges(ranges, starts)
}

/** A file from the start of a range on, in pieces that grow: a server that is asked for all would send much that nobody reads. */
async function* readPieces(
  source: Seekable,
  { codec, start }: FileRange,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let end = start
  for (let length: number = FIRST_PIECE[codec]; end < size; length *= 4) {
    const piece = readFrom(source, end, Math.min(size, end + length))
    const cache = StreamCache.from(piece, { highWaterMark: 1 })
    const cursor = cache.cursor()
    try {
      yield* cursor.chunks()
    } finally {
      cursor.release()
      await cache.cancel().catch(() => {})
    }
    end += length
  }
}

/**
 * The ranges of `planXmlRanges` with the places where they begin and end (`cut`), found by reading them one after the other, which takes as long as a check.
 * The elements that are open at each cut are those of the ranges (`within`). A range in which no record stands in these is joined with the one before.
 *
 * Throws what a check throws. `options` are those of `readXmlRange`.
 */
export async function verifyCuts(
  source: Seekable,
  ranges: readonly XmlRange[],
  options: Omit<XmlRangeOptions, 'from'> = {},
): Promise<XmlRange[]> {
  if (!ranges[0]?.within) return joinRanges(ranges, [])
  return await verifyCutsOf(ranges, async (range, from) => {
    const reader = readXmlRange(source, range, { ...options, from })
    const checkAgain = async (error: unknown) => {
      if (from === 'start' || !(error instanceof ParseError)) throw error
      // Who reads from the beginning of the file knows the line. What was reported before is not reported again.
      const quiet = {
        onReplace: options.onReplace && (() => {}),
        onSkippedEntity: options.onSkippedEntity && (() => {}),
      }
      await readXmlRange(source, { ...range, start: 0 }, { ...options, ...quiet, from }).check()
      throw error
    }
    await reader.check().catch(checkAgain)
    return reader.report.to
  })
}

/** Verifies the cuts of any records. `read` reads a range from where the one before has ended, and returns where it has ended itself. */
export async function verifyCutsOf<Range extends FileRange>(
  ranges: readonly Range[],
  read: (range: Range, from: Boundary) => Promise<Boundary>,
): Promise<Range[]> {
  const starts: Boundary[] = []
  let boundary: Boundary = 'start'
  if (ranges.length > 1)
    for (const [i, range] of ranges.entries()) {
      if (i > 0 && isOutside(boundary, range)) continue
      starts[i] = boundary
      const { cut: _, ...uncut } = range
      boundary = await read(uncut as Range, boundary)
    }
  return joinRanges(ranges, starts)
}

/** The ranges with the places where they begin, except that of the first. Those of which it is not known are joined with the ones before. */
function joinRanges<Range extends FileRange>(
  ranges: readonly Range[],
  starts: readonly (Boundary | undefined)[],
): Range[] {
  const joined: Range[] = []
  let to: Boundary = 'end'
  let end: number | undefined
  for (let i = ranges.length - 1; i >= 0; i--) {
    const range = ranges[i] as Range
    const from = i === 0 ? 'start' : starts[i]
    end ??= range.end
    if (from === undefined) continue
    joined.push({ ...range, end, cut: { from, to } })
    to = from
    end = undefined
  }
  return joined.reverse()
}
