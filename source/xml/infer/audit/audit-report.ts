// What audits have found in all documents: counts by paths.

import type { Left, LeftWhy } from './leftover.ts'

/** Different paths that are counted. */
const MOST_PATHS = 1000

/** What is left in records, and in how many. */
export interface LeftCount extends Left {
  readonly records: number
}

export class AuditReport {
  readonly #counts = new Map<string, { path: string; why: LeftWhy; records: number }>()
  /** How many records were looked at. */
  records = 0
  readonly #outside = new Map<string, number>()
  /** Whether there were more paths than are counted. */
  isCut = false

  /** Adds what is left of one record. */
  add(left: readonly Left[]): void {
    for (const { path, why } of left) {
      const key = `${why} ${path}`
      const known = this.#counts.get(key)
      if (known) known.records++
      else if (this.#counts.size < MOST_PATHS) this.#counts.set(key, { path, why, records: 1 })
      else this.isCut = true
    }
  }

  /** Adds something that is in no record. */
  addOutside(path: string): void {
    if (this.#outside.has(path) || this.#outside.size < MOST_PATHS) {
      this.#outside.set(path, (this.#outside.get(path) ?? 0) + 1)
    } else this.isCut = true
  }

  /** Those that are in most records first. */
  get left(): LeftCount[] {
    return [...this.#counts.values()].sort((one, other) => other.records - one.records)
  }

  /** What is in no record, by its path. */
  get outside(): ReadonlyMap<string, number> {
    return this.#outside
  }
}
