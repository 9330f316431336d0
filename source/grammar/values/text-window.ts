// Short texts of an input, decoded together: a piece of a string is far cheaper than a decoder's call, but it keeps all of the string alive. So the string is
// that of a small window. In Latin-1, so that what is ASCII is where its bytes are.

import { RecentTexts } from '../../text/recent-texts.ts'
import { decodeLatin1, decodeUtf8, limitLength } from '../../text/units.ts'

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
    for (let at = from; at < end; at++) if ((this.#bytes[at] as number) >= 0x80) return this.#decode(from, end)
    if (from < this.#from || end > this.#end) {
      this.#from = from
      this.#end = Math.min(from + WINDOW, this.#bytes.length)
      this.#text = decodeLatin1(this.#bytes, from, this.#end)
    }
    return this.#text.substring(from - this.#from, end - this.#from)
  }

  #decode(from: number, end: number): string {
    try {
      return decodeUtf8(this.#bytes, from, end)
    } catch (error) {
      throw limitLength(error, 'the text of a value', this.#start + from)
    }
  }
}
