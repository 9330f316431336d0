// A repetition that may be left out is a repetition that may have no rounds: one decision less.

import { changeEach } from './pass.ts'

export const joinLoops = changeEach((pattern, tell) => {
  if (pattern.kind !== 'repeat' || pattern.min > 0 || pattern.max !== 1) return pattern
  const { operand } = pattern
  if (operand.kind !== 'repeat' || operand.min > 1 || operand.max !== Number.POSITIVE_INFINITY) return pattern
  tell('a repetition that may be left out is one without rounds')
  return { ...operand, min: 0 }
})
