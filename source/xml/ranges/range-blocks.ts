// The blocks of bzip2 that are decompressed for a range: which of them are its own, what their checksums come to, and where in the file a place in their
// content is.

import type { DecompressOptions } from '../../compression/decompress-options.ts'
import { type BlockReport, type Boundary, type FileRange, rotate } from './range.ts'

export class RangeBlocks {
  readonly #range: FileRange
  readonly #counts: BlockReport = { blocks: 0, pieces: [] }
  #piece = { blocks: 0, fold: 0 }
  /** Where blocks begin: the bit of the file, and the offset in what is read. */
  readonly #places: { bit: number; offset: number }[] = []
  /** Where the content of the first block begins that is not the range's. */
  #ownedUntil = Number.POSITIVE_INFINITY

  constructor(range: FileRange) {
    this.#range = range
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

  get report(): BlockReport {
    const { pieces, ...rest } = this.#counts
    return { ...rest, pieces: this.#piece.blocks > 0 ? [...pieces, this.#piece] : pieces }
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
