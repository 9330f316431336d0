// Bits that are read from the end of a stretch of bytes to its start, as all codes of Zstandard are (RFC 8878, section 4).

import { ZstdError } from './frame-decoder.ts'

/** Bytes that must be readable before and after the stretch: more than are read there before the end is noticed, and those of a word. */
export const BIT_PADDING = 16

/** At least 25 bits from a place on, in bits from the byte `start` of the view; the lowest one is that at the place. */
export function wordAt(view: DataView, start: number, place: number): number {
  return view.getUint32(start + (place >> 3), true) >>> (place & 7)
}

/** Reads the bits of a stretch. Beyond its start it reads whatever is there, so `left` must be looked at now and then. */
export class ReverseBits {
  readonly #view: DataView
  readonly #start: number
  /** How many bits have not been read; less than 0 where more were read than there are. */
  left: number

  /** The bytes from `start` to `end` of the view. Throws a {@link ZstdError} where the last one has no bit set, which would end the stretch. */
  constructor(view: DataView, start: number, end: number) {
    const last = end > start ? view.getUint8(end - 1) : 0
    if (last === 0) throw new ZstdError('a bit stream has no end mark')
    this.#view = view
    this.#start = start
    this.left = (end - start) * 8 - 1 - (Math.clz32(last) - 24)
  }

  /** Up to 25 bits. */
  read(count: number): number {
    this.left -= count
    return wordAt(this.#view, this.#start, this.left) & ((1 << count) - 1)
  }
}
