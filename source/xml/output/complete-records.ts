// Records whose elements have ended, in the order in which they ended: numbers rather than objects, because there are many.

import type { RecordPlan } from '../projection/plan.ts'

export class CompleteRecords {
  #count = 0
  readonly #plans: RecordPlan[] = []
  readonly #entries: number[] = []
  readonly #ends: number[] = []
  readonly #depths: number[] = []
  readonly #linesFrom: number[] = []
  readonly #lineEnds: number[] = []

  get count(): number {
    return this.#count
  }

  /** Adds a record with its entry, where its element ends, and how many elements were open with it. */
  add(plan: RecordPlan, entry: number, end: number, depth: number): void {
    this.addWritten(plan, entry, end, depth, 0, 0)
  }

  /** Adds one whose line stands between two places, if they differ. */
  addWritten(plan: RecordPlan, entry: number, end: number, depth: number, lineFrom: number, lineEnd: number): void {
    const i = this.#count++
    this.#plans[i] = plan
    this.#entries[i] = entry
    this.#ends[i] = end
    this.#depths[i] = depth
    this.#linesFrom[i] = lineFrom
    this.#lineEnds[i] = lineEnd
  }

  clear(): void {
    this.#count = 0
  }

  planOf(i: number): RecordPlan {
    return this.#plans[i] as RecordPlan
  }

  entryOf(i: number): number {
    return this.#entries[i] as number
  }

  endOf(i: number): number {
    return this.#ends[i] as number
  }

  depthOf(i: number): number {
    return this.#depths[i] as number
  }

  /** From where to where the line of a record was written; the same for one that has none. */
  lineFromOf(i: number): number {
    return this.#linesFrom[i] as number
  }

  lineEndOf(i: number): number {
    return this.#lineEnds[i] as number
  }
}
