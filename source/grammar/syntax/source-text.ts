// The text of a grammar, and where in it something stands.

import { drawCharacter, widthOf } from '../../text/markup/visible.ts'
import type { TextRange } from './expression.ts'

/** Units of a line that an excerpt shows, and how many of them stand before the place. */
const LONGEST_LINE = 120
const BEFORE = 60
/** Units of text that is quoted in a message. */
const LONGEST_QUOTE = 60

/** A line, and carets under what is meant. */
interface Location {
  /** From 1. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly column: number
  readonly excerpt: string
}

/** Text that many places are looked up in: its lines are found once. */
export class SourceText {
  readonly text: string
  #lineStarts: readonly number[] | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The line in which an index is, from 1. */
  lineAt(index: number): number {
    const starts = this.#starts
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as number) <= index) low = middle
      else high = middle
    }
    return low + 1
  }

  locate({ start, end }: TextRange): Location {
    const line = this.lineAt(start)
    const lineStart = this.#starts[line - 1] as number
    const lineEnd = (this.#starts[line] ?? this.text.length + 1) - 1
    return { line, column: start - lineStart + 1, excerpt: this.#makeExcerpt(lineStart, lineEnd, start, end) }
  }

  /** The text of a range, shortened where it is long. */
  quote({ start, end }: TextRange): string {
    if (end - start <= LONGEST_QUOTE) return this.text.slice(start, end)
    return `${withoutHalf(this.text.slice(start, start + LONGEST_QUOTE))}…`
  }

  /** The line, or what stands round the place where it is long, and carets under as much of the range as is shown. */
  #makeExcerpt(lineStart: number, lineEnd: number, start: number, end: number): string {
    let from = lineEnd - lineStart > LONGEST_LINE ? Math.max(lineStart, start - BEFORE) : lineStart
    if (from > lineStart && /[\udc00-\udfff]/.test(this.text.charAt(from))) from++
    const to = Math.max(start, Math.min(lineEnd, from + LONGEST_LINE))
    const before = from > lineStart ? '…' : ''
    const shown = this.text.slice(from, to).trimEnd()
    const draw = (text: string) => Array.from(withoutHalf(text), drawCharacter).join('')
    const left = `${before}${draw(this.text.slice(from, start))}`
    const meant = draw(this.text.slice(start, Math.min(end, from + shown.length)))
    const line = `${before}${draw(shown)}${to < lineEnd ? '…' : ''}`
    return `${line}\n${' '.repeat(widthOf(left))}${'^'.repeat(Math.max(1, widthOf(meant)))}`
  }

  get #starts(): readonly number[] {
    this.#lineStarts ??= findLineStarts(this.text)
    return this.#lineStarts
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** A text without half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
