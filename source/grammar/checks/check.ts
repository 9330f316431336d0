// What a check of a grammar is.

import type { ProblemDetails } from '../syntax/errors.ts'
import type { Rule } from '../syntax/expression.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { Dialect } from '../syntax/syntax.ts'

/** What a check is given. */
interface Checked {
  readonly rules: readonly Rule[]
  /** The grammar's text, for places. */
  readonly source: SourceText
  readonly dialect: Dialect
}

/** Finds problems of one kind, in time that grows as the grammar does, whatever it is. */
export type Check = (grammar: Checked, report: (problem: ProblemDetails) => void) => void
