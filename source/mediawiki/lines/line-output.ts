// Lines that are written, and what is counted of them.

import { LineBytes } from '../../xml/output/line-bytes.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import type { PageLines, PageTraits } from './page-lines.ts'

/** Bits of what is there of a page and of its revision, by which they are counted. */
export const NoteBit = {
  REDIRECT: 0,
  REVISION: 1,
  TEXT: 2,
  /** A length of the text that is positive, and the next one if it is negative. */
  BYTES: 3,
  NEGATIVE_BYTES: 4,
  DELETED_CONTRIBUTOR: 5,
} as const

const REDIRECT = 1 << NoteBit.REDIRECT
const REVISION = 1 << NoteBit.REVISION
const TEXT = 1 << NoteBit.TEXT
const BYTES = 1 << NoteBit.BYTES
const SUPPRESSED = (1 << NoteBit.NEGATIVE_BYTES) | (1 << NoteBit.DELETED_CONTRIBUTOR)

/** These bits of a page, and of a revision in a record. `ofRevision`: what the names of its fields begin with. */
export function notesOf(page: Omit<PageTraits, 'revision'>, record: RecordView, ofRevision: string): number {
  const has = (name: string) => record.has(ofRevision + name)
  const bytes = Number(record.text(`${ofRevision}bytes`) ?? 0)
  return (
    (page.redirect === undefined ? 0 : REDIRECT) |
    (ofRevision === '' || record.has('revision') ? REVISION : 0) |
    (has('text') ? TEXT : 0) |
    (bytes > 0 ? BYTES : 0) |
    (bytes < 0 || has('contributor.deleted') ? SUPPRESSED : 0)
  )
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

/** Puts the lines of one reading together. */
export class LineOutput {
  /** What is written. */
  readonly output = new LineBytes()
  readonly #lineEnd: Uint8Array
  #left: number
  #lastPage: number | undefined
  #sums = { ...NOTHING }
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

  /** The id of the page of the last line; undefined before there is one. */
  get lastPage(): number | undefined {
    return this.#lastPage
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

  /** Counts lines by their notes; `isSame`: they are of the page of the line before. */
  count(notes: number, isSame: boolean): void {
    const sums = this.#sums
    if (!isSame) sums.pages++
    if (!isSame && (notes & REDIRECT) !== 0) sums.redirects++
    if ((notes & REVISION) !== 0) sums.revisions++
    if ((notes & (BYTES | TEXT)) === BYTES) sums.missingTexts++
    if ((notes & SUPPRESSED) !== 0) sums.suppressed++
  }

  /** The ids of the pages of the first and the last line of those that were counted. */
  note(first: number, last: number): void {
    const sums = this.#sums
    if (this.#isEmpty) sums.firstPage = first
    sums.lastPage = last
    this.#lastPage = last
    this.#isEmpty = false
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
