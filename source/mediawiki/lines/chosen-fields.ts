// Some of the fields of a record, by paths such as `revision.contributor.username`, and fields that are added to it.

import type { LineNotation } from '../../record/format/format.ts'
import { type AddedField, OTHER, parseAddedField, type RecordKind } from './added-fields.ts'

/** What is written of each record. */
export interface LineChoice {
  /** Dotted names, and `name=path` for what is added. */
  readonly fields: readonly string[]
  readonly notation: LineNotation
  /** Whether texts in tables are kept from being formulas. */
  readonly isSafe: boolean
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

/** Writes chosen fields of records that are objects. */
export class ChosenFields {
  readonly #kind: RecordKind
  readonly #choice: LineChoice
  readonly #fields: readonly ChosenField[]
  readonly #names: readonly string[]

  constructor(kind: RecordKind, choice: LineChoice) {
    this.#kind = kind
    this.#choice = choice
    this.#fields = choice.fields.map((text) => {
      const added = parseAddedField(kind, text)
      return { name: added?.name ?? text, keys: text.split('.'), added }
    })
    this.#names = this.#fields.map(({ name }) => name)
  }

  /** Some of them. */
  only(isWanted: (name: string) => boolean): ChosenFields {
    return new ChosenFields(this.#kind, { ...this.#choice, fields: this.#choice.fields.filter(isWanted) })
  }

  /** The line of a record without its end. `values` has what was read of it, with the fields that are added. */
  write(record: object, values: object = {}): string {
    const { notation, isSafe } = this.#choice
    const read = this.#fields.map((field) => this.#read(field, record, values))
    return notation.format(this.#names, read, { hasNulls: false, isSafe })
  }

  /** How a line begins with fields of a record after which others follow. */
  begin(record: object): string {
    const { mode, separator } = this.#choice.notation
    const line = this.write(record)
    if (mode === 'object') return line.slice(0, -1)
    return this.#fields.length === 0 ? '' : line + separator
  }

  /** The value of a field; undefined if there is none. */
  #read({ keys, added }: ChosenField, record: object, values: object): unknown {
    if (!added) return follow(record, keys)
    return follow(values, added.isOfOther ? [OTHER[this.#kind], added.key] : [added.key])
  }
}

function follow(record: object, keys: readonly string[]): unknown {
  let value: unknown = record
  for (const key of keys) {
    const isIn = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    value = isIn ? (value as Record<string, unknown>)[key] : undefined
  }
  return value
}
