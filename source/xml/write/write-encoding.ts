// Markup as bytes.

import { describeValue, withCode } from '../../stream/errors.ts'
import { normalizeEncoding } from '../../text/encodings.ts'
import { encodeText, LAST_CODE_POINT } from '../../text/markup/encode-text.ts'

/** What is to be known of an encoding: what a declaration names, the last code point that it has, and what says the encoding to a reader where nothing was declared. */
interface Written {
  readonly label: string
  readonly last: number
  readonly mark?: string
}

const UTF_16: Written = { label: 'UTF-16', last: LAST_CODE_POINT, mark: '\ufeff' }
const ENCODINGS = {
  'utf-8': { label: 'UTF-8', last: LAST_CODE_POINT },
  'utf-16': UTF_16,
  'utf-16le': UTF_16,
  'utf-16be': UTF_16,
  'iso-8859-1': { label: 'ISO-8859-1', last: 0xff, mark: '<?xml version="1.0" encoding="ISO-8859-1"?>' },
  'us-ascii': { label: 'US-ASCII', last: 0x7f },
} satisfies Readonly<Record<Lowercase<XmlWriteEncoding>, Written>>

type WrittenName = keyof typeof ENCODINGS

/**
 * Encodings that can be written, in lower or upper case: `utf-16` is `utf-16le`. Documents in UTF-16 begin with a byte order mark, those in ISO-8859-1 with a declaration.
 */
export type XmlWriteEncoding =
  | ('utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be' | 'iso-8859-1' | 'us-ascii')
  | ('UTF-8' | 'UTF-16' | 'UTF-16LE' | 'UTF-16BE' | 'ISO-8859-1' | 'US-ASCII')

/** UTF-16 units of markup that become bytes together. */
export const PIECE = 64 * 1024
/** Bytes that may wait to be read before a writer waits. */
export const ROOM = 64 * 1024

/** Makes bytes of text, which is cut between characters. */
export class MarkupEncoder {
  readonly #name: WrittenName
  readonly #written: Written
  #isBegun = false

  constructor(encoding: XmlWriteEncoding = 'utf-8') {
    const name = normalizeEncoding(encoding)
    if (name === undefined || !Object.hasOwn(ENCODINGS, name)) {
      const message = `the encoding must be one of ${Object.keys(ENCODINGS).join(', ')}, not ${describeValue(encoding)}`
      throw withCode(new RangeError(message), 'invalid-option')
    }
    this.#name = name as WrittenName
    this.#written = ENCODINGS[this.#name]
  }

  /** What markup must know of the encoding: what a declaration names, and the last code point that it has. */
  get options(): { readonly encoding: string; readonly lastCodePoint: number } {
    return { encoding: this.#written.label, lastCodePoint: this.#written.last }
  }

  encode(text: string): Uint8Array {
    const { mark = '' } = this.#written
    const isMarked = !this.#isBegun && !(mark.startsWith('<') && /^<\?xml\s/.test(text))
    this.#isBegun = true
    return encodeText(isMarked ? mark + text : text, this.#name)
  }
}
