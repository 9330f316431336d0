// Markup as bytes.

import { describeValue, withCode } from '../../stream/errors.ts'
import { encodeText } from '../../text/markup/encode-text.ts'

/** Encodings that can be written: `utf-16` is `utf-16le`. Documents in UTF-16 begin with a byte order mark. */
export type XmlWriteEncoding = 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be'

const ENCODINGS: readonly XmlWriteEncoding[] = ['utf-8', 'utf-16', 'utf-16le', 'utf-16be']
const BYTE_ORDER_MARK = '\ufeff'

/** UTF-16 units of markup that become bytes together. */
export const PIECE = 64 * 1024
/** Bytes that may wait to be read before a writer waits. */
export const ROOM = 64 * 1024

/** Makes bytes of text, which is cut between characters. */
export class MarkupEncoder {
  readonly #encoding: XmlWriteEncoding
  #isBegun = false

  constructor(encoding: XmlWriteEncoding = 'utf-8') {
    if (!ENCODINGS.includes(encoding)) {
      const message = `the encoding must be one of ${ENCODINGS.join(', ')}, not ${describeValue(encoding)}`
      throw withCode(new RangeError(message), 'invalid-option')
    }
    this.#encoding = encoding
  }

  /** What a declaration names. */
  get label(): string {
    return this.#encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'
  }

  encode(text: string): Uint8Array {
    const isMarked = this.#encoding !== 'utf-8' && !this.#isBegun
    this.#isBegun = true
    return encodeText(isMarked ? BYTE_ORDER_MARK + text : text, this.#encoding)
  }
}
