// What is checked of a grammar that could be read, in this order.

import type { ProblemDetails } from '../syntax/errors.ts'
import type { Rule } from '../syntax/expression.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { Dialect, GrammarText } from '../syntax/syntax.ts'
import { findAmbiguousNames } from './ambiguous-name.ts'
import { findDuplicateRules } from './duplicate-rule.ts'
import { findEmptyRepetitions } from './empty-repetition.ts'
import { findLeftRecursion } from './left-recursion.ts'
import { findMixedOperators } from './mixed-operators.ts'
import { findUnknownRules } from './unknown-rule.ts'
import { findUnreachableOptions } from './unreachable-option.ts'
import { findUnreachableRules } from './unreachable-rule.ts'

/** What a check is given. */
interface Checked {
  readonly rules: readonly Rule[]
  /** The grammar's text, for places. */
  readonly source: SourceText
  readonly dialect: Dialect
}

/** Finds problems of one kind, in time that grows as the grammar does, whatever it is. */
export type Check = (grammar: Checked, report: (problem: ProblemDetails) => void) => void

const CHECKS: readonly Check[] = [
  findUnknownRules,
  findDuplicateRules,
  findLeftRecursion,
  findEmptyRepetitions,
  findUnreachableOptions,
  findMixedOperators,
  findUnreachableRules,
  findAmbiguousNames,
]

/** Adds all problems to those of the text. */
export function check({ rules, source, found }: GrammarText, dialect: Dialect): void {
  for (const find of CHECKS) find({ rules, source, dialect }, (problem) => found.report(problem))
}
