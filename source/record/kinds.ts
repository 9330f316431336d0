// The table of kinds of values, for shapes and for grammars. A kind is an entry here: all else that is known of kinds follows from it.

import { withCode } from '../stream/errors.ts'
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
  /** With its parameters, as in `decimal(10,2)`. */
  readonly name: string
  readonly parameters: readonly number[]
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
  /** A value, or what is given for one, as it is compared; and the least and the greatest of what that may stand for. */
  readonly comparable: (value: Value) => Value
  readonly spanOf: (value: Value) => readonly [first: Value, last: Value]
}

const DAY = 24 * 60 * 60 * 1000
const TEXT = { type: 'string' }
const TEXTS = { type: 'object', additionalProperties: TEXT }
const WHOLE = { type: 'integer' }
const STRING = ['string', 'a string'] as const
const NUMBER = ['number', 'a number'] as const
const TRUTH = ['boolean', 'true or false'] as const
const ZERO = 0x30
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
    compared: ['number', 'a valid Date, or its text'],
    // No two dates are the same object.
    comparable: (value) => (value instanceof Date ? value.getTime() : undefined),
    // The text of a day stands for all of it.
    spanOf: (value) => {
      const text = typeof value === 'string' ? value.trim() : undefined
      const date = text === undefined ? value : parseDate(text)
      const time = date instanceof Date ? date.getTime() : Number.NaN
      return [time, text === undefined || /[T ]/i.test(text) ? time : time + DAY - 1]
    },
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

/** A kind of texts with parameters, such as `decimal(10,2)`: their names, and what they are unless they are given; and what makes it, which throws a `RangeError`. */
interface KindFamily {
  readonly parameters: Readonly<Record<string, number | undefined>>
  readonly make: (...parameters: number[]) => Partial<Kind>
}

const FAMILIES = { decimal: { parameters: { precision: 38, scale: undefined }, make: makeDecimal } } satisfies Record<
  string,
  KindFamily
>

/** Kinds of texts that are more than the text. */
export type TextKind = Exclude<keyof typeof OF_TEXTS, 'string'> | `${keyof typeof FAMILIES}(${string})`
type KindName = keyof typeof OF_TEXTS | keyof typeof FAMILIES | keyof typeof OF_ANYTHING | keyof typeof OF_ELEMENTS

const families: ReadonlyMap<string, KindFamily> = new Map(Object.entries(FAMILIES))
const kinds = new Map([
  ...entriesOf('texts', OF_TEXTS),
  ...entriesOf('anything', OF_ANYTHING),
  ...entriesOf('elements', OF_ELEMENTS),
])
/** The names of kinds of texts, and of all kinds; without parameters, whose names follow. */
export const TEXT_KINDS = [...Object.keys(OF_TEXTS).slice(1), ...families.keys()]
export const KIND_NAMES = ['string', ...TEXT_KINDS, ...Object.keys({ ...OF_ANYTHING, ...OF_ELEMENTS })] as KindName[]
export const PARAMETERS = [...families.values()].flatMap(({ parameters }) => Object.keys(parameters))
/** What is no single value: a record, or values of several kinds. */
const OTHER: Kind = complete('elements', '', { compared: undefined })

function entriesOf(of: Kind['of'], kinds: Readonly<Record<string, Partial<Kind>>>): (readonly [string, Kind])[] {
  return Object.entries(kinds).map(([name, kind]) => [name, complete(of, name, kind)] as const)
}

function complete(of: Kind['of'], name: string, kind: Partial<Kind>): Kind {
  const same = <One>(value: One): One => value
  const { comparable = same } = kind
  const spanOf: Kind['spanOf'] = (value) => [comparable(value), comparable(value)]
  const usual = {
    parameters: [],
    words: undefined,
    parse: same,
    schema: TEXT,
    type: 'string',
    column: 'utf8',
    written: 'refused',
  }
  return { name, of, ...usual, compared: undefined, comparable, spanOf, ...kind }
}

