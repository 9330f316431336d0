// What is checked of a grammar that could be read, in this order.

import type { Problem } from '../errors.ts'
import type { Expression, Rule } from '../expression.ts'
import { operandsOf } from '../expression.ts'
import type { Dialect } from '../syntax.ts'
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
  /** The grammar's text, for positions. */
  readonly text: string
  readonly dialect: Dialect
}

/** Finds problems of one kind. */
export type Check = (grammar: Checked) => Problem[]

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

/** All problems, in the order of the text. */
export function check(rules: readonly Rule[], text: string, dialect: Dialect): Problem[] {
  const problems = CHECKS.flatMap((find) => find({ rules, text, dialect }))
  return problems.sort((one, other) => one.start - other.start)
}

/** An expression and all below it, from the outside in. */
export function* walk(expressions: readonly Expression[]): Generator<Expression, void, undefined> {
  for (const expression of expressions) {
    yield expression
    yield* walk(operandsOf(expression))
  }
}
