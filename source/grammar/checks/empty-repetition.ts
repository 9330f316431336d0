// A repetition of something that can match nothing: it would go round for ever in one place.

import { findNullable } from '../facts/nullable.ts'
import { type Expression, partsOf, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

/** Units of what is repeated that a message shows. */
const SHORT = 30

export const findEmptyRepetitions: Check = ({ rules, source }, report) => {
  const nullable = findNullable(rules)
  for (const rule of rules) {
    for (const expression of walk(partsOf(rule))) {
      if (expression.kind !== 'repeat' || expression.count.max <= 1) continue
      const { operand, separator, suffix, at } = expression
      if (!nullable.expressions.has(operand) || (separator && !nullable.expressions.has(separator))) continue
      const { start, end } = operand.at
      const name = end - start <= SHORT ? source.text.slice(start, end) : 'the repeated expression'
      const isRepeat = operand.kind === 'group' && operand.items.length === 1 && isRepetition(operand.items[0])
      report({
        code: 'empty-repetition',
        message: `${name} can match nothing, but is repeated with ${suffix}`,
        suggestion: isRepeat
          ? 'remove one of the two repetitions'
          : 'make each round consume something: use + instead of *, or remove ?',
        at,
      })
    }
  }
}

function isRepetition(expression: Expression | undefined): boolean {
  switch (expression?.kind) {
    case 'repeat':
    case 'class':
    case 'not':
      return expression.count.max > 1
    default:
      return false
  }
}
