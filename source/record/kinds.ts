// The table of kinds of values, for shapes and for grammars. A kind is an entry here: all else that is known of kinds follows from it.

import { utf8Length } from '../text/utf8.ts'
import { parseDate } from './date.ts'
import type { Value } from './value.ts'

/** What is used of JSON Schema. */
export interface KindSchema {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly additionalProperties?: boolean | KindSchema
  readonly items?: KindSchema
  readonly oneOf?: readonly KindSchema[]
  readonly $ref?: string
}

export interface Kind {
  readonly name: string
  /** What has values of it: texts, which attributes, names and rules of grammars are as well; anything that is there; or elements alone. */
  readonly of: 'texts' | 'anything' | 'elements'
  /** Words for its values. Blanks around them do not count, as in XML Schema. Undefined for what any text is. */
  readonly words: string | undefined
  /** What a text becomes; undefined if it is not of the kind. */
  readonly parse: (text: string) => Value
  /** The values in JSON, and their type in TypeScript. */
  readonly schema: KindSchema
  readonly type: string
  /** What makes a column of them (format/column-builder.ts). */
  readonly column: string
  /** How the kernel writes them (`As` in xml/question/layout.ts). */
  readonly written: string
  /** In conditions, the `typeof` what they are compared as, and words for what they are compared with; undefined for what is not a single value. */
  readonly compared: readonly [type: string, words: string] | undefined
  /** A value, or what is given for one, as it is compared. */
  readonly comparable: (value: Value) => Value
}

const TEXT = { type: 'string' }
const TEXTS = { type: 'object', additionalProperties: TEXT }
const WHOLE = { type: 'integer' }
const STRING = ['string', 'a string'] as const
const NUMBER = ['number', 'a number'] as const
const TRUTH = ['boolean', 'true or false'] as const
const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

/** Values that are made of texts. */
const OF_TEXTS = {
  string: { compared: STRING, written: 'text' },
  integer: {
    words: `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    parse: (text) => {
      const number = /^[ \t\r\n]*[+-]?\d+[ \t\r\n]*$/.test(text) ? Number(text) : Number.NaN
      // There is no -0 among whole numbers.
      return Number.isSafeInteger(number) ? number + 0 : undefined
    },
    schema: WHOLE,
    type: 'number',
    column: 'int64',
    written: 'integer',
    compared: NUMBER,
  },
  int64: {
    words: `a whole number from ${LEAST} to ${GREATEST}`,
    parse: (text) => {
      const digits = /^[ \t\r\n]*[+-]?0*\d{1,19}[ \t\r\n]*$/.test(text) ? BigInt(text) : undefined
      return digits !== undefined && BigInt.asIntN(64, digits) === digits ? digits : undefined
    },
    schema: WHOLE,
    type: 'bigint',
    column: 'int64',
    written: 'int64',
    compared: ['bigint', 'a whole number of 64 bits'],
    // It may be given as a number, or as its digits.
    comparable: (value) => {
      const isIt = typeof value === 'bigint' && BigInt.asIntN(64, value) === value
      return isIt ? value : /^-?\d{1,19}$/.test(String(value)) ? BigInt(value as string) : undefined
    },
  },
  number: {
    words: 'a finite decimal number that is exact if it is an integer',
    parse: (text) => {
      const isDecimal = /^[ \t\r\n]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\r\n]*$/.test(text)
      const number = isDecimal ? Number(text) : Number.NaN
      return Number.isFinite(number) && isUnchanged(number, text) ? number : undefined
    },
    schema: { type: 'number' },
    type: 'number',
    column: 'float64',
    written: 'number',
    compared: NUMBER,
  },
  boolean: {
    words: 'true, false, 1 or 0',
    parse: (text) => {
      const word = text.trim()
      if (word === 'true' || word === '1') return true
      return word === 'false' || word === '0' ? false : undefined
    },
    schema: { type: 'boolean' },
    type: 'boolean',
    column: 'bool',
    written: 'boolean',
    compared: TRUTH,
  },
  date: {
    words: 'a date or a time of ISO 8601, such as 2026-11-24 or 2026-11-24T10:00:00Z',
    parse: (text) => parseDate(text.trim()),
    schema: { type: 'string', format: 'date-time' },
    type: 'Date',
    column: 'timestamp',
    written: 'date',
    compared: ['number', 'a valid Date'],
    // No two dates are the same object.
    comparable: (value) => (value instanceof Date ? value.getTime() : undefined),
  },
} satisfies Record<string, Partial<Kind>>

const OF_ANYTHING = {
  byteLength: {
    parse: (text) => utf8Length(text, 0, text.length),
    schema: WHOLE,
    column: 'int64',
    written: 'length',
    compared: NUMBER,
  },
  present: { schema: { const: true }, column: 'bool', written: 'true', compared: TRUTH },
} satisfies Record<string, Partial<Kind>>

const OF_ELEMENTS = {
  xml: { written: 'text', compared: STRING },
  offset: { schema: WHOLE, column: 'int64', written: 'offset', compared: NUMBER },
  attributes: { schema: TEXTS },
  children: {
    schema: { type: 'object', additionalProperties: { oneOf: [TEXT, { type: 'array', items: TEXT }] } },
  },
  object: { schema: { oneOf: [TEXT, { type: 'object' }] } },
  rest: { schema: { type: 'array', items: { $ref: '#/definitions/element' } } },
} satisfies Record<string, Partial<Kind>>

/** Kinds of texts that are more than the text. */
export type TextKind = Exclude<keyof typeof OF_TEXTS, 'string'>
type KindName = keyof typeof OF_TEXTS | keyof typeof OF_ANYTHING | keyof typeof OF_ELEMENTS

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...entriesOf('texts', OF_TEXTS),
  ...entriesOf('anything', OF_ANYTHING),
  ...entriesOf('elements', OF_ELEMENTS),
])
/** The names of all kinds, and those of kinds of texts. */
export const KIND_NAMES = [...KINDS.keys()] as KindName[]
export const TEXT_KINDS = KIND_NAMES.filter(
  (name) => name !== 'string' && KINDS.get(name)?.of === 'texts',
) as TextKind[]
/** What is no single value: a record, or values of several kinds. */
const OTHER: Kind = complete('elements', '', { compared: undefined })

function entriesOf(of: Kind['of'], kinds: Readonly<Record<string, Partial<Kind>>>): (readonly [string, Kind])[] {
  return Object.entries(kinds).map(([name, kind]) => [name, complete(of, name, kind)] as const)
}

function complete(of: Kind['of'], name: string, kind: Partial<Kind>): Kind {
  const same = <One>(value: One): One => value
  const usual = { words: undefined, parse: same, schema: TEXT, type: 'string', column: 'utf8', written: 'refused' }
  return { name, of, ...usual, compared: undefined, comparable: same, ...kind }
}

/** The kind of a name; what is known of no kind for any other. */
export function kindOf(name: string): Kind {
  return KINDS.get(name) ?? OTHER
}

/** Whether a number is the one that was written, if that is whole. Fractions and exponents may be rounded. */
function isUnchanged(number: number, text: string): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true
  const [, digits] = /^\s*\+?(-?\d+)(?:\.0*)?\s*$/.exec(text) ?? []
  return digits === undefined || BigInt(digits) === BigInt(number)
}
