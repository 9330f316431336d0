// Lines that are written, and what is counted of them.

import { LineBytes } from '../xml/output/line-bytes.ts'
import type { PageLines } from './page-lines.ts'

/** What a record counts as: whether its page redirects, and what is known of its revision. */
export interface WrittenCounts {
  isRedirect: boolean
  hasRevision: boolean
  isMissingText: boolean
  isSuppressed: boolean
}

type Sums = { -readonly [Name in keyof Omit<PageLines, 'bytes'>]: number }

const NOTHING: Sums = {
  pages: 0,
  firstPage: 0,
  lastPage: 0,
  redirects: 0,
  revisions: 0,
  missingTexts: 0,
  suppressed: 0,
}
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Puts the lines of one reading together. */
export class LineOutput {
  /** What is written. */
  readonly output = new LineBytes()
  /** What is written last counts as. */
  readonly counts: WrittenCounts = { isRedirect: false, hasRevision: false, isMissingText: false, isSuppressed: false }
  readonly #isCsv: boolean
  #left: number
  #sums = { ...NOTHING }
  #isEmpty = true

  /** `limit`: how many lines to write at most; `isCsv`: whether they end as in such tables. */
  constructor(limit = Number.POSITIVE_INFINITY, isCsv = false) {
    this.#left = limit
    this.#isCsv = isCsv
  }

  /** Whether no more lines are wanted. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  /** Ends a line of a page, or of a revision of it; `isSame`: the page of the line before. */
  end(page: number, isSame: boolean): void {
    const { counts } = this
    if (this.#isCsv) this.output.putByte(CARRIAGE_RETURN)
    this.output.putByte(LINE_FEED)
    const sums = this.#sums
    if (!isSame) sums.pages++
    if (!isSame && counts.isRedirect) sums.redirects++
    if (this.#isEmpty) sums.firstPage = page
    sums.lastPage = page
    if (counts.hasRevision) sums.revisions++
    if (counts.isMissingText) sums.missingTexts++
    if (counts.isSuppressed) sums.suppressed++
    this.#isEmpty = false
    this.#left--
  }

  /** The lines since the last time; none: an empty array. */
  take(): PageLines[] {
    if (this.#isEmpty) return []
    const sums = this.#sums
    this.#sums = { ...NOTHING }
    this.#isEmpty = true
    return [{ bytes: this.output.take(), ...sums }]
  }
}
