// Records as functions of users see them.

import type { FieldPlan, RecordPlan } from '../question/plan.ts'
import type { Looking, RecordReader } from './record-reader.ts'

/** One object for one record after the other. Its properties are the fields, and are decoded when they are read: once for each record. */
export class FieldView<Seen extends object = object> {
  readonly #seen = {} as Seen
  #reader: RecordReader | undefined
  #record = 0
  #turn = 0

  /** `hasField`: which fields it has, and those of records in the record. */
  constructor({ fields }: RecordPlan, looking: Looking, hasField: (field: FieldPlan) => boolean) {
    for (const field of fields.filter(hasField)) {
      const { record: inner, isList, name } = field
      const view = inner && !inner.options && !isList ? new FieldView(inner, looking, hasField) : undefined
      // The turn in which it was read last, and its value.
      const known = { turn: 0, value: undefined as unknown }
      const get = () => {
        if (known.turn === this.#turn || field.isLate) return known.value
        const [reader, record] = [this.#reader as RecordReader, this.#record]
        const entry = view ? reader.entryOf(record, [field]) : 0
        known.value = view && entry !== 0 ? view.of(reader, entry) : reader.valueOf(record, field, looking)
        known.turn = this.#turn
        return known.value
      }
      Object.defineProperty(this.#seen, name, { get, enumerable: true })
    }
    Object.preventExtensions(this.#seen)
  }

  /** The object for a record, by its entry. */
  of(reader: RecordReader, record: number): Seen {
    this.#reader = reader
    this.#record = record
    this.#turn++
    return this.#seen
  }
}
