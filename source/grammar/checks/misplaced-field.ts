// A field where nothing is given, or where what a rule has made so far cannot be known.

import type { ProblemDetails } from '../syntax/errors.ts'
import {
  type Expression,
  type Field,
  type Fold,
  operandsOf,
  type Reference,
  type Rule,
  walk,
} from '../syntax/expression.ts'
import { joinRules, ValueRules } from '../values/value-rules.ts'
import type { Check } from './check.ts'

export const findMisplacedFields: Check = ({ rules }, report) => {
  const byName = new Map(rules.map((one) => [one.name, one]))
  let facts: ValueRules | undefined
  for (const rule of rules) {
    for (const { expression, within } of findHidden(rule.members)) {
      const isJoin = expression.kind === 'reference'
      report({
        code: 'misplaced-field',
        message: isJoin
          ? `:${expression.name} joins fields in ${within}, where the record around it cannot have them`
          : `${expression.name} is a field in ${within}, which gives nothing that a field could hold`,
        suggestion: isJoin
          ? `name the record:  ${expression.name}:${expression.name}`
          : 'remove the name, or put it before all of that',
        at: expression.at,
      })
    }
    for (const problem of findMisjoined(byName, rule)) report(problem)
    const [fold] = [...walk(rule.members)].filter((expression) => expression.kind === 'fold')
    if (!fold) continue
    facts ??= new ValueRules(joinRules(byName))
    const problem = findMisplacedFold(facts, facts.rule(rule.name), fold)
    if (problem) report(problem)
  }
}

/** What gives a record its fields. */
type Source = Field | Fold | Reference

/** The sources of a record; those of records in its fields are added to `others`. */
function sourcesIn(items: readonly Expression[], others: Source[][] = []): Source[] {
  return items.flatMap((item): Source[] => {
    if (item.kind === 'field') others.push(sourcesIn([item.operand], others))
    if (item.kind === 'field' || item.kind === 'fold' || (item.kind === 'reference' && item.isJoined)) return [item]
    return item.kind === 'group' || item.kind === 'choice' || item.kind === 'repeat'
      ? sourcesIn(operandsOf(item), others)
      : []
  })
}

/** `:rule` must join a record, which is not that of its own rule, and has no name that the other one has. */
function findMisjoined(rules: ReadonlyMap<string, Rule>, { name, members }: Rule): ProblemDetails[] {
  const bodies: Source[][] = []
  bodies.push(sourcesIn(members, bodies))
  const explain = (join: Reference, message: string): ProblemDetails[] => {
    return [
      { code: 'misplaced-field', message, suggestion: `name the record:  ${join.name}:${join.name}`, at: join.at },
    ]
  }
  const namesOf = (source: Source, around: readonly string[] = []): string[] => {
    if (source.kind !== 'reference' || around.includes(source.name)) return [source.name]
    const inner = sourcesIn(rules.get(source.name)?.members ?? [])
    return inner.flatMap((one) => namesOf(one, [...around, source.name]))
  }
  return bodies.flatMap((sources) =>
    sources.flatMap((join) => {
      const rule = join.kind === 'reference' ? rules.get(join.name) : undefined
      if (join.kind !== 'reference' || !rule) return []
      if (rule.name === name) return explain(join, `${name} joins its own fields`)
      const own = sourcesIn(rule.members)
      if (own.length === 0 || rule.isMap || own.some(({ kind }) => kind === 'fold'))
        return explain(join, `${rule.name} gives no record whose fields could be joined`)
      const others = new Set(sources.filter((one) => one !== join).flatMap((one) => namesOf(one)))
      const twice = namesOf(join).find((one) => others.has(one))
      return twice === undefined ? [] : explain(join, `${name} has a field ${twice} already, and so has ${rule.name}`)
    }),
  )
}

/** What hides the fields in it, in words. */
const HIDING: Readonly<Partial<Record<Expression['kind'], string>>> = {
  omit: 'what is omitted',
  look: 'a look-ahead',
  not: 'a negation',
  gather: 'a gathered text',
}

interface Hidden {
  readonly expression: Source
  readonly within: string
}

/** Fields in what gives nothing, or a text. */
function* findHidden(members: readonly Expression[]): Generator<Hidden, void, undefined> {
  const waiting = members
    .map((expression) => ({ expression, within: undefined as string | undefined, isRepeated: false }))
    .reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { expression } = next
    const isField = expression.kind === 'field' || expression.kind === 'fold'
    const isJoin = expression.kind === 'reference' && expression.isJoined
    const hiding = next.within ?? (isJoin && next.isRepeated ? 'a repetition' : undefined)
    if ((isField || isJoin) && hiding !== undefined) yield { expression, within: hiding }
    const isRepeated = isField ? false : next.isRepeated || (expression.kind === 'repeat' && expression.count.max > 1)
    const isFlag = expression.kind === 'field' && expression.isFlag
    const within = next.within ?? (isFlag ? 'what only says whether it matched' : HIDING[expression.kind])
    const separator = expression.kind === 'repeat' ? expression.separator : undefined
    for (const operand of operandsOf(expression).toReversed()) {
      waiting.push({
        expression: operand,
        within: operand === separator ? (within ?? 'a separator') : within,
        isRepeated,
      })
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
