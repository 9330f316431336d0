// A repetition of a set, where its rounds are not recorded one by one, is one span. Of rounds that try a set first, all that follow each other in which it matches are.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { describeOrigins } from '../pattern/describe.ts'
import type { Pattern, RepeatPattern, Terminal } from '../pattern/pattern.ts'
import { changeEach } from './pass.ts'

export const joinSpans = changeEach((pattern, tell) => {
  return pattern.kind === 'repeat' ? (asSpan(pattern, tell) ?? joinRounds(pattern, tell)) : pattern
})

function joinRounds(repeat: RepeatPattern, tell: (text: string) => void): Pattern {
  const { operand, min, max } = repeat
  if (operand.kind !== 'choice' || min > 1 || max !== Number.POSITIVE_INFINITY) return repeat
  const [first, ...others] = operand.options
  if (first?.kind !== 'class' || first.min !== 1 || first.max !== 1) return repeat
  tell(`rounds of ${describeOrigins(first.origins)} are one span`)
  return { ...repeat, operand: { ...operand, options: [{ ...first, max }, ...others] } }
}

function asSpan(repeat: RepeatPattern, tell: (text: string) => void): Terminal | undefined {
  const { operand, min, max } = repeat
  const isOptionalSpan = operand.kind === 'class' && operand.max === Number.POSITIVE_INFINITY && min === 0 && max === 1
  const single = isOptionalSpan ? operand : asSingle(operand)
  const isCounted = max !== Number.POSITIVE_INFINITY
  if (!single || (!isCounted && min > 1)) return undefined
  tell(`a repetition of ${describeOrigins(single.origins)} is one span`)
  if (isOptionalSpan) return { ...single, min }
  // The rounds that a terminal counts are those of the repetition.
  return { ...single, min, max, ...(isCounted && repeat.origin && { origins: [repeat.origin] }) }
}

/** The operand as a class, where it matches exactly one code point and records nothing. */
function asSingle(pattern: Pattern): (Terminal & { kind: 'class' }) | undefined {
  if (pattern.kind === 'class') return pattern.min === 1 && pattern.max === 1 ? pattern : undefined
  if (pattern.kind !== 'literal' || pattern.bytes.length !== 1 || pattern.ignoresCase) return undefined
  const [byte] = pattern.bytes
  const set = CodePointSet.of([[byte as number, byte as number]])
  return { kind: 'class', set, min: 1, max: 1, origins: pattern.origins }
}
