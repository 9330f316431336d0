// Parts of a dump that can be read by themselves: stretches of its file, whose pages are known from where they begin.
//
// A page belongs to the range with the first byte of the magic number of the bzip2 block in which the `<` of its `<page>` lies; in a dump
// that is not compressed, to the range with that `<`. So every page is in one range and in one only, wherever the cuts are, and a range is
// read without a look at any other: from the first page that begins in it to the end of the last one, which may lie behind its own end.

import { detectCompression } from '../compression/detect.ts'
import { CompressionError } from '../compression/errors.ts'
import { readFrom, type Seekable } from '../stream/seekable.ts'
import { type DumpOptions, type DumpReader, readDump } from './dump-reader.ts'

/** A stretch of a file. */
export interface DumpRange {
  /** `none` and `bzip2` can be cut anywhere; of others there is one range, the whole file. */
  readonly codec: 'none' | 'bzip2' | 'other'
  /** Offsets in bytes of the file, `end` not included. */
  readonly start: number
  readonly end: number
}

/** What reading a range of bzip2 has shown, by which the checksums of streams are told that lie in several ranges. */
export interface BlockReport {
  /** Blocks that begin in the range. */
  blocks: number
  /** The bit of the file at which the first of them begins; absent when there is none. */
  firstBit?: number
  /** Blocks between two ends of streams, and what their checksums come to; the end's own checksum where the stream ends in the range. */
  pieces: { blocks: number; fold: number; end?: number }[]
}

/**
 * Cuts a file into ranges of about `target` bytes. `head` is its beginning: that of dumps in UTF-16, and in other compressions, says that
 * they cannot be cut.
 */
export function planRanges(head: Uint8Array, size: number, target: number): DumpRange[] {
  const format = detectCompression(head)
  const isWide =
    (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff) || head[0] === 0 || head[1] === 0
  const codec = format === 'bzip2' || (format === 'none' && !isWide) ? (format as 'none' | 'bzip2') : 'other'
  if (codec === 'other' || size === 0) return [{ codec, start: 0, end: size }]
  const count = Math.max(1, Math.round(size / target))
  return Array.from({ length: count }, (_, i) => ({
    codec,
    start: Math.floor((i * size) / count),
    end: Math.floor(((i + 1) * size) / count),
  }))
}

/** A range that is about to be read, by the methods of `reader`. */
export class RangeReader {
  readonly reader: DumpReader
  readonly #report: BlockReport = { blocks: 0, pieces: [] }
  #piece = { blocks: 0, fold: 0 }

  /** `options` are those of `readDump`. */
  constructor(source: Seekable, range: DumpRange, options: DumpOptions = {}) {
    const { codec, start, end } = range
    const isPart = start > 0
    const common: DumpOptions = { ...options, isPart }
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
        if (byte < end) this.#countBlock(start * 8 + bit, checksum)
        else ownedUntil = Math.min(ownedUntil, offset)
      },
      onStreamEnd: (bit, checksum) => {
        if (start + Math.floor(bit / 8) < end) this.#endPiece(checksum)
      },
      ownedUntil: () => ownedUntil,
    })
  }

  /** What the range has shown, when it was read to its end. */
  get report(): BlockReport {
    const { pieces, ...rest } = this.#report
    return { ...rest, pieces: this.#piece.blocks > 0 ? [...pieces, this.#piece] : pieces }
  }

  #countBlock(bit: number, checksum: number): void {
    this.#report.firstBit ??= bit
    this.#report.blocks++
    this.#piece.blocks++
    this.#piece.fold = (rotate(this.#piece.fold, 1) ^ checksum) >>> 0
  }

  #endPiece(end: number): void {
    this.#report.pieces.push({ ...this.#piece, end })
    this.#piece = { blocks: 0, fold: 0 }
  }
}

/**
 * Compares the checksums of the streams of a file with those of their blocks, from the reports of all its ranges in their order.
 *
 * The checksum of a stream is, for each block, the one so far rotated by a bit, xor that of the block; so of a part with k blocks that
 * comes to p by itself, only k and p must be known: rotate by k, xor p. Throws a `CompressionError` with the code `corrupt`.
 */
export function checkStreams(reports: readonly BlockReport[]): void {
  let fold = 0
  for (const { pieces, firstBit = 0 } of reports) {
    for (const piece of pieces) {
      fold = (rotate(fold, piece.blocks % 32) ^ piece.fold) >>> 0
      if (piece.end === undefined) continue
      if (piece.end !== fold) {
        throw new CompressionError('bzip2', 'corrupt', 'the checksum of a stream is wrong', {
          byteOffset: Math.floor(firstBit / 8),
          bitOffset: firstBit,
        })
      }
      fold = 0
    }
  }
}

function rotate(value: number, bits: number): number {
  return bits === 0 ? value : ((value << bits) | (value >>> (32 - bits))) >>> 0
}
