// Which of several records is the newest: the one whose keys are greatest, compared one after the other. What is absent is least; of equal ones the last counts.

import type { Value } from '../../record/value.ts'
import type { FieldPlan, RecordPlan } from '../question/plan.ts'

export class Newest {
  readonly #readKey: (record: number, field: FieldPlan) => Value
  /** The record that won the last comparison, and its keys. */
  #last: { readonly entry: number; readonly keys: readonly Value[] } | undefined

  constructor(readKey: (record: number, field: FieldPlan) => Value) {
    this.#readKey = readKey
  }

  /** Whether a record is at least as new as another one. */
  isAsNew(plan: RecordPlan, entry: number, held: number): boolean {
    const keysOf = (record: number) => plan.keys.map((field) => this.#readKey(record, field))
    const others = this.#last?.entry === held ? this.#last.keys : keysOf(held)
    const keys = keysOf(entry)
    const isNew = areAsGreat(keys, others)
    this.#last = isNew ? { entry, keys } : { entry: held, keys: others }
    return isNew
  }

  /** Entries move, or are forgotten. */
  forget(): void {
    this.#last = undefined
  }
}

function areAsGreat(keys: readonly Value[], others: readonly Value[]): boolean {
  for (const [i, key] of keys.entries()) {
    const other = others[i]
    if (key === other) continue
    if (key === undefined || other === undefined) return other === undefined
    return key > other
  }
  return true
}
