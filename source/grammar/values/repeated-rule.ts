// The rule that is emitted if nobody says which: that of which the entry is a repetition.

import type { Expression } from '../syntax/expression.ts'
import type { ValueRules } from './value-rules.ts'

/** The rule of which a rule is a repetition, with anything around that gives nothing; undefined if it is something else. */
export function findRepeated(rules: ValueRules, name: string): string | undefined {
  if (rules.givingOf(name) !== 'parts') return undefined
  const repetition = onlyPart(rules, rules.rule(name).members)
  if (repetition?.kind !== 'repeat' || repetition.count.max <= 1) return undefined
  const round = onlyPart(rules, [repetition.operand])
  return round?.kind === 'reference' ? round.name : undefined
}

/** The only part that gives something, without brackets around it. */
function onlyPart(rules: ValueRules, items: readonly Expression[]): Expression | undefined {
  const [part, ...others] = rules.partsOf(items)
  if (others.length > 0) return undefined
  return part?.kind === 'group' ? onlyPart(rules, part.items) : part
}
