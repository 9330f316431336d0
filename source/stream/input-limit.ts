// How much of an input is read in all.

import { LimitError } from './errors.ts'

/** The bytes of an input, from an offset on, that may be read. */
export class InputLimit {
  readonly start: number
  /** Offset after the last byte that may be read. */
  readonly end: number

  constructor(start: number, maxInput = Number.POSITIVE_INFINITY) {
    this.start = start
    this.end = start + maxInput
  }

  /** What may be read of a chunk that begins at an offset. Throws a `LimitError` if that is nothing. */
  cut(chunk: Uint8Array, offset: number): Uint8Array {
    const left = this.end - offset
    if (chunk.length <= left) return chunk
    if (left <= 0) throw this.makeError()
    return chunk.subarray(0, left)
  }

  /** Throws a `LimitError` if an input of so many bytes may not be read. */
  admit(length: number): void {
    if (length > this.end - this.start) throw this.makeError(length)
  }

  /** `length`: how many bytes the input has, if that is known. */
  makeError(length?: number): LimitError {
    const limit = this.end - this.start
    const size =
      length === undefined ? `more than ${limit} bytes, the limit` : `${length} bytes, more than the limit of ${limit}`
    const message = `the input has ${size} (maxInput)`
    return new LimitError(message, { code: 'input-limit', byteOffset: this.end, limit })
  }
}
