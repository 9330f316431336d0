// From byte offsets to lines and columns, without keeping the text.

import { utf16Length } from './utf8.ts'

const LINE_FEED = 10

/** A position in lines and columns. A line ends with a line feed. */
export interface Position {
  /** Bytes from the start of the stream, from 0. */
  readonly byteOffset: number
  /** From 1. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly column: number
}

/** Follows a stream of well-formed UTF-8 and counts its lines and columns. */
export class LineCounter {
  #byteOffset = 0
  #line = 1
  #column = 1

  /** The position after all bytes seen so far. */
  get position(): Position {
    return { byteOffset: this.#byteOffset, line: this.#line, column: this.#column }
  }

  /** Moves on over the next bytes of the stream. They must not cut a sequence that matters for the column asked for. */
  advance(bytes: Uint8Array): void {
    this.#byteOffset += bytes.length
    const lastFeed = bytes.lastIndexOf(LINE_FEED)
    if (lastFeed === -1) {
      this.#column += utf16Length(bytes)
    } else {
      this.#line += countLineFeeds(bytes)
      this.#column = 1 + utf16Length(bytes.subarray(lastFeed + 1))
    }
  }

  /** An independent counter that continues from here. */
  clone(): LineCounter {
    const clone = new LineCounter()
    clone.#byteOffset = this.#byteOffset
    clone.#line = this.#line
    clone.#column = this.#column
    return clone
  }
}

/** Fewer bytes are looked at one by one. */
const FEW = 16
/** In each of four bytes: all bits but the highest; a line feed. */
const LOW_BITS = 0x7f7f7f7f
const FOUR_FEEDS = 0x0a0a0a0a

/** Looks at four bytes at once: a byte that differs from a line feed in no bit leaves its highest bit set (H. S. Warren, Hacker's Delight, section 6-1). */
export function countLineFeeds(bytes: Uint8Array): number {
  if (bytes.length < FEW) return countOneByOne(bytes, 0, bytes.length)
  const first = -bytes.byteOffset & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, (bytes.length - first) >> 2)
  let count = countOneByOne(bytes, 0, first) + countOneByOne(bytes, first + 4 * words.length, bytes.length)
  for (let i = 0; i < words.length; i++) {
    const differing = (words[i] as number) ^ FOUR_FEEDS
    const found = ~(((differing & LOW_BITS) + LOW_BITS) | differing | LOW_BITS)
    if (found !== 0) count += ((found >>> 7) & 1) + ((found >>> 15) & 1) + ((found >>> 23) & 1) + (found >>> 31)
  }
  return count
}

function countOneByOne(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (bytes[i] === LINE_FEED) count++
  return count
}
