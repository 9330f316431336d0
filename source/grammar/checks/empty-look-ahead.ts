// A look-ahead or a not of something that matches whatever comes: it says nothing of the input.

import { findAlways } from '../facts/nullable.ts'
import { walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

export const findEmptyLookAheads: Check = ({ rules, source }, report) => {
  const always = findAlways(rules).expressions
  for (const expression of rules.flatMap(({ members }) => [...walk(members)])) {
    if ((expression.kind !== 'look' && expression.kind !== 'not') || !always.has(expression.operand)) continue
    const isPositive = expression.kind === 'look' && !expression.isNegative
    report({
      code: 'empty-look-ahead',
      severity: 'warning',
      message: `${source.quote(expression.at)} ${isPositive ? 'always' : 'never'} succeeds: ${source.quote(expression.operand.at)} can match nothing`,
      suggestion: 'look for something that must be there: use + instead of *, or remove ?',
      at: expression.at,
    })
  }
}
