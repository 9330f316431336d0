// Rules that repeat one other rule: which rule is emitted if nobody says which, and of what the entries of maps are made.

import type { Expression, Repeat } from '../syntax/expression.ts'
import { findRecord, isOption } from './record-form.ts'
import { isOmitted, type ValueRules } from './value-rules.ts'

/** The rule of which the array that a rule gives is a repetition; undefined if it gives something else. The array may be missing. */
export function findRepeated(rules: ValueRules, name: string): string | undefined {
  const { isMap, members } = rules.rule(name)
  const part = isMap ? undefined : onlyPart(rules, members, true)
  return findRound(rules, name, part && isOption(part) ? onlyPart(rules, [(part as Repeat).operand], true) : part)
}

/** The rule of two fields of which a map is a repetition; undefined if the rule of the map is something else. */
export function findEntry(rules: ValueRules, map: string): string | undefined {
  const entry = findRound(rules, map, onlyPart(rules, rules.rule(map).members))
  if (entry === undefined || rules.rule(entry).isMap || rules.givingOf(entry) !== 'record') return undefined
  const { isFixed, variants } = findRecord(rules, rules.rule(entry).members)
  const [fields, ...others] = variants
  const isPair = fields?.length === 2 && fields.every(({ least }) => least > 0)
  return isFixed && isPair && others.length === 0 ? entry : undefined
}

/** The rule of which the only part of a rule is a repetition. */
function findRound(rules: ValueRules, name: string, part: Expression | undefined): string | undefined {
  if (rules.givingOf(name) !== 'parts' || part?.kind !== 'repeat' || part.count.max <= 1) return undefined
  const round = onlyPart(rules, [part.operand], true)
  return round?.kind === 'reference' ? round.name : undefined
}

/** The only part that gives something, without brackets around it; or, if it `mayLack`, options beside it that are omitted. */
function onlyPart(rules: ValueRules, items: readonly Expression[], mayLack = false): Expression | undefined {
  const [part, ...others] = rules.partsOf(items)
  if (others.length > 0 || !part) return undefined
  if (part.kind === 'group') return onlyPart(rules, part.items, mayLack)
  const [option, ...more] = mayLack && part.kind === 'choice' ? part.options.filter((one) => !isOmitted(one)) : []
  return option && more.length === 0 ? onlyPart(rules, [option], mayLack) : part
}
