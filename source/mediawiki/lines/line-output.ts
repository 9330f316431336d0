// Batches of a format, and what is counted of the records in them.

import type { Collector, FormatRecord } from '../../record/format/format.ts'
import type { PageLines, WrittenLines } from './page-lines.ts'

const NO_BYTES = new Uint8Array(0)

/** No lines, which are of no page. */
export const NO_LINES: WrittenLines = {
  bytes: NO_BYTES,
  batches: [],
  pages: 0,
  firstPage: Number.NaN,
  lastPage: Number.NaN,
  redirects: 0,
  revisions: 0,
  missingTexts: 0,
  suppressed: 0,
}

/** Puts the records of one reading together. */
export class LineOutput {
  readonly #collector: Collector<unknown>
  #left: number
  #lastPage: number | undefined
  #lastStart: number | undefined
  #sums: { -readonly [Name in keyof PageLines]: PageLines[Name] } = { ...NO_LINES }
  #isEmpty = true

  /** `limit`: how many records to write at most. */
  constructor(collector: Collector<unknown>, limit = Number.POSITIVE_INFINITY) {
    this.#collector = collector
    this.#left = limit
  }

  /** What the kernel may write of a record. */
  get writing(): Collector<unknown>['writing'] {
    return this.#collector.writing
  }

  /** Whether no more records are wanted. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  /** Makes room for one more record. False if no more are wanted. */
  reserve(): boolean {
    this.#left--
    return this.#left >= 0
  }

  /** Writes a record for which there is room. */
  add(record: FormatRecord): void {
    this.#collector.add(record)
  }

  /** Counts a record of a page, by its id, which may not be a number. Returns whether the one before is of another page. `start`: of a revision, where its page begins. */
  countRecord(page: number, start: number | undefined): boolean {
    const sums = this.#sums
    const isOther = Number.isNaN(page) ? start !== this.#lastStart : page !== this.#lastPage
    const isNew = start === undefined || isOther
    this.#lastStart = start
    if (isNew) sums.pages++
    if (Number.isNaN(sums.firstPage)) sums.firstPage = page
    if (!Number.isNaN(page)) sums.lastPage = page
    this.#lastPage = page
    this.#isEmpty = false
    return isNew
  }

  /** Counts something that the last record has. */
  count(name: 'redirects' | 'revisions' | 'missingTexts' | 'suppressed'): void {
    this.#sums[name]++
  }

  /** What is complete, and what was counted since the last time; nothing: an empty array. `isLast`: no more records come. */
  take(isLast: boolean): WrittenLines[] {
    const collected = isLast ? this.#collector.finish() : this.#collector.take([])
    if (this.#isEmpty && collected.length === 0) return []
    const sums = this.#sums
    this.#sums = { ...NO_LINES }
    this.#isEmpty = true
    const batches = collected.map(({ batch }) => batch)
    const { bytes = NO_BYTES } = (batches[0] ?? {}) as Partial<PageLines>
    return [{ ...sums, bytes, batches }]
  }
}
