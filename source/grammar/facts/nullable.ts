// Which rules and expressions can match without consuming anything.

import type { Expression, Rule } from '../syntax/expression.ts'
import { type Condition, type Facts, findFacts } from './rule-facts.ts'

/** What can match nothing. Names that there are no rules for match something, and an empty literal never matches. */
export function findNullable(rules: Iterable<Rule>): Facts {
  return findFacts(rules, conditionOfNullable, 'all')
}

/** What matches whatever comes. Not all that can match nothing does: a look-ahead may fail. */
export function findAlways(rules: Iterable<Rule>): Facts {
  const mayRefuse = ({ kind }: Expression) => kind === 'look' || kind === 'cut'
  return findFacts(rules, (expression) => (mayRefuse(expression) ? 'never' : conditionOfNullable(expression)), 'all')
}

/** When an expression can match nothing. */
export function conditionOfNullable(expression: Expression): Condition {
  switch (expression.kind) {
    case 'literal':
    case 'failure':
      return 'never'
    case 'class':
    case 'not':
      return expression.count.min === 0 ? 'always' : 'never'
    case 'group':
      return 'all'
    case 'repeat':
      return expression.count.min === 0 ? 'always' : 'first'
    case 'field':
      return expression.isFlag ? 'always' : 'any'
    case 'fold':
    case 'look':
    case 'cut':
      return 'always'
    default:
      return 'any'
  }
}
