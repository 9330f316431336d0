// Texts as they are in objects.

import type { XmlObjectOptions, XmlValue } from './xml-object.ts'

/** Numbers have no longer texts: `-1.2345678901234568e-300`. */
const LONGEST_NUMBER = 25

export class TextReader {
  readonly #isTrimmed: boolean
  readonly #hasValues: boolean

  constructor({ trim = false, values = false }: XmlObjectOptions) {
    this.#isTrimmed = trim
    this.#hasValues = values
  }

  /** A text of an element. */
  read(text: string): XmlValue {
    return this.value(this.#isTrimmed ? trimBlanks(text) : text)
  }

  /** The value of an attribute. */
  value(text: string): XmlValue {
    return this.#hasValues ? parseValue(text) : text
  }
}

/** Without the white space of XML at both ends. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r\n]+/, '').replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
}

/** A number or a boolean, if `String` makes the same text of it. */
function parseValue(text: string): XmlValue {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text.length > LONGEST_NUMBER || !/^-?\d/.test(text)) return text
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}
