// A rule that comes to itself again before anything is consumed: it would never end.

import { findCycles } from '../facts/components.ts'
import { findNullable } from '../facts/nullable.ts'
import { type Expression, operandsOf, type Rule, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

/** Rules of a cycle that a message names: of longer ones the first and the last. */
const MOST_NAMED = 12
/** Cycles that are looked for in rules that lead to each other: each takes a look at all of them. */
const MOST_CYCLES = 50

export const findLeftRecursion: Check = ({ rules, source }, report) => {
  const nullable = findNullable(rules).expressions
  const starts = new Map(rules.map((rule) => [rule.name, findStarts(rule, nullable)]))
  const startsOf = (name: string) => starts.get(name) ?? new Set<string>()
  const components = findCycles(starts.keys(), startsOf).map((names) => new Set(names))
  const componentOf = new Map(components.flatMap((names) => [...names].map((name) => [name, names])))
  const counts = new Map<ReadonlySet<string>, number>()
  /** The rules of cycles that were reported. */
  const covered = new Set<string>()
  for (const { name, nameAt } of rules) {
    const component = componentOf.get(name)
    if (!component || (covered.has(name) && !startsOf(name).has(name))) continue
    const count = counts.get(component) ?? 0
    if (count === MOST_CYCLES) continue
    counts.set(component, count + 1)
    const cycle = findCycle(name, startsOf, component)
    for (const rule of cycle) covered.add(rule)
    report({
      code: 'left-recursion',
      message: `${name} begins with itself: ${[...shorten(cycle), name].join(' → ')}`,
      suggestion: suggest(rules.find((rule) => rule.name === name) as Rule, source.text),
      at: nameAt,
    })
  }
}

/** The rules that can be tried at the place where a rule begins. */
function findStarts({ members }: Rule, nullable: ReadonlySet<Expression>): Set<string> {
  const starts = new Set<string>()
  const visitAll = (items: readonly Expression[]): void => {
    for (const item of items) {
      visit(item)
      if (!nullable.has(item)) return
    }
  }
  const visit = (expression: Expression): void => {
    if (expression.kind === 'reference') starts.add(expression.name)
    else if (expression.kind === 'group') visitAll(expression.items)
    else if (expression.kind === 'repeat') visitAll(operandsOf(expression))
    else for (const operand of operandsOf(expression)) visit(operand)
  }
  visitAll(members)
  return starts
}

/** The shortest way from a rule back to itself through rules that lead to it, without the return: breadth first. */
function findCycle(
  rule: string,
  startsOf: (name: string) => ReadonlySet<string>,
  component: ReadonlySet<string>,
): string[] {
  // Each rule that was come to, and from where; the order is that of coming there.
  const cameFrom = new Map<string, string>([[rule, rule]])
  for (const current of cameFrom.keys()) {
    for (const next of startsOf(current)) {
      if (next === rule) return wayTo(current, rule, cameFrom)
      if (component.has(next) && !cameFrom.has(next)) cameFrom.set(next, current)
    }
  }
  return [rule]
}

function wayTo(last: string, rule: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [last]
  for (let name = last; name !== rule; way.push(name)) name = cameFrom.get(name) as string
  return way.reverse()
}

function shorten(names: readonly string[]): readonly string[] {
  if (names.length <= MOST_NAMED) return names
  return [...names.slice(0, MOST_NAMED / 2), '…', ...names.slice(-MOST_NAMED / 2)]
}

/** The rule with a left fold, in its own words where it begins with itself directly. */
function suggest(rule: Rule, text: string): string {
  const { name, members } = rule
  const [only] = members
  const options = members.length === 1 && only?.kind === 'choice' ? only.options.map(itemsOf) : [members]
  const recurs = ([first]: readonly Expression[]) => isCallOf(first, name)
  const rounds = options.filter(recurs)
  const bases = options.filter((items) => !recurs(items))
  const isNamed = bases.some((items) => [...walk(items)].some(({ kind }) => kind === 'field'))
  const isKnown = rounds.length > 0 && bases.length > 0 && !isNamed && rounds.every((items) => items.length > 1)
  if (!isKnown) return `use a repetition instead:  ${name} ::= first ( left:< op:"…" right:next )* ;`
  const base = writeOptions(
    bases.map((items) => items.map((item) => textOf(item, text)).join(' ')),
    true,
  )
  const operand = bases.length === 1 && bases[0]?.length !== 1 ? `( ${base} )` : base
  const round = rounds.map(([first, ...rest]) => {
    const left = first?.kind === 'field' ? first.name : 'left'
    // To the right, the rule itself would match all that follows: what the rule begins with stands there instead.
    return `${left}:< ${rest.map((item) => writeItem(item, name, operand, text)).join(' ')}`
  })
  return `use a repetition instead:  ${name} ::= ${base} ( ${writeOptions(round, false)} )* ;`
}

/** Whether an expression is a rule, with or without the name of a field. */
function isCallOf(expression: Expression | undefined, rule: string): boolean {
  if (expression?.kind === 'field') return isCallOf(expression.operand, rule)
  return expression?.kind === 'reference' && expression.name === rule
}

/** Options with brackets where both dialects need them. */
function writeOptions(options: readonly string[], isMember: boolean): string {
  if (options.length === 1) return options[0] as string
  const written = options.map((option) => (option.includes(' ') ? `( ${option} )` : option)).join(' | ')
  return isMember ? `( ${written} )` : written
}

function itemsOf(option: Expression): readonly Expression[] {
  return option.kind === 'group' ? option.items : [option]
}

function textOf({ at }: Expression, text: string): string {
  return text.slice(at.start, at.end)
}

/** What stands in a round, with the name of a field where it would have none; `operand` in the place of the rule itself. */
function writeItem(item: Expression, rule: string, operand: string, text: string): string {
  if (isCallOf(item, rule)) return `${item.kind === 'field' ? item.name : 'right'}:${operand}`
  const name = item.kind === 'reference' ? 'right:' : item.kind === 'class' || item.kind === 'choice' ? 'op:' : ''
  return name + textOf(item, text)
}
