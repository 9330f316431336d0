// Parts of a dump that can be read by themselves: stretches of its file, whose pages are known from where they begin.
//
// A page belongs to the range with the first byte of the magic number of the bzip2 block in which the `<` of its `<page>` lies; in a dump
// that is not compressed, to the range with that `<`. So every page is in one range and in one only, wherever the cuts are, and a range is
// read without the others: from the first page that begins in it to the end of the last one, which may be after its own end.

import { decompress } from '../compression/decompress.ts'
import { CompressionError } from '../compression/errors.ts'
import { LimitError, withCode } from '../stream/errors.ts'
import { readFrom, type Seekable } from '../stream/seekable.ts'
import { ParseError } from '../text/parse-error.ts'
import { type DumpOptions, type DumpReader, readDump } from './dump-reader.ts'
import { detectDumpEncoding } from './head/dump-encoding.ts'
import { type DumpHeadFacts, describeHead, isOfDump, readHeadOf, requireHead } from './head/dump-head.ts'

/** A stretch of a file. */
export interface DumpRange {
  /** `none` and `bzip2` can be divided if their content is UTF-8. Any other file is one range. */
  readonly codec: 'none' | 'bzip2' | 'other'
  /** Offsets in bytes of the file, `end` not included. */
  readonly start: number
  readonly end: number
  /**
   * What `planRanges` has found of the head of the dump, which ends with the start tag of the root: a range that begins after it reads it first. Absent
   * where nothing is known of it, or the file is one range.
   */
  readonly head?: DumpHeadFacts
}

/**
 * A place between two pages: the `<` of a `<page>`, so many bytes after the beginning of the file, or in bzip2 so many bytes of content after
 * the beginning of the block that begins at the bit `block` of the file; or the start or the end of the dump.
 */
export type PageBoundary = 'start' | 'end' | { readonly block?: number; readonly offset: number }

/** What reading a range to its end found out, besides its records. `checkRanges` adds up the reports of all ranges of a file. */
export interface RangeReport {
  /** The position of its first page: the first `<page>` after the start of the range. `start` for the first range of a file. */
  readonly from: PageBoundary
  /** Where the next range must continue: the first `<page>` that belongs to another range; `end` if the dump ended. */
  readonly to: PageBoundary
  readonly blocks: BlockReport
}

/** The checksums of the blocks in a range of bzip2. `checkRanges` uses them to check streams that lie in several ranges. */
export interface BlockReport {
  /** Blocks that begin in the range. */
  blocks: number
  /** The bit of the file at which the first of them begins; absent when there is none. */
  firstBit?: number
  /** The blocks between two stream ends, and their combined checksum; `end` is the checksum of the stream if it ends in the range. */
  pieces: { blocks: number; fold: number; end?: number }[]
}

/**
 * Divides a file of `size` bytes into ranges of about `target` bytes, which may depend on the codec. Reads the beginning of the file to find out whether it can be
 * divided: in a dump that is not UTF-8, the start of a page cannot be found from the middle, and a head of more than 1 MiB is not read for each
 * range. Throws what reading the file throws.
 */
export async function planRanges(
  source: Seekable,
  size: number,
  target: number | Readonly<Record<'none' | 'bzip2', number>>,
): Promise<DumpRange[]> {
  const codec = await findCodec(source)
  if (codec === 'other' || size === 0) return [{ codec, start: 0, end: size }]
  const count = Math.min(size, Math.max(1, Math.round(size / (typeof target === 'number' ? target : target[codec]))))
  const head = count > 1 ? await describeHeadOf(source) : undefined
  if (head === 'too large') return [{ codec: 'other', start: 0, end: size }]
  return Array.from({ length: count }, (_, i) => ({
    codec,
    start: Math.floor((i * size) / count),
    end: Math.floor(((i + 1) * size) / count),
    ...(head && { head }),
  }))
}

/** What is known of the head of a dump; undefined where it cannot be read. */
async function describeHeadOf(source: Seekable): Promise<DumpHeadFacts | 'too large' | undefined> {
  try {
    const head = await readHeadOf(source)
    return head && (await describeHead(head))
  } catch (error) {
    if (error instanceof LimitError) return 'too large'
    throw error
  }
}

