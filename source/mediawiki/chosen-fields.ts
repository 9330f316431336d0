// Some of the fields of a record, by paths such as `revision.contributor.username`.

import type { LineFormat } from '../xml/output/record-lines.ts'
import { formatCells } from '../xml/output/table.ts'

/** The fields that are wanted. */
class FieldList {
  readonly names: readonly string[]
  readonly #paths: readonly (readonly string[])[]

  constructor(names: readonly string[]) {
    this.names = names
    this.#paths = names.map((name) => name.split('.'))
  }

  /** The values in the order of the fields; undefined for those that there are not. */
  read(record: object): unknown[] {
    return this.#paths.map((path) => {
      let value: unknown = record
      for (const key of path) {
        value =
          typeof value === 'object' && value !== null && Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : undefined
      }
      return value
    })
  }

  /** An object with these fields, by their names, without those that there are not. */
  pick(record: object): object {
    const values = this.read(record)
    return Object.fromEntries(this.names.flatMap((name, i) => (values[i] === undefined ? [] : [[name, values[i]]])))
  }
}

/** What is written of each record. It can be sent to a worker. */
export interface LineChoice {
  /** Dotted names. */
  readonly fields: readonly string[]
  readonly format: LineFormat
  /** Whether texts in tables are kept from being formulas. */
  readonly isSafe: boolean
}

/** Writes chosen fields of records that are objects. */
export class ChosenFields {
  readonly #list: FieldList
  readonly #choice: LineChoice

  constructor(choice: LineChoice) {
    this.#choice = choice
    this.#list = new FieldList(choice.fields)
  }

  /** Some of them. */
  only(isWanted: (name: string) => boolean): ChosenFields {
    return new ChosenFields({ ...this.#choice, fields: this.#list.names.filter(isWanted) })
  }

  get names(): readonly string[] {
    return this.#list.names
  }

  /** The line of a record without its end. */
  write(record: object): string {
    const { format, isSafe } = this.#choice
    if (format === 'jsonl') return JSON.stringify(this.#list.pick(record))
    return formatCells(format, this.#list.read(record), isSafe)
  }

  /** How a line begins with fields of a record after which others follow. */
  begin(record: object): string {
    const { format } = this.#choice
    const line = this.write(record)
    if (format === 'jsonl') return line.slice(0, -1)
    return this.names.length === 0 ? '' : `${line}${format === 'csv' ? ',' : '\t'}`
  }
}
