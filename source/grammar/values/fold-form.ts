// Left folding: `sum ::= term ( left:< op:[+-] right:term )*`. What a rule has made so far is a field of the record that the next round makes.

import type { Expression, Repeat } from '../syntax/expression.ts'
import type { ValueRules } from './value-rules.ts'

/** Of the members of a rule with folds, the repetition that has them. */
export function roundOf(rules: ValueRules, members: readonly Expression[]): Repeat {
  return members.find((member) => rules.hasFold(member)) as Repeat
}

/** Of the members of a rule with folds, what it begins with. */
export function baseOf(rules: ValueRules, members: readonly Expression[]): Expression {
  return rules.partsOf(members)[0] as Expression
}
