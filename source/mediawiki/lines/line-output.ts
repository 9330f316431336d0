// Lines that are written, and what is counted of them.

import { LineBytes } from '../../record/line-bytes.ts'
import type { PageLines } from './page-lines.ts'

/** No lines, which are of no page. */
export const NO_LINES: PageLines = {
  bytes: new Uint8Array(0),
  pages: 0,
  firstPage: Number.NaN,
  lastPage: Number.NaN,
  redirects: 0,
  revisions: 0,
  missingTexts: 0,
  suppressed: 0,
}

/** Puts the lines of one reading together. */
export class LineOutput {
  /** What is written. */
  readonly output = new LineBytes()
  readonly #lineEnd: Uint8Array
  #left: number
  #lastPage: number | undefined
  #sums: { -readonly [Name in keyof PageLines]: PageLines[Name] } = { ...NO_LINES }
  #isEmpty = true

  /** `limit`: how many lines to write at most. */
  constructor(limit = Number.POSITIVE_INFINITY, lineEnd = '\n') {
    this.#left = limit
    this.#lineEnd = new TextEncoder().encode(lineEnd)
  }

  /** Whether no more lines are wanted. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  /** Makes room for one more line. False if no more are wanted. */
  reserve(): boolean {
    this.#left--
    return this.#left >= 0
  }

  /** Ends a line for which there is room. */
  endLine(): void {
    this.output.put(this.#lineEnd)
  }

  /** Counts a line of a page, by its id. Returns whether the line before is of another page; `isRevision`: it may not be. */
  count(page: number, isRevision: boolean): boolean {
    const sums = this.#sums
    // Where ids are not asked for, one may not be a number.
    const isNew = !isRevision || !Object.is(page, this.#lastPage)
    if (isNew) sums.pages++
    if (Number.isNaN(sums.firstPage)) sums.firstPage = page
    if (!Number.isNaN(page)) sums.lastPage = page
    this.#lastPage = page
    this.#isEmpty = false
    return isNew
  }

  /** Counts something that the last line has. */
  add(name: 'redirects' | 'revisions' | 'missingTexts' | 'suppressed'): void {
    this.#sums[name]++
  }

  /** The lines since the last time; none: an empty array. */
  take(): PageLines[] {
    if (this.#isEmpty) return []
    const sums = this.#sums
    this.#sums = { ...NO_LINES }
    this.#isEmpty = true
    return [{ ...sums, bytes: this.output.take() }]
  }
}