async function findCodec(source: Seekable): Promise<DumpRange['codec']> {
  const content = decompress(readFrom(source, 0))
  try {
    const encoding = await detectDumpEncoding(content)
    const { format } = content
    return encoding === 'utf-8' && (format === 'none' || format === 'bzip2') ? format : 'other'
  } catch (error) {
    // What is wrong with the beginning is reported when it is read.
    if (isOfDump(error)) return 'other'
    throw error
  }
}

/** Reads a range of a dump by the methods of `reader`. */
export class RangeReader {
  readonly reader: DumpReader
  readonly #range: DumpRange
  readonly #counts: BlockReport = { blocks: 0, pieces: [] }
  #piece = { blocks: 0, fold: 0 }
  /** Where blocks begin: the bit of the file, and the offset in what is read. */
  readonly #places: { bit: number; offset: number }[] = []

  /** `options` are the options of `readDump`. */
  constructor(source: Seekable, range: DumpRange, options: DumpOptions = {}) {
    this.#range = range
    const { codec, start, end } = range
    const isPart = start > 0
    const head = (leaving: AbortSignal) => this.#readHead(source, options.signal, leaving)
    const common: DumpOptions = { ...options, isPart, ...(isPart && { head }) }
    if (codec === 'other') {
      this.reader = readDump(readFrom(source, 0), options)
      return
    }
    const bytes = readFrom(source, start)
    if (codec === 'none') {
      this.reader = readDump(bytes, { ...common, ownedUntil: () => end - start })
      return
    }
    /** Where the content of the first block begins that is not the range's. */
    let ownedUntil = Number.POSITIVE_INFINITY
    this.reader = readDump(bytes, {
      ...common,
      ...(isPart && { startBit: 'anywhere' as const }),
      onBlock: (bit, offset, checksum) => {
        const byte = start + Math.floor(bit / 8)
        this.#places.push({ bit: start * 8 + bit, offset })
        if (byte < end) this.#countBlock(start * 8 + bit, checksum)
        else ownedUntil = Math.min(ownedUntil, offset)
      },
      onStreamEnd: (bit, checksum) => {
        if (start + Math.floor(bit / 8) < end) this.#endPiece(checksum)
      },
      ownedUntil: () => ownedUntil,
    })
  }

  /** The report on the range. Throws a `TypeError` with the code `range-unread` if the range was not read to its end. */
  get report(): RangeReport {
    const { bounds } = this.reader
    if (!bounds) throw withCode(new TypeError('the range was not read to its end'), 'range-unread')
    const { pieces, ...rest } = this.#counts
    return {
      from: this.#range.start === 0 ? 'start' : this.#place(bounds.from),
      to: this.#place(bounds.to),
      blocks: { ...rest, pieces: this.#piece.blocks > 0 ? [...pieces, this.#piece] : pieces },
    }
  }

  /** The head of the dump. Throws a `SourceError` with the code `source-changed` if it is not that of the plan. */
  async #readHead(
    source: Seekable,
    signal: AbortSignal | undefined,
    leaving: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const head = await readHeadOf(source, signal, leaving)
    if (this.#range.head) await requireHead(head, this.#range.head)
    return head
  }

  #place(offset: number | undefined): PageBoundary {
    if (offset === undefined) return 'end'
    const { codec, start } = this.#range
    if (codec !== 'bzip2') return { offset: start + offset }
    const block = this.#places.findLast((place) => place.offset <= offset) as { bit: number; offset: number }
    return { block: block.bit, offset: offset - block.offset }
  }

  #countBlock(bit: number, checksum: number): void {
    this.#counts.firstBit ??= bit
    this.#counts.blocks++
    this.#piece.blocks++
    this.#piece.fold = (rotate(this.#piece.fold, 1) ^ checksum) >>> 0
  }

  #endPiece(end: number): void {
    this.#counts.pieces.push({ ...this.#piece, end })
    this.#piece = { blocks: 0, fold: 0 }
  }
}

