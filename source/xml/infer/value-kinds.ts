// Which kind all values of a field have. A kind is meant only where it gives back each text as it was: `007`, `1e3` and `+1` are texts.

import { parseDate } from '../../record/date.ts'
import type { ValueKind } from '../question/shape.ts'

/** The kinds that values may have, each with a bit. Whole numbers that JavaScript cannot represent are a class of their own. */
const Bit = { boolean: 1, integer: 2, large: 4, number: 8, date: 16 } as const
const ALL = 31
/** The kind of whole numbers of 64 bits. */
const KIND_OF_LARGE: ValueKind = 'int64'
const BIT_OF: Readonly<Partial<Record<ValueKind, number>>> = { ...Bit, [KIND_OF_LARGE]: Bit.large }
/** Longer texts are texts. */
const LONGEST = 40
const WHOLE = /^-?(?:0|[1-9]\d*)$/
const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n
/** UTF-16 units of an example. */
const LONGEST_EXAMPLE = 40

/** Whether a text is what the value of a kind is printed as. */
export function isPrintedAs(kind: ValueKind, text: string): boolean {
  return kind === 'string' || (bitsOf(text) & (BIT_OF[kind] ?? 0)) !== 0
}

/** The values that were seen of one field. */
export class ValueSurvey {
  count = 0
  /** The first value that is short and can be printed, if there is one. */
  example: string | undefined
  #bits = ALL
  /** Whether all are dates, though `date` would print them in another way. */
  #areDates = true

  /** Adds a value. `text` need not be complete if it is longer than `LONGEST_VALUE`. */
  add(text: string): void {
    this.count++
    if (this.#bits !== 0) this.#bits &= bitsOf(text)
    if (this.#areDates) this.#areDates = text.length <= LONGEST && parseDate(text) !== undefined
    if (this.example === undefined && isExample(text)) this.example = text
  }

  /** Adds the values of another field. */
  merge(other: ValueSurvey): void {
    if (other.count === 0) return
    this.count += other.count
    this.#bits &= other.#bits
    this.#areDates &&= other.#areDates
    this.example ??= other.example
  }

  get kind(): ValueKind {
    const bits = this.count === 0 ? 0 : this.#bits
    if (bits & Bit.boolean) return 'boolean'
    if (bits & Bit.integer) return 'integer'
    if (bits & Bit.large) return KIND_OF_LARGE
    if (bits & Bit.number) return 'number'
    return bits & Bit.date ? 'date' : 'string'
  }

  /** Whether `date` would read all values, and print them in another way. */
  get areOtherDates(): boolean {
    return this.count > 0 && this.#areDates && this.kind !== 'date'
  }
}

/** UTF-16 units of a value that are looked at. */
export const LONGEST_VALUE = LONGEST

function bitsOf(text: string): number {
  if (text.length === 0 || text.length > LONGEST) return 0
  if (text === 'true' || text === 'false') return Bit.boolean
  const isWhole = WHOLE.test(text) && text !== '-0'
  const isSafe = isWhole && Number.isSafeInteger(Number(text))
  const isLarge = isWhole && isInRange(text)
  const number = Number(text)
  const isNumber = Number.isFinite(number) && String(number) === text
  const isDate = parseDate(text)?.toISOString() === text
  return (
    (isSafe ? Bit.integer : 0) |
    (isLarge ? Bit.large : 0) |
    (isNumber && (isSafe || !isWhole) ? Bit.number : 0) |
    (isDate ? Bit.date : 0)
  )
}

function isInRange(text: string): boolean {
  const value = BigInt(text)
  return value >= LEAST && value <= GREATEST
}

function isExample(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_EXAMPLE && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text)
}
