// A repetition of something that can match nothing: it would go round for ever in one place.

import { makeProblem } from '../errors.ts'
import type { Expression } from '../expression.ts'
import { findNullableRules, isNullable } from '../nullable.ts'
import { type Check, walk } from './index.ts'

export const findEmptyRepetitions: Check = ({ rules, text }) => {
  const nullable = findNullableRules(rules)
  return rules.flatMap(({ members }) =>
    [...walk(members)].flatMap((expression) => {
      if (expression.kind !== 'repeat' || expression.count.max <= 1) return []
      const { operand, suffix, at } = expression
      if (!isNullable(operand, nullable)) return []
      const what = text.slice(operand.at.start, operand.at.end)
      const name = what.length <= 30 ? what : 'what is repeated'
      const isRepeat = operand.kind === 'group' && operand.items.length === 1 && isRepetition(operand.items[0])
      return makeProblem(text, {
        code: 'empty-repetition',
        message: `${name} can match nothing, and is repeated with ${suffix}`,
        suggestion: isRepeat
          ? 'leave one of the two repetitions out'
          : 'make sure that each round consumes something: use + instead of *, or leave ? out',
        at,
      })
    }),
  )
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
