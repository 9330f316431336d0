// What reading a range has shown so far: where it begins and ends, which blocks of bzip2 are its own, what their checksums come to, and where in the file a place
// in their content is.

import type { DecompressOptions } from '../../compression/decompress-options.ts'
import { withCode } from '../../stream/errors.ts'
import type { OpenPath } from './open-path.ts'
import { type BlockReport, type Boundary, type FileRange, type RangeReport, rotate } from './range.ts'
import { requireCut } from './range-checker.ts'

export class RangeProgress {
  readonly #range: FileRange
  readonly #counts: BlockReport = { blocks: 0, pieces: [] }
  #piece = { blocks: 0, fold: 0 }
  /** Where blocks begin: the bit of the file, and the offset in what is read. */
  readonly #places: { bit: number; offset: number }[] = []
  /** Where the content of the first block begins that is not the range's. */
  #ownedUntil = Number.POSITIVE_INFINITY
  /** Where reading begins, as soon as that is known. */
  from: Boundary | undefined
  #to: Boundary | undefined
  #toWithin: OpenPath | undefined
  /** Bytes of content from the first record of the range to that of the next; NaN where the document ends, and 0 before the range was read. */
  length = 0

  constructor(range: FileRange) {
    this.#range = range
  }

  get isOver(): boolean {
    return this.#to !== undefined
  }

  /** Nothing of the range is to be read: its first record would be after it. */
  skip(place: Boundary = 'none'): void {
    this.from = this.#to = place
  }

  /** All was read from one offset in what is read to another; undefined is the end. `within`: the elements that are open there. */
  finish(from: number | undefined, to: number | undefined, within?: OpenPath): void {
    this.from ??= this.#range.start === 0 ? 'start' : this.placeOf(from)
    this.#to = this.placeOf(to)
    if (to !== undefined) this.#toWithin = within
    this.length = (to ?? Number.NaN) - (from ?? Number.NaN)
  }

  /**
   * The report on the range. Throws a `TypeError` with the code `range-unread` if the range was not read to its end, and a `ParseError` with the code
   * `wrong-cut` if it did not begin or end where it was cut.
   */
  get report(): RangeReport {
    const { pieces, ...counts } = this.#counts
    if (this.from === undefined || this.#to === undefined)
      throw withCode(new TypeError('the range was not read to its end'), 'range-unread')
    const report: RangeReport = {
      from: this.from,
      to: this.#to,
      ...(this.#toWithin && { toWithin: this.#toWithin }),
      blocks: { ...counts, pieces: this.#piece.blocks > 0 ? [...pieces, this.#piece] : pieces },
    }
    requireCut(this.#range, report)
    return report
  }

  /** How the file is decompressed from the start of the range on. */
  get options(): Pick<DecompressOptions, 'startBit' | 'onBlock' | 'onStreamEnd'> {
    const { start, end } = this.#range
    return {
      ...(start > 0 && { startBit: 'anywhere' as const }),
      onBlock: (bit, offset, checksum) => {
        const byte = start + Math.floor(bit / 8)
        this.#places.push({ bit: start * 8 + bit, offset })
        if (byte < end) this.#count(start * 8 + bit, checksum)
        else this.#ownedUntil = Math.min(this.#ownedUntil, offset)
      },
      onStreamEnd: (bit, checksum) => {
        if (start + Math.floor(bit / 8) < end) this.#endPiece(checksum)
      },
    }
  }

  /** The offset in what is read from which on nothing belongs to the range, as far as it is known. */
  get ownedUntil(): number {
    const { codec, start, end } = this.#range
    return codec === 'none' ? end - start : this.#ownedUntil
  }

  /** Where in the file an offset in what is read is; undefined is the end. */
  placeOf(offset: number | undefined): Boundary {
    if (offset === undefined) return 'end'
    const { codec, start } = this.#range
    if (codec !== 'bzip2') return { offset: start + offset }
    const block = this.#places.findLast((place) => place.offset <= offset) as { bit: number; offset: number }
    return { block: block.bit, offset: offset - block.offset }
  }

  /** The offset in what is read of a place in the file; undefined where its block has not been read. */
  offsetOf({ block, offset }: Exclude<Boundary, string>): number | undefined {
    if (block === undefined) return offset - this.#range.start
    const known = this.#places.find(({ bit }) => bit === block)
    return known && known.offset + offset
  }

  #count(bit: number, checksum: number): void {
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
