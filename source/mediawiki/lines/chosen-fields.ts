// Some of the fields of a record, by paths such as `revision.contributor.username`, and fields that are added to it.

import type { Format, FormatSetup } from '../../record/format/format.ts'
import type { RecordValues, Value } from '../../record/value.ts'
import {
  type AddedField,
  isAddedKey,
  isAddedToWritten,
  OTHER,
  parseAddedField,
  type RecordKind,
} from './added-fields.ts'

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

/** A field that is wanted. */
interface ChosenField {
  readonly name: string
  /** The keys that lead to it, or what is added. */
  readonly keys: readonly string[]
  readonly added: AddedField | undefined
}

/** Finds chosen fields in records that are objects. */
export class ChosenFields {
  /** What they are called in lines. */
  readonly names: readonly string[]
  readonly #kind: RecordKind
  readonly #fields: readonly ChosenField[]
  /** Whether a record that is written has fields that were added to it. */
  readonly #hasAdded: boolean

  constructor(kind: RecordKind, fields: readonly string[]) {
    this.#kind = kind
    this.#fields = fields.map((text) => {
      const added = parseAddedField(kind, text)
      return { name: added?.name ?? text, keys: text.split('.'), added }
    })
    this.names = this.#fields.map(({ name }) => name)
    this.#hasAdded = isAddedToWritten(kind, fields)
  }

  /** Their values in a record. `values` has what was read of it, with the fields that are added. */
  valuesOf(record: object, values: object = {}): RecordValues {
    // Any name can be one of a field, `__proto__` as well.
    const chosen: RecordValues = Object.create(null)
    for (const field of this.#fields) chosen[field.name] = this.#read(field, record, values)
    return chosen
  }

  /** The value of a field; undefined if there is none. */
  #read({ keys, added }: ChosenField, record: object, values: object): Value {
    if (!added) {
      const value = follow(record, keys)
      return this.#hasAdded && keys.join() === OTHER[this.#kind] ? withoutAdded(value) : value
    }
    return follow(values, added.isOfOther ? [OTHER[this.#kind], added.key] : [added.key])
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
