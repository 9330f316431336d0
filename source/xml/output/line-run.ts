// Lines that the kernel has written one after the other, with nothing between them: what is done for each of them is done for all at once.

import type { CompleteRecords } from './complete-records.ts'
import type { FoundRecord } from './found-record.ts'
import type { LineBytes } from './line-bytes.ts'

/** Takes lines. */
export interface LineTaker {
  /** Whether the line of a record is good; otherwise it counts as one that the kernel has not written. Without it, all are. */
  readonly canTake?: ((record: FoundRecord) => boolean) | undefined
  /** Decides about each record. It may throw a `Fault`. */
  readonly isWanted: (record: FoundRecord) => boolean
  /** Takes all lines that follow each other in the memory of the kernel. */
  readonly add: (run: LineRun) => void
}

/** It is one run after the other: it must not be kept. Records in it have indices from 0. */
export class LineRun {
  readonly #records: CompleteRecords
  /** The memory in which the kernel has written. */
  readonly #bytes: Uint8Array
  #first = 0
  #end = 0

  constructor(records: CompleteRecords, bytes: Uint8Array) {
    this.#records = records
    this.#bytes = bytes
  }

  get count(): number {
    return this.#end - this.#first
  }

  /** Adds one of the complete records that has a line. False if that is not the one after the run: then the run is to be given first. */
  add(index: number): boolean {
    const records = this.#records
    if (this.count === 0) this.#first = index
    else if (index !== this.#end || records.lineFromOf(index) !== records.lineEndOf(index - 1)) return false
    this.#end = index + 1
    return true
  }

  clear(): void {
    this.#first = this.#end
  }

  /** Writes all lines. */
  put(output: LineBytes): void {
    const records = this.#records
    output.put(this.#bytes, records.lineFromOf(this.#first), records.lineEndOf(this.#end - 1))
  }

  entryOf(i: number): number {
    return this.#records.entryOf(this.#first + i)
  }

  /** What is there of a record (`LineColumn.note`). */
  notesOf(i: number): number {
    return this.#records.notesOf(this.#first + i)
  }

  /** A number of the record around a record, by which those that are next to each other in the run can be told apart. */
  aroundOf(i: number): number {
    return this.#records.aroundOf(this.#first + i)
  }
}
