// What is wrong with a grammar. All problems are made here.

import type { TextRange } from './expression.ts'

export type ProblemCode =
  | 'syntax'
  | 'unknown-rule'
  | 'duplicate-rule'
  | 'left-recursion'
  | 'empty-repetition'
  | 'unreachable-option'
  | 'mixed-operators'
  | 'unreachable-rule'
  | 'ambiguous-name'
  | 'held-input'

/** Something wrong with a grammar, or probably wrong. */
export interface Problem {
  /** Stable name of the fault. */
  readonly code: ProblemCode
  /** A grammar with an error cannot be used. */
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** How to put it right; undefined where there is nothing to say. */
  readonly suggestion: string | undefined
  /** Where in the grammar's text, in UTF-16 units from 0; the end is exclusive. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly column: number
  /** The line, and under it carets under what is meant. */
  readonly excerpt: string
}

/** The grammar cannot be used. The message tells all problems; `problems` has them one by one. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError'
  readonly code = 'invalid-grammar'
  /** Errors and warnings, in the order of the text. */
  readonly problems: readonly Problem[]
  /** Where the first error is. */
  readonly line: number
  readonly column: number
  readonly excerpt: string

  /** @internal */
  constructor(problems: readonly Problem[]) {
    const errors = problems.filter(({ severity }) => severity === 'error')
    const [first] = errors as [Problem]
    const count = errors.length === 1 ? '' : `${errors.length} problems in the grammar:\n\n`
    super(count + errors.map(formatProblem).join('\n\n'))
    this.problems = problems
    this.line = first.line
    this.column = first.column
    this.excerpt = first.excerpt
  }
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
  readonly at: TextRange
}

/** A problem in a grammar's text. */
export function makeProblem(
  text: string,
  { code, severity = 'error', message, suggestion, at }: ProblemDetails,
): Problem {
  // Not lastIndexOf with a place: one before the start counts as the start.
  const lineStart = text.slice(0, at.start).lastIndexOf('\n') + 1
  const line = text.slice(0, lineStart).split('\n').length
  const excerpt = makeExcerpt(text, lineStart, at)
  return {
    code,
    severity,
    message,
    suggestion,
    start: at.start,
    end: at.end,
    line,
    column: at.start - lineStart + 1,
    excerpt,
  }
}

/** The line where a range begins, and carets under as much of the range as is on it. */
function makeExcerpt(text: string, lineStart: number, { start, end }: TextRange): string {
  const lineEnd = text.indexOf('\n', start)
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).trimEnd()
  const carets = Math.max(1, Math.min(end, lineStart + line.length) - start)
  return `${line.replaceAll('\t', ' ')}\n${' '.repeat(start - lineStart)}${'^'.repeat(carets)}`
}
