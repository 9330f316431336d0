// Short values of fields, which are decoded together.

import type { TextKind } from './character-data.ts'
import { type Field, type FieldValues, putValue } from './field.ts'

/** Short values that are to be decoded: lists of the same length, with room for more. */
export class PendingValues {
  count = 0
  /** Bytes of all of them. */
  bytes = 0
  /** Three numbers for each, as `DocumentFacts.decode` takes them. */
  readonly ranges: number[] = []
  /** How many units there are up to the end of each, when it says so. */
  readonly ends: number[] = []
  readonly #values: FieldValues[] = []
  readonly #fields: Field[] = []
  readonly #slots: number[] = []

  add(values: FieldValues, field: Field, slot: number, from: number, end: number, kind: TextKind): void {
    const i = this.count++
    this.#values[i] = values
    this.#fields[i] = field
    this.#slots[i] = slot
    this.ranges[3 * i] = from
    this.ranges[3 * i + 1] = end
    this.ranges[3 * i + 2] = kind
    this.bytes += end - from
  }

  /** Gives each its part of a text. */
  settle(text: string): void {
    for (let i = 0, from = 0; i < this.count; i++) {
      const end = this.ends[i] as number
      putValue(
        this.#values[i] as FieldValues,
        this.#fields[i] as Field,
        this.#slots[i] as number,
        text.substring(from, end),
      )
      from = end
    }
    this.#clear()
  }

  /** Decodes them one by one. */
  settleEach(decode: (field: Field, from: number, end: number, kind: TextKind) => string): void {
    for (let i = 0; i < this.count; i++) {
      const [from, end, kind] = this.ranges.slice(3 * i, 3 * i + 3) as [number, number, TextKind]
      const field = this.#fields[i] as Field
      putValue(this.#values[i] as FieldValues, field, this.#slots[i] as number, decode(field, from, end, kind))
    }
    this.#clear()
  }

  #clear(): void {
    this.count = 0
    this.bytes = 0
    // Records are not to be kept by who made them.
    this.#values.length = 0
  }
}
