// A field where nothing is given, or where what a rule has made so far cannot be known.

import type { ProblemDetails } from '../syntax/errors.ts'
import { type Expression, type Fold, operandsOf, type Rule, walk } from '../syntax/expression.ts'
import { ValueRules } from '../values/value-rules.ts'
import type { Check } from './check.ts'

export const findMisplacedFields: Check = ({ rules }, report) => {
  let facts: ValueRules | undefined
  for (const rule of rules) {
    for (const { expression, within } of findHidden(rule.members)) {
      report({
        code: 'misplaced-field',
        message: `${expression.name} is a field in ${within}, which gives nothing that a field could hold`,
        suggestion: 'remove the name, or put it before all of that',
        at: expression.at,
      })
    }
    const [fold] = [...walk(rule.members)].filter((expression) => expression.kind === 'fold')
    if (!fold) continue
    facts ??= new ValueRules(new Map(rules.map((one) => [one.name, one])))
    const problem = findMisplacedFold(facts, rule, fold)
    if (problem) report(problem)
  }
}

/** What hides the fields in it, in words. */
const HIDING: Readonly<Partial<Record<Expression['kind'], string>>> = {
  omit: 'what is omitted',
  look: 'a look-ahead',
  not: 'a negation',
  gather: 'a gathered text',
}

interface Hidden {
  readonly expression: Extract<Expression, { kind: 'field' | 'fold' }>
  readonly within: string
}

/** Fields in what gives nothing, or a text. */
function* findHidden(members: readonly Expression[]): Generator<Hidden, void, undefined> {
  const waiting = members.map((expression) => ({ expression, within: undefined as string | undefined })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { expression } = next
    const isField = expression.kind === 'field' || expression.kind === 'fold'
    if (isField && next.within !== undefined) yield { expression, within: next.within }
    const isFlag = expression.kind === 'field' && expression.isFlag
    const within = next.within ?? (isFlag ? 'what only says whether it matched' : HIDING[expression.kind])
    const separator = expression.kind === 'repeat' ? expression.separator : undefined
    for (const operand of operandsOf(expression).toReversed()) {
      waiting.push({ expression: operand, within: operand === separator ? (within ?? 'a separator') : within })
    }
  }
}

/** `name:<` must come first in the rounds of a repetition that has all fields of the rule, after one part that gives something. */
function findMisplacedFold(facts: ValueRules, rule: Rule, fold: Fold): ProblemDetails | undefined {
  const { name, members } = rule
  const explain = (message: string, at = fold.at): ProblemDetails => ({
    code: 'misplaced-field',
    message,
    suggestion: `write  ${name} ::= first ( ${fold.name}:< … )* ;`,
    at,
  })
  const round = members.find((member) => facts.hasFold(member))
  const [other] = members.filter((member) => member !== round && facts.hasFields(member))
  if (round?.kind !== 'repeat' || round.separator) {
    return explain(`${fold.name}:< must stand in a repetition that is a member of ${name}`)
  }
  if (other) return explain(`with ${fold.name}:<, all fields of ${name} must be in its repetition`, other.at)
  const firsts = new Set(optionsOf(round.operand))
  for (const item of walk([round.operand])) {
    if (item.kind === 'fold' && !firsts.has(item)) return explain(`${item.name}:< must come first in a round`, item.at)
  }
  if ([...firsts].some(({ kind }) => kind !== 'fold')) {
    return explain(`each option of the rounds must begin with ${fold.name}:<`, round.at)
  }
  const before = facts.partsOf(members.slice(0, members.indexOf(round)))
  const after = facts.partsOf(members.slice(members.indexOf(round) + 1))
  if (before.length === 1 && after.length === 0) return undefined
  const what = before.length === 0 ? 'nothing' : 'more than one part'
  if (after[0]) return explain(`after the rounds of ${name}, there is a part that no field holds`, after[0].at)
  return explain(
    `${fold.name}:< is what ${name} has made so far, but ${what} that gives something stands before the rounds`,
  )
}

/** What the options of a round begin with. */
function optionsOf(expression: Expression): Expression[] {
  if (expression.kind === 'choice') return expression.options.flatMap(optionsOf)
  if (expression.kind === 'group' && expression.items[0]) return optionsOf(expression.items[0])
  return [expression]
}