/**
 * Checks that the ranges of one file of `size` bytes, in order, cover all of it: every byte once, each range continues at the page where
 * the previous one stopped, and the checksums of bzip2 streams match the blocks that were read.
 *
 * Throws a `ParseError` with the code `incomplete-ranges`, and a `CompressionError` with the code `corrupt` for a wrong checksum. If
 * damaged blocks were skipped (`hasFaults`), checksums are not compared.
 */
export function checkRanges(
  size: number,
  ranges: readonly (DumpRange & RangeReport)[],
  { hasFaults = false }: { hasFaults?: boolean } = {},
): void {
  const checker = new RangeChecker(hasFaults)
  for (const range of ranges) checker.add(range)
  checker.finish(size)
}

/** Checks the ranges of a file one after the other, like {@link checkRanges}. */
export class RangeChecker {
  readonly #hasFaults: boolean
  #covered = 0
  #boundary: PageBoundary = 'start'
  /** What the blocks of the current stream come to so far. */
  #fold = 0
  #isOpen = false
  /** The bit of the file at which the last range with a block has its first. */
  #bit = 0

  constructor(hasFaults = false) {
    this.#hasFaults = hasFaults
  }

  /** Throws if the range does not continue where the one before ended, or if a stream that ends in it does not match its checksum. */
  add({ start, end, from, to, blocks }: DumpRange & RangeReport): void {
    const covered = this.#covered
    if (start !== covered) throw makeIncomplete(covered, `the next range does not start at byte ${covered}`)
    if (!isSamePlace(from, this.#boundary)) {
      const gap = `${describePlace(this.#boundary)} and ${describePlace(from)}`
      throw makeIncomplete(start, `the pages between ${gap} were skipped or read twice`)
    }
    this.#covered = end
    this.#boundary = to
    if (!this.#hasFaults) this.#addBlocks(blocks)
  }

  /** Throws if the ranges do not end with the file, the dump and a stream. */
  finish(size: number): void {
    const covered = this.#covered
    if (covered !== size) throw makeIncomplete(covered, `no range has the bytes from ${covered} to ${size}`)
    if (this.#boundary !== 'end')
      throw makeIncomplete(size, `the pages after ${describePlace(this.#boundary)} were not read`)
    if (this.#isOpen) throw makeCorrupt('the last stream is not complete', this.#bit)
  }

  /**
   * Compares the checksums of streams with those of their blocks. The checksum of a stream is, for each block, the one so far rotated by a
   * bit, xor that of the block; so of a part with k blocks that comes to p by itself, only k and p must be known: rotate by k, xor p.
   */
  #addBlocks({ pieces, firstBit }: BlockReport): void {
    this.#bit = firstBit ?? this.#bit
    for (const piece of pieces) {
      this.#fold = (rotate(this.#fold, piece.blocks % 32) ^ piece.fold) >>> 0
      this.#isOpen = piece.end === undefined
      if (this.#isOpen) continue
      if (piece.end !== this.#fold) throw makeCorrupt('the checksum of a stream is wrong', this.#bit)
      this.#fold = 0
    }
  }
}

function isSamePlace(one: PageBoundary, other: PageBoundary): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.block === other.block && one.offset === other.offset
}

function describePlace(place: PageBoundary): string {
  if (typeof place === 'string') return `the ${place} of the dump`
  const { block, offset } = place
  return block === undefined ? `byte ${offset}` : `byte ${offset} of the block at bit ${block}`
}

function makeIncomplete(byteOffset: number, message: string): ParseError {
  return new ParseError(message, { code: 'incomplete-ranges', byteOffset })
}

function makeCorrupt(message: string, bitOffset: number): CompressionError {
  return new CompressionError('bzip2', 'corrupt', message, { byteOffset: Math.floor(bitOffset / 8), bitOffset })
}

function rotate(value: number, bits: number): number {
  return bits === 0 ? value : ((value << bits) | (value >>> (32 - bits))) >>> 0
}
