// What is wrong with a grammar. All problems are made here.

import { XylemError } from '../../stream/xylem-error.ts'
import type { TextRange } from './expression.ts'
import type { SourceText } from './source-text.ts'

export type ProblemCode =
  | 'syntax'
  | 'other-notation'
  | 'unknown-rule'
  | 'duplicate-rule'
  | 'left-recursion'
  | 'empty-repetition'
  | 'unreachable-option'
  | 'consumed-part'
  | 'empty-look-ahead'
  | 'mixed-operators'
  | 'unreachable-rule'
  | 'ambiguous-name'
  | 'held-input'
  | 'repeated-beginning'
  | 'too-large'
  | 'misplaced-field'
  | 'reserved-field'
  | 'unnamed-parts'
  | 'not-a-map'
  | 'not-a-text'
  | 'stale-types'

/** A text to put into the place of another one in a grammar. */
export interface Replacement {
  /** Where in the grammar's text, in UTF-16 units from 0; the end is exclusive. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An error or a warning about a grammar. */
export interface Problem {
  /** Stable name of the error. */
  readonly code: ProblemCode
  /** A grammar with an error cannot be used. */
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** How to correct it; undefined if there is no advice. */
  readonly suggestion: string | undefined
  /**
   * What corrects it, where that is known: of a rule that begins with itself, what the rule matches, as a repetition. That matches the same texts, unless a
   * part takes what a later one needs.
   */
  readonly replacement: Replacement | undefined
  /** Where in the grammar's text, in UTF-16 units from 0; the end is exclusive. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly column: number
  /** The line (or the text around the position in a long line), and below it carets under the text in question. */
  readonly excerpt: string
}

/** Problems that are kept of each severity: what is counted after them takes no memory. */
const MOST_KEPT = 1000
/** Problems that a message shows. */
const MOST_SHOWN = 20

/** What was found in a grammar. */
export interface Problems {
  readonly problems: readonly Problem[]
  readonly errorCount: number
  /** The line at which reading was given up; undefined where all was read. */
  readonly lastLine?: number | undefined
}

/** The grammar cannot be used. The message shows the first 20 errors; `problems` has them one by one. */
export class GrammarError extends XylemError {
  override readonly name = 'GrammarError'
  readonly code = 'invalid-grammar'
  /** Errors and warnings, in the order of the text: the first 1,000 of each that were found. */
  declare readonly problems: readonly Problem[]
  /** How many errors there are; a minimum if reading was stopped because of too many errors. */
  readonly errorCount: number
  /** Where the first error is. */
  override readonly line: number
  override readonly column: number
  readonly excerpt: string

  static {
    XylemError.register('GrammarError', GrammarError)
  }

  /** @internal */
  constructor({ problems, errorCount, lastLine }: Problems) {
    const errors = problems.filter(({ severity }) => severity === 'error')
    const [first] = errors as [Problem]
    const where = lastLine === undefined ? 'the grammar' : `the first ${lastLine} lines of the grammar`
    const head = errorCount === 1 ? '' : `${errorCount} problems in ${where}:\n\n`
    super(head + formatProblems(errors, errorCount))
    this.setFields({ problems })
    this.errorCount = errorCount
    this.line = first.line
    this.column = first.column
    this.excerpt = first.excerpt
  }
}

/** The first problems of a list, with blank lines between them, and how many more of `count` there are. */
export function formatProblems(problems: readonly Problem[], count = problems.length): string {
  const shown = problems.slice(0, MOST_SHOWN).map(formatProblem)
  const rest = count - shown.length
  return (rest > 0 ? [...shown, `and ${rest} more`] : shown).join('\n\n')
}

/** A problem on several lines: the message and where it is, the excerpt, and the suggestion. */
export function formatProblem({ message, suggestion, line, column, excerpt }: Problem): string {
  const lines = [`${message} (line ${line}, column ${column})`, ...excerpt.split('\n').map((text) => `  ${text}`)]
  return (suggestion === undefined ? lines : [...lines, `  ${suggestion}`]).join('\n')
}

/** What a problem is made of. */
export interface ProblemDetails {
  readonly code: ProblemCode
  readonly severity?: Problem['severity']
  readonly message: string
  readonly suggestion?: string
  readonly replacement?: Replacement
  readonly at: TextRange
}

/** A problem in a grammar's text. */
export function makeProblem(
  source: SourceText,
  { code, severity = 'error', message, suggestion, replacement, at }: ProblemDetails,
): Problem {
  return { code, severity, message, suggestion, replacement, start: at.start, end: at.end, ...source.locate(at) }
}

/** Collects the problems of a grammar's text. */
export class ProblemList implements Problems {
  readonly #source: SourceText
  readonly #kept = { error: [] as Problem[], warning: [] as Problem[] }
  /** How many errors were reported. */
  errorCount = 0

  constructor(source: SourceText) {
    this.#source = source
  }

  /** Whether no more errors are kept. */
  get isFull(): boolean {
    return this.#kept.error.length >= MOST_KEPT
  }

  report(details: ProblemDetails): void {
    const { severity = 'error' } = details
    if (severity === 'error') this.errorCount++
    const kept = this.#kept[severity]
    if (kept.length < MOST_KEPT) kept.push(makeProblem(this.#source, details))
  }

  /** Those that are kept, in the order of the text. */
  get problems(): Problem[] {
    return [...this.#kept.error, ...this.#kept.warning].sort((one, other) => one.start - other.start)
  }
}
