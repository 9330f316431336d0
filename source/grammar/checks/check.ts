// What a check of a grammar is.

import type { RewindPoint } from '../assembly/assemble.ts'
import type { Procedure } from '../pattern/pattern.ts'
import type { ProblemDetails } from '../syntax/errors.ts'
import type { Rule, TextRange } from '../syntax/expression.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { Dialect } from '../syntax/syntax.ts'

/** What a check is given. */
interface Checked {
  readonly rules: readonly Rule[]
  /** The grammar's text, for places. */
  readonly source: SourceText
  /** Undefined if none is given: then it is read as in `xylem`. */
  readonly dialect: Dialect | undefined
}

/** Finds problems of one kind, in time that grows as the grammar does, whatever it is. */
export type Check = (grammar: Checked, report: (problem: ProblemDetails) => void) => void

/** Says which rewind points of a program, and where they are in the grammar's text, are warned about. */
export type RewindCheck = (
  entry: Procedure,
  rules: readonly Rule[],
) => (point: RewindPoint, at: TextRange) => Pick<ProblemDetails, 'code' | 'message' | 'suggestion'> | undefined
