// Markup as bytes.

import { describeValue, withCode } from '../../stream/errors.ts'

/** Encodings that can be written: `utf-16` is `utf-16le`. Documents in UTF-16 begin with a byte order mark. */
export type XmlWriteEncoding = 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be'

const ENCODINGS: readonly XmlWriteEncoding[] = ['utf-8', 'utf-16', 'utf-16le', 'utf-16be']
const BYTE_ORDER_MARK = '\ufeff'
const encoder = new TextEncoder()

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
    if (this.#encoding === 'utf-8') return encoder.encode(text)
    const marked = this.#isBegun ? text : BYTE_ORDER_MARK + text
    this.#isBegun = true
    const view = new DataView(new ArrayBuffer(2 * marked.length))
    const isLittle = this.#encoding !== 'utf-16be'
    for (let i = 0; i < marked.length; i++) view.setUint16(2 * i, marked.charCodeAt(i), isLittle)
    return new Uint8Array(view.buffer)
  }
}