/** The kind of a name; what is known of no kind for any other. Throws a `RangeError` with the code `invalid-option` for parameters that it cannot have. */
export function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known) return known
  const { as, ...given } = splitKind(name)
  const family = families.get(as)
  if (!family) return OTHER
  const parameters = Object.keys(family.parameters).map((one) => given[one] as number)
  try {
    const kind = { ...complete('texts', name, family.make(...parameters)), parameters }
    kinds.set(name, kind)
    return kind
  } catch (error) {
    throw withCode(error as RangeError, 'invalid-option')
  }
}

/** What a shape says of a kind: `{ as: 'decimal', precision: 10, scale: 2 }` of `decimal(10,2)`. */
export function splitKind(name: string): { readonly as: string } & Readonly<Record<string, unknown>> {
  const [, as = name, list = ''] = /^(\w+)\((.*)\)$/.exec(name) ?? []
  const names = Object.keys(families.get(as)?.parameters ?? {})
  const values = list.split(',').map((value) => (value === '' ? Number.NaN : Number(value)))
  return { as, ...Object.fromEntries(names.map((one, i) => [one, values[i] ?? Number.NaN])) }
}

/** The name of a kind, of what a shape says. Throws a `TypeError` for parameters of others. */
export function nameKind(as: string, shape: object): string {
  const given = new Map(Object.entries(shape))
  const parameters = families.get(as)?.parameters ?? {}
  const other = PARAMETERS.find((one) => given.get(one) !== undefined && !Object.hasOwn(parameters, one))
  if (other) throw new TypeError(`${other} is not for the kind ${as}`)
  const values = Object.entries(parameters).map(([one, usual]) => given.get(one) ?? usual)
  return values.length === 0 ? as : `${as}(${values.join(',')})`
}

/** Digits that a decimal of 128 bits certainly has. */
const MOST_DIGITS = 38

/** Decimals with exactly as many digits after the point as `scale` says, as the columns of tables have them: never rounded, so zeros alone may be more. */
function makeDecimal(precision: number, scale: number): Partial<Kind> {
  const isWhole = Number.isInteger(precision) && Number.isInteger(scale)
  if (!isWhole || precision < 1 || precision > MOST_DIGITS || scale < 0 || scale > precision)
    throw new RangeError(
      `a decimal has a precision from 1 to ${MOST_DIGITS} digits, and a scale from 0 to as many after the point: decimal(10,2)`,
    )
  const words = `a decimal number with at most ${precision - scale} digits before the point and ${scale} after it`
  const parse = (text: string) => {
    const [, sign, before = '', after = ''] = /^[ \t\r\n]*([+-]?)(\d*)(?:\.(\d*))?[ \t\r\n]*$/.exec(text) ?? []
    const whole = before.replace(/^0+/, '')
    let end = after.length
    while (end > scale && after.charCodeAt(end - 1) === ZERO) end--
    if (before + after === '' || whole.length > precision - scale || end > scale) return undefined
    const digits = (whole || '0') + (scale > 0 ? `.${after.slice(0, end).padEnd(scale, '0')}` : '')
    return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
  }
  return {
    words,
    parse,
    schema: {
      type: 'string',
      pattern: `^-?\\d{1,${Math.max(1, precision - scale)}}${scale > 0 ? `\\.\\d{${scale}}` : ''}$`,
    },
    column: 'decimal',
    compared: ['bigint', words],
    comparable: (value) => {
      const digits = parse(String(value))
      return digits === undefined ? undefined : BigInt(digits.replace('.', ''))
    },
  }
}

/** Whether a number is the one that was written, if that is whole. Fractions and exponents may be rounded. */
function isUnchanged(number: number, text: string): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true
  const [, digits] = /^\s*\+?(-?\d+)(?:\.0*)?\s*$/.exec(text) ?? []
  return digits === undefined || BigInt(digits) === BigInt(number)
}
