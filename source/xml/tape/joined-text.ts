// Text that is put together from pieces.

import { LONGEST_STRING, StringTooLong } from '../../text/units.ts'

/**
 * Pieces that are one text. Joined by `+` they would be a string of one more kind, and code that sees strings of many kinds is slow in V8:
 * that of whoever reads the text.
 */
export class JoinedText {
  /** UTF-16 units so far. */
  length = 0
  /** What comes before the last piece, if there is more. */
  #pieces: string[] | undefined
  /** The last piece: what stands between two indices of a string. */
  #source = ''
  #from = 0
  #to = 0

  /** Adds what stands in a string between two indices. Where that follows what was added last, both are one piece. Throws a `StringTooLong`. */
  add(source: string, from = 0, to = source.length): void {
    if (from === to) return
    if (this.length + to - from > LONGEST_STRING) throw new StringTooLong()
    this.length += to - from
    if (from === this.#to && source === this.#source) {
      this.#to = to
      return
    }
    if (this.#to > 0) {
      this.#pieces ??= []
      this.#pieces.push(this.#last)
    }
    this.#source = source
    this.#from = from
    this.#to = to
  }

  /** The text; it is empty afterwards. */
  take(): string {
    this.#pieces?.push(this.#last)
    const text = this.#pieces?.join('') ?? this.#last
    this.length = 0
    this.#pieces = undefined
    this.#source = ''
    this.#from = 0
    this.#to = 0
    return text
  }

  get #last(): string {
    return this.#source.substring(this.#from, this.#to)
  }
}
