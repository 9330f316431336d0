// Short texts of an input, decoded together: a piece of a string is far cheaper than a decoder's call, but it keeps all of the string alive. So the string is
// that of a small window.

import { limitLength } from '../../text/length-limit.ts'
import { RecentTexts } from '../../text/recent-texts.ts'
import { decodeUtf8 } from '../../text/units.ts'

/** Bytes of a window: what a text that somebody keeps keeps at most. */
const WINDOW = 1024
/** Bytes of the longest text that is a piece of a window. */
const LONGEST_PIECE = 256
/** Bytes of the longest text that is kept, and found again. */
const SHORT = 8
const recent = new RecentTexts()

/** Texts of well-formed UTF-8, which are asked for in about the order in which they are there. */
export class TextWindow {
  readonly #bytes: Uint8Array
  /** Offset in the stream of the first byte, for errors. */
  readonly #start: number
  #from = 0
  #end = 0
  #text = ''
  #isAscii = true
  // The last offset that was looked for, and its index in the text.
  #lastOffset = 0
  #lastIndex = 0

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  /** The text between two offsets of code points, in bytes from 0. Throws a `LimitError` with the code `length-limit` if it is longer than a string can be. */
  slice(from: number, end: number): string {
    if (end - from > LONGEST_PIECE) return this.#decode(from, end)
    if (end - from > SHORT) return this.#piece(from, end)
    return recent.find(this.#bytes, from, end) ?? recent.keep(this.#piece(from, end))
  }

  #piece(from: number, end: number): string {
    if (from < this.#from || end > this.#end) this.#moveTo(from)
    if (this.#isAscii) return this.#text.substring(from - this.#from, end - this.#from)
    return this.#text.substring(this.#indexOf(from), this.#indexOf(end))
  }

  #moveTo(from: number): void {
    let end = Math.min(from + WINDOW, this.#bytes.length)
    // Not within a code point.
    while (end < this.#bytes.length && ((this.#bytes[end] as number) & 0xc0) === 0x80) end++
    this.#from = from
    this.#end = end
    this.#text = decodeUtf8(this.#bytes, from, end)
    // Only ASCII has as many UTF-16 units as bytes.
    this.#isAscii = this.#text.length === end - from
    this.#lastOffset = from
    this.#lastIndex = 0
  }

  /** The index in the text of the offset of a code point. */
  #indexOf(offset: number): number {
    const bytes = this.#bytes
    const isBehind = offset < this.#lastOffset
    let index = isBehind ? 0 : this.#lastIndex
    for (let at = isBehind ? this.#from : this.#lastOffset; at < offset; at++) {
      const byte = bytes[at] as number
      // UTF-16 units of the code points that begin here.
      if (byte < 0x80 || byte >= 0xc0) index += byte < 0xf0 ? 1 : 2
    }
    this.#lastOffset = offset
    this.#lastIndex = index
    return index
  }

  #decode(from: number, end: number): string {
    try {
      return decodeUtf8(this.#bytes, from, end)
    } catch (error) {
      throw limitLength(error, 'the text of a value', this.#start + from)
    }
  }
}
