// What a benchmark that reads pieces has seen. Two ways of reading that both end with the same tally have read the same pieces.

/** The answer of a run. */
export interface Answer {
  readonly pieces: number
  readonly bytes: number
  /** Over the length, first and last byte of each piece, in order. */
  readonly checksum: number
}

/** Counts pieces. Cheap on purpose (2 ns): it is paid by every way of reading alike. */
export class Tally {
  /** When the first piece came, in the time of `performance.now()`. */
  firstAt = Number.NaN
  /** How many reads had to wait for their bytes; the ways of reading count it. */
  waited = 0
  #pieces = 0
  #bytes = 0
  #checksum = 0

  /** A piece, not empty. */
  take(piece: Uint8Array): void {
    this.takeEnds(piece[0] as number, piece[piece.length - 1] as number, piece.length)
  }

  /** The same for a piece that nobody has in one array. */
  takeEnds(first: number, last: number, length: number): void {
    if (this.#pieces === 0) this.firstAt = performance.now()
    this.#pieces++
    this.#bytes += length
    this.#checksum = (Math.imul(this.#checksum, 31) + (length << 16) + (first << 8) + last) | 0
  }

  get answer(): Answer {
    return { pieces: this.#pieces, bytes: this.#bytes, checksum: this.#checksum }
  }
}

export function isSameAnswer(a: Answer, b: Answer): boolean {
  return a.pieces === b.pieces && a.bytes === b.bytes && a.checksum === b.checksum
}
