// What is checked of a grammar that could be read, in this order.

import type { Dialect, GrammarText } from '../syntax/syntax.ts'
import { findAmbiguousNames } from './ambiguous-name.ts'
import type { Check } from './check.ts'
import { findDuplicateRules } from './duplicate-rule.ts'
import { findEmptyRepetitions } from './empty-repetition.ts'
import { findLeftRecursion } from './left-recursion.ts'
import { findMisplacedFields } from './misplaced-field.ts'
import { findMixedOperators } from './mixed-operators.ts'
import { findUnknownRules } from './unknown-rule.ts'
import { findUnreachableOptions } from './unreachable-option.ts'
import { findUnreachableRules } from './unreachable-rule.ts'

const CHECKS: readonly Check[] = [
  findUnknownRules,
  findDuplicateRules,
  findLeftRecursion,
  findEmptyRepetitions,
  findUnreachableOptions,
  findMixedOperators,
  findUnreachableRules,
  findAmbiguousNames,
  findMisplacedFields,
]

/** Adds all problems to those of the text. */
export function check({ rules, source, found }: GrammarText, dialect: Dialect): void {
  for (const find of CHECKS) find({ rules, source, dialect }, (problem) => found.report(problem))
}
