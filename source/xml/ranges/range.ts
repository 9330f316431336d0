// Ranges: parts of a file that can be read by themselves, whose records are known from where they begin.
//
// A record belongs to the range with the first byte of the magic number of the bzip2 block in which the `<` of its start tag lies; in a file
// that is not compressed, to the range with that `<`. So every record is in one range and in one only, wherever the cuts are. A range is read
// without the others: from the first record that begins in it to the end of the last one, which may be after its own end.

import type { OpenPath } from './open-path.ts'

/** What is known of the beginning of a document that each range reads first. */
export interface HeadFacts {
  /** Bytes of its UTF-8. */
  readonly length: number
  /** Their SHA-256 in hexadecimal. */
  readonly digest: string
}

/** A stretch of a file. */
export interface FileRange {
  /** `none` and `bzip2` can be divided if their content is UTF-8. Any other file is one range. */
  readonly codec: 'none' | 'bzip2' | 'other'
  /** Offsets in bytes of the file, `end` not included. */
  readonly start: number
  readonly end: number
  /** What was found of the head of the document. Absent where nothing is known of it, or the file is one range. */
  readonly head?: HeadFacts
  /** Where it begins and ends, if that was found before it is read. */
  readonly cut?: RangeCut
}

/** The records of a range: from the first one to the first one of the next range. So `to` is `from` of the next range. */
export interface RangeCut {
  readonly from: Boundary
  readonly to: Boundary
}

/** A stretch of a file with the records of a document. */
export interface XmlRange extends FileRange {
  /** The elements that are records: names, or paths of names. */
  readonly path: readonly string[]
  /** What prefixes in the path stand for. */
  readonly prefixes?: Readonly<Record<string, string>>
  /** The elements in which the first record stands. A range after the first is read as if it began in these. Absent where the file is one range. */
  readonly within?: OpenPath
}

/**
 * A place between two records: the `<` of a start tag, so many bytes after the beginning of the file, or in bzip2 so many bytes of content after
 * the beginning of the block that begins at the bit `block` of the file; or the start or the end of the document. `none` is said of a range in which no
 * start tag of a record was found.
 */
export type Boundary = 'start' | 'end' | 'none' | { readonly block?: number; readonly offset: number }

/** What reading a range to its end found out, besides its records. `checkRanges` adds up the reports of all ranges of a file. */
export interface RangeReport {
  /** The position of its first record: the first start tag of one after the start of the range. `start` for the first range of a file. */
  readonly from: Boundary
  /** Where the next range must continue: the first record that belongs to another range; `end` if the document ended. */
  readonly to: Boundary
  /** The elements that are open there, where that is not the end. */
  readonly toWithin?: OpenPath
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

/** The combined checksum of blocks, rotated to the left. */
export function rotate(value: number, bits: number): number {
  return bits === 0 ? value : ((value << bits) | (value >>> (32 - bits))) >>> 0
}
