// Rules that repeat one other rule: which rule is emitted if nobody says which, and of what the entries of maps are made.

import type { Expression } from '../syntax/expression.ts'
import { findRecord } from './record-form.ts'
import type { ValueRules } from './value-rules.ts'

/** The rule of which the array that a rule gives is a repetition; undefined if it gives something else. */
export function findRepeated(rules: ValueRules, name: string): string | undefined {
  return rules.rule(name).isMap ? undefined : findRound(rules, name)
}

/** The rule of two fields of which a map is a repetition; undefined if the rule of the map is something else. */
export function findEntry(rules: ValueRules, map: string): string | undefined {
  const entry = findRound(rules, map)
  if (entry === undefined || rules.rule(entry).isMap || rules.givingOf(entry) !== 'record') return undefined
  const { isFixed, variants } = findRecord(rules, rules.rule(entry).members)
  const [fields, ...others] = variants
  const isPair = fields?.length === 2 && fields.every(({ least }) => least > 0)
  return isFixed && isPair && others.length === 0 ? entry : undefined
}

/** The rule of which a rule is a repetition, with anything around that gives nothing. */
function findRound(rules: ValueRules, name: string): string | undefined {
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
