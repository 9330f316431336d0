// Where lines begin: before what has no text beside it. That is known for certain at the end of an element, so markup is held back for a while.

import type { Fail } from './start-tag.ts'

/** Markup that is held back, in UTF-16 units: when there is more, what lines it has stay. */
export const HELD = 64 * 1024
/** Levels of indentation. Deeper elements have that of the last one: otherwise a deep document would be of quadratic length. */
const MOST_LEVELS = 64

interface OpenElement {
  /** The number of the first line in it. */
  readonly firstLine: number
  /** Whether it is in text, or has some, so that no white space may be added. */
  isMixed: boolean
}

export class Indentation {
  readonly #unit: string
  readonly #fail: Fail
  /** Markup, and between it what begins lines. */
  #pieces: string[] = []
  #length = 0
  /** Which pieces begin lines in open elements that may turn out to have text. The first of them has the number `#firstLine`. */
  #lines: number[] = []
  #firstLine = 0
  readonly #open: OpenElement[] = []
  /** How many of the open elements have lines that were handed out, and cannot be taken back. */
  #settled = 0
  #isBegun = false

  constructor(unit: string, fail: Fail) {
    this.#unit = unit
    this.#fail = fail
  }

  /** UTF-16 units of the markup before the last line. */
  get length(): number {
    return this.#length
  }

  /** Begins a line after some markup, before what is in the elements that are open; `rest` is the markup since the last line. */
  breakLine(rest: string): void {
    const depth = this.#open.length
    this.#hold(rest)
    if (depth === 0 ? !this.#isBegun : this.#open[depth - 1]?.isMixed) return
    // Outside of the root all white space is free.
    if (depth > 0) this.#lines.push(this.#pieces.length)
    this.#hold(`\n${this.#unit.repeat(Math.min(depth, MOST_LEVELS))}`)
  }

  /** An element begins whose start tag is in the markup that comes next. */
  open(keepsSpace: boolean): void {
    const isMixed = keepsSpace || this.#open.at(-1)?.isMixed === true
    this.#open.push({ firstLine: this.#firstLine + this.#lines.length, isMixed })
  }

  /** Text comes: takes back all lines in the element around it. */
  addText(): void {
    const element = this.#open.at(-1)
    if (!element || element.isMixed) return
    if (this.#settled >= this.#open.length) {
      this.#fail('indented-text', `there is text after ${HELD / 1024} KiB of content that was indented`)
    }
    const from = element.firstLine - this.#firstLine
    for (const piece of this.#lines.splice(from)) this.#pieces[piece] = ''
    element.isMixed = true
  }

  /** An element ends, after some markup. `hasContent`: its end tag is separate. */
  close(rest: string, hasContent: boolean): void {
    const element = this.#open.pop() as OpenElement
    this.#settled = Math.min(this.#settled, this.#open.length)
    const hasLines = hasContent && !element.isMixed
    this.#hold(rest)
    if (!hasLines) return
    this.#lines.push(this.#pieces.length)
    this.#hold(`\n${this.#unit.repeat(Math.min(this.#open.length, MOST_LEVELS))}`)
  }

  /** All markup so far, to which `rest` belongs. What lines there are stay. */
  take(rest: string): string {
    this.#hold(rest)
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    const lines = this.#firstLine + this.#lines.length
    // Elements in others begin after their first lines, so those that have lines are the outer ones.
    while (this.#settled < this.#open.length && (this.#open[this.#settled] as OpenElement).firstLine < lines)
      this.#settled++
    this.#firstLine = lines
    this.#lines = []
    return text
  }

  #hold(piece: string): void {
    if (piece === '') return
    this.#isBegun = true
    this.#pieces.push(piece)
    this.#length += piece.length
  }
}
