// Records whose elements have ended, in the order in which they ended: numbers rather than objects, because there are many.

import type { RecordPlan } from '../projection/plan.ts'

/** What the kernel says of a record. */
export interface WrittenRecord {
  /** From where to where its line stands in the machine's memory; the same if it has none. */
  readonly lineFrom: number
  readonly lineEnd: number
  /** Whether its line has all that is to be in it. Otherwise what is around the record is left out, which the host has found. */
  readonly isWhole: boolean
  /** What is there of it (`LineColumn.note`). */
  readonly notes: number
  /** The entry of the record around it; 0 if the kernel has not found it. */
  readonly around: number
}

const UNWRITTEN: WrittenRecord = { lineFrom: 0, lineEnd: 0, isWhole: false, notes: 0, around: 0 }

export class CompleteRecords {
  #count = 0
  readonly #plans: RecordPlan[] = []
  readonly #entries: number[] = []
  readonly #ends: number[] = []
  readonly #depths: number[] = []
  readonly #linesFrom: number[] = []
  readonly #lineEnds: number[] = []
  readonly #areWhole: boolean[] = []
  readonly #notes: number[] = []
  readonly #arounds: number[] = []

  get count(): number {
    return this.#count
  }

  /** Adds a record with its entry, where its element ends, how many elements were open with it, and what the kernel says of it. */
  add(plan: RecordPlan, entry: number, end: number, depth: number, written = UNWRITTEN): void {
    const i = this.#count++
    this.#plans[i] = plan
    this.#entries[i] = entry
    this.#ends[i] = end
    this.#depths[i] = depth
    this.#linesFrom[i] = written.lineFrom
    this.#lineEnds[i] = written.lineEnd
    this.#areWhole[i] = written.isWhole
    this.#notes[i] = written.notes
    this.#arounds[i] = written.around
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

  /** Whether a record has a line with all that is to be in it. */
  isWhole(i: number): boolean {
    return this.#areWhole[i] as boolean
  }

  notesOf(i: number): number {
    return this.#notes[i] as number
  }

  aroundOf(i: number): number {
    return this.#arounds[i] as number
  }
}
