// Text that is asked for by the offsets of its bytes.

import { decodeUtf8, LONGEST_STRING, limitLength } from '../../text/units.ts'

/** Bytes between two places whose string index is remembered. */
const INDEX_STEP = 64
/** From the last index, so many bytes forward are counted; farther, the steps are made and asked. */
const FARTHEST_COUNT = 16 * 1024

/**
 * UTF-8, decoded once, because pieces of it are wanted: a substring is far cheaper than a decoder's call. Where no string can hold all
 * of it, each piece is decoded for itself.
 */
export class IndexedText {
  readonly #bytes: Uint8Array
  /** Offset in the stream of the first byte. */
  readonly #start: number
  readonly #view: DataView
  #text: string | undefined
  #hasReplaced: boolean | undefined
  #indices: Uint32Array | undefined
  #lastOffset = 0
  #lastIndex = 0

  /** With `text`, the string that the bytes were. `start` is the offset of the first byte in the stream, for errors. */
  constructor(bytes: Uint8Array, text?: string, start = 0) {
    this.#bytes = bytes
    this.#start = start
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#text = text
  }

  /**
   * The text between two offsets of code points, in bytes from 0. Throws a `LimitError` with the code `length-limit` when it is longer than a
   * string can be.
   */
  slice(start: number, end: number): string {
    // A byte alone is ASCII.
    if (end - start === 1) return String.fromCharCode(this.#bytes[start] as number)
    const { length } = this.#bytes
    if (length > LONGEST_STRING) return this.#decode(start, end)
    this.#text ??= decodeUtf8(this.#bytes, 0, length)
    // Where bytes that are no text were skipped, units cannot be counted.
    this.#hasReplaced ??= this.#text.includes('\ufffd')
    if (this.#hasReplaced) return this.#decode(start, end)
    // Only ASCII has as many UTF-16 units as bytes.
    if (this.#text.length === this.#bytes.length) return this.#text.substring(start, end)
    return this.#text.substring(this.#indexOf(start), this.#indexOf(end))
  }

  #decode(start: number, end: number): string {
    try {
      return decodeUtf8(this.#bytes, start, end)
    } catch (error) {
      throw limitLength(error, 'the text of a node', this.#start + start)
    }
  }

  /** The index in the text of the offset of a code point. Fast for offsets after the last one asked for. */
  #indexOf(offset: number): number {
    if (offset < this.#lastOffset || offset > this.#lastOffset + FARTHEST_COUNT) {
      this.#indices ??= indexSteps(this.#view)
      const step = Math.floor(offset / INDEX_STEP)
      this.#lastOffset = step * INDEX_STEP
      this.#lastIndex = this.#indices[step] as number
    }
    this.#lastIndex += countUnits(this.#view, this.#lastOffset, offset)
    this.#lastOffset = offset
    return this.#lastIndex
  }
}

/** UTF-16 units of the code points that begin in a range. */
function countUnits(bytes: DataView, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; ) {
    // Most text is ASCII: four bytes at once.
    if (at + 4 <= end && (bytes.getUint32(at) & 0x80808080) === 0) {
      units += 4
      at += 4
      continue
    }
    const byte = bytes.getUint8(at++)
    if (byte < 0x80 || byte >= 0xc0) units += byte < 0xf0 ? 1 : 2
  }
  return units
}

/** UTF-16 units of the code points that begin before each step. */
function indexSteps(bytes: DataView): Uint32Array {
  const steps = new Uint32Array(Math.floor(bytes.byteLength / INDEX_STEP) + 1)
  for (let step = 1; step < steps.length; step++) {
    const start = (step - 1) * INDEX_STEP
    steps[step] = (steps[step - 1] as number) + countUnits(bytes, start, start + INDEX_STEP)
  }
  return steps
}
