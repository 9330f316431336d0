// Which kind all values of a field have. A kind is meant only where it gives back each text as it was: `007`, `1e3` and `+1` are texts.

import { parseDate } from '../../record/date.ts'
import { kindOf } from '../../record/kinds.ts'
import type { ValueKind } from '../question/shape.ts'

/** The kinds that values may have. The first one counts that all are of. */
const KINDS: readonly ValueKind[] = ['boolean', 'integer', 'int64', 'number', 'date']
/** Longer texts are texts. */
const LONGEST = 40
/** Among so large whole numbers, JavaScript has not all. */
const LARGE = /^-?\d{16,}$/
/** UTF-16 units of an example. */
const LONGEST_EXAMPLE = 40

/** Whether a text is what the value of a kind is printed as. */
export function isPrintedAs(kind: ValueKind, text: string): boolean {
  if (kind === 'string') return true
  if (text.length > LONGEST || !KINDS.includes(kind)) return false
  const value = kindOf(kind).parse(text)
  if (kind === 'number' && LARGE.test(text) && !Number.isSafeInteger(value)) return false
  return value !== undefined && (value instanceof Date ? value.toISOString() : String(value)) === text
}

/** The values that were seen of one field. */
export class ValueSurvey {
  count = 0
  /** The first value that is short and can be printed, if there is one. */
  example: string | undefined
  #kinds = KINDS
  /** Whether all are dates, though `date` would print them in another way. */
  #areDates = true

  /** Adds a value. `text` need not be complete if it is longer than `LONGEST_VALUE`. */
  add(text: string): void {
    this.count++
    if (this.#kinds.length > 0) this.#kinds = this.#kinds.filter((kind) => isPrintedAs(kind, text))
    if (this.#areDates) this.#areDates = text.length <= LONGEST && parseDate(text) !== undefined
    if (this.example === undefined && isExample(text)) this.example = text
  }

  /** Adds the values of another field. */
  merge(other: ValueSurvey): void {
    if (other.count === 0) return
    this.count += other.count
    this.#kinds = this.#kinds.filter((kind) => other.#kinds.includes(kind))
    this.#areDates &&= other.#areDates
    this.example ??= other.example
  }

  get kind(): ValueKind {
    return (this.count > 0 && this.#kinds[0]) || 'string'
  }

  /** Whether `date` would read all values, and print them in another way. */
  get areOtherDates(): boolean {
    return this.count > 0 && this.#areDates && this.kind !== 'date'
  }
}

/** UTF-16 units of a value that are looked at. */
export const LONGEST_VALUE = LONGEST

function isExample(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_EXAMPLE && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text)
}
