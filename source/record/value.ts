// Values of records, whoever has found them, and what texts become.

import { utf8Length } from '../text/utf8.ts'
import { parseDate } from './date.ts'

/** A value of any field. What is made for one kind alone, such as an element, is an object in an array. */
export type Value = string | number | bigint | boolean | Date | undefined | readonly (Value | object)[] | RecordValues

/** Any record. */
export interface RecordValues {
  [name: string]: Value
}

/** A whole number that may have 64 bits. */
const INT64 = /^[ \t\r\n]*[+-]?0*\d{1,19}[ \t\r\n]*$/

/** What a text becomes; undefined if it is not of the kind. Of a kind that is not here, it stays as it is. The blanks around numbers and dates do not count, as in XML Schema. */
export function parseValue(kind: string, text: string): string | number | bigint | boolean | Date | undefined {
  switch (kind) {
    case 'integer': {
      const number = /^[ \t\r\n]*[+-]?\d+[ \t\r\n]*$/.test(text) ? Number(text) : Number.NaN
      // There is no -0 among whole numbers.
      return Number.isSafeInteger(number) ? number + 0 : undefined
    }
    case 'int64': {
      const digits = INT64.test(text) ? BigInt(text) : undefined
      return digits !== undefined && BigInt.asIntN(64, digits) === digits ? digits : undefined
    }
    case 'number': {
      const isDecimal = /^[ \t\r\n]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\r\n]*$/.test(text)
      const number = isDecimal ? Number(text) : Number.NaN
      return Number.isFinite(number) && isUnchanged(number, text) ? number : undefined
    }
    case 'boolean': {
      const word = text.trim()
      if (word === 'true' || word === '1') return true
      return word === 'false' || word === '0' ? false : undefined
    }
    case 'date':
      return parseDate(text.trim())
    case 'byteLength':
      return utf8Length(text, 0, text.length)
    default:
      return text
  }
}

/** Whether a number is the one that was written, if that is whole. Fractions and exponents may be rounded. */
function isUnchanged(number: number, text: string): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true
  const [, digits] = /^\s*\+?(-?\d+)(?:\.0*)?\s*$/.exec(text) ?? []
  return digits === undefined || BigInt(digits) === BigInt(number)
}

/** Words for values of a kind. */
export const KIND_WORDS: Readonly<Partial<Record<string, string>>> = {
  integer: `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  int64: `a whole number from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
  number: 'a finite decimal number that is exact if it is an integer',
  boolean: 'true, false, 1 or 0',
  date: 'a date or a time of ISO 8601, such as 2026-11-24 or 2026-11-24T10:00:00Z',
}
