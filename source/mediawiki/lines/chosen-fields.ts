// Some of the fields of a record, by paths such as `revision.contributor.username`, and fields that are added to it.

import type { Format, FormatSetup } from '../../record/format/format.ts'
import type { RecordValues, Value } from '../../record/value.ts'
import { isAddedKey, isAddedToWritten, keysOfField, nameOfField, OTHER, type RecordKind } from './added-fields.ts'

/** What is written of each record. */
export interface LineChoice {
  /** Dotted names, and `name=path` for what is added; undefined for all fields, in formats of objects. */
  readonly fields?: readonly string[] | undefined
  readonly format: Format
  /** How the format is set up: its options, and how many rows a batch has. */
  readonly setup?: FormatSetup
  /** Whether an error in a field that is not chosen is one. */
  readonly checksAll?: boolean
}

/** Finds chosen fields in records that are objects. */
export class ChosenFields {
  /** What they are called in lines. */
  readonly names: readonly string[]
  /** The keys that lead to each. */
  readonly #keys: readonly (readonly string[])[]
  /** The field with a record to which others were added. */
  readonly #extended: string | undefined

  constructor(kind: RecordKind, fields: readonly string[]) {
    this.names = fields.map((text) => nameOfField(kind, text))
    this.#keys = fields.map((text) => keysOfField(kind, text))
    this.#extended = isAddedToWritten(kind, fields) ? OTHER[kind] : undefined
  }

  /** Their values in a record. `values` has what was read of it, with the fields that are added. */
  valuesOf(record: object, values: object = {}): RecordValues {
    // Any name can be one of a field, `__proto__` as well.
    const chosen: RecordValues = Object.create(null)
    for (const [i, keys] of this.#keys.entries()) {
      const value = follow(isAddedKey(keys.at(-1) as string) ? values : record, keys)
      chosen[this.names[i] as string] = keys.join() === this.#extended ? withoutAdded(value) : value
    }
    return chosen
  }
}

function withoutAdded(value: Value): Value {
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isAddedKey(key)))
}

function follow(record: object, keys: readonly string[]): Value {
  let value: unknown = record
  for (const key of keys) {
    const isIn = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    value = isIn ? (value as Record<string, unknown>)[key] : undefined
  }
  return value as Value
}
