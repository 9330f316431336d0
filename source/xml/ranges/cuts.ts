// Finding where the ranges of a file begin and end before they are read: by a guess at each cut, or by one reading of the file that proves them.

import { decompress } from '../../compression/decompress.ts'
import type { DecompressOptions } from '../../compression/decompress-options.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { RecordNames } from '../names/record-names.ts'
import { runParser } from '../parser/run.ts'
import { parsePaths } from '../question/path.ts'
import { XmlReader } from '../reader.ts'
import { BoundaryFinder } from './boundary-finder.ts'
import { isOfContent } from './head-facts.ts'
import { findFirst } from './pass-to.ts'
import type { Boundary, FileRange, XmlRange } from './range.ts'
import { RangeBlocks } from './range-blocks.ts'
import type { XmlRangeOptions } from './xml-range-reader.ts'

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
    const blocks = new RangeBlocks(range)
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
 * The ranges of `planXmlRanges` with the places where they begin and end (`cut`), found by one reading of the file, which takes as long as a check. The
 * elements that are open at each cut are those of the ranges (`within`). A range in which no record stands in these is joined with the one before.
 *
 * Throws what a check throws. `options` are those of `readXmlRange`.
 */
export async function verifyCuts(
  source: Seekable,
  ranges: readonly XmlRange[],
  options: Omit<XmlRangeOptions, 'from'> = {},
): Promise<XmlRange[]> {
  const [{ path, prefixes, within } = { path: [] }] = ranges as [XmlRange?]
  const names = RecordNames.of(parsePaths(path, { prefixes }))
  if (!names || !within || ranges.length === 1) return joinRanges(ranges, [])
  const cuts = new CutList(ranges)
  const { threads, onFault, ...reading } = options
  const file = readFrom(source, 0)
  const reader = new XmlReader(
    cuts.isCompressed ? decompress(file, { threads, onFault, ...cuts.options }) : file,
    reading,
    undefined,
    (content, program, make, run) => {
      const { ownedUntil, pass } = cuts
      const consumer = make()
      return runParser(content, program, new BoundaryFinder({ consumer, names, within, ownedUntil, pass }), run)
    },
  )
  await reader.check()
  return cuts.ranges
}

/** The cuts of ranges, as one reading of the file comes to them. */
export class CutList<Range extends FileRange> {
  readonly #planned: readonly Range[]
  readonly #blocks: RangeBlocks
  readonly isCompressed: boolean
  /** The range whose cut comes next, and the offsets in the content from which on its records may begin; of bzip2, as far as they are known. */
  #next = 1
  readonly #offsets: number[]
  readonly #starts: (Boundary | undefined)[] = []

  constructor(ranges: readonly Range[]) {
    const { codec = 'other' } = ranges[0] ?? {}
    this.#planned = ranges
    this.#blocks = new RangeBlocks({ codec, start: 0, end: Number.POSITIVE_INFINITY })
    this.isCompressed = codec === 'bzip2'
    this.#offsets = this.isCompressed ? [0] : ranges.map(({ start }) => start)
  }

  /** How the file is decompressed. */
  get options(): Pick<DecompressOptions, 'onBlock'> {
    if (!this.isCompressed) return {}
    const { onBlock } = this.#blocks.options
    return {
      onBlock: (bit, offset, checksum) => {
        onBlock?.(bit, offset, checksum)
        while (Math.floor(bit / 8) >= (this.#planned[this.#offsets.length]?.start ?? Number.POSITIVE_INFINITY))
          this.#offsets.push(offset)
      },
    }
  }

  /** The offset in the content from which on the next range may begin, as far as it is known. */
  readonly ownedUntil = (): number => this.#offsets[this.#next] ?? Number.POSITIVE_INFINITY

  /** A record begins at an offset, from which on a range may begin. If several may, the others have no record. */
  readonly pass = (offset: number): true => {
    while ((this.#offsets[this.#next + 1] ?? Number.POSITIVE_INFINITY) <= offset) this.#next++
    this.#starts[this.#next++] = this.#blocks.placeOf(offset)
    return true
  }

  /** The ranges with their cuts. */
  get ranges(): Range[] {
    return joinRanges(this.#planned, this.#starts)
  }
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
