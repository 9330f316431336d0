// Short texts of an input, decoded together: a piece of a string is far cheaper than a decoder's call, but it keeps all of the string alive. So the string is
// that of a small window.

import { IndexedText } from '../../machine/tree/indexed-text.ts'
import { limitLength } from '../../text/length-limit.ts'
import { decodeUtf8 } from '../../text/units.ts'

/** Bytes of a window: what a text that somebody keeps keeps at most. */
const WINDOW = 1024
/** Bytes of the longest text that is a piece of a window. */
const LONGEST_PIECE = 256

/** Texts of well-formed UTF-8, which are asked for in about the order in which they are there. */
export class TextWindow {
  readonly #bytes: Uint8Array
  /** Offset in the stream of the first byte, for errors. */
  readonly #start: number
  #from = 0
  #end = 0
  #text = ''
  /** What finds offsets in the text; undefined for nothing but ASCII. */
  #indexed: IndexedText | undefined

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  /** The text between two offsets of code points, in bytes from 0. Throws a `LimitError` with the code `length-limit` if it is longer than a string can be. */
  slice(from: number, end: number): string {
    if (end - from > LONGEST_PIECE) return this.#decode(from, end)
    if (from < this.#from || end > this.#end) this.#moveTo(from)
    if (!this.#indexed) return this.#text.substring(from - this.#from, end - this.#from)
    return this.#indexed.slice(from - this.#from, end - this.#from)
  }

  #moveTo(from: number): void {
    let end = Math.min(from + WINDOW, this.#bytes.length)
    // Not within a code point.
    while (end < this.#bytes.length && ((this.#bytes[end] as number) & 0xc0) === 0x80) end++
    this.#from = from
    this.#end = end
    this.#text = decodeUtf8(this.#bytes, from, end)
    // Only ASCII has as many UTF-16 units as bytes.
    const isAscii = this.#text.length === end - from
    this.#indexed = isAscii ? undefined : new IndexedText(this.#bytes.subarray(from, end), this.#text)
  }

  #decode(from: number, end: number): string {
    try {
      return decodeUtf8(this.#bytes, from, end)
    } catch (error) {
      throw limitLength(error, 'the text of a value', this.#start + from)
    }
  }
}
