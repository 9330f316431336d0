// A rule that comes to itself again before anything is consumed: it would never end.

import { findCycles } from '../facts/components.ts'
import { findNullable } from '../facts/nullable.ts'
import { type Expression, operandsOf, type Rule } from '../syntax/expression.ts'
import { ValueRules } from '../values/value-rules.ts'
import type { Check } from './check.ts'
import { type Rewriting, rewriteRule } from './left-recursion-rewriting.ts'

/** Rules of a cycle that a message names: of longer ones the first and the last. */
const MOST_NAMED = 12
/** Cycles that are looked for in rules that lead to each other: each takes a look at all of them. */
const MOST_CYCLES = 50

export const findLeftRecursion: Check = ({ rules, source, dialect }, report) => {
  const nullable = findNullable(rules).expressions
  let values: ValueRules | undefined
  const starts = new Map(rules.map((rule) => [rule.name, findStarts(rule, nullable)]))
  const startsOf = (name: string) => starts.get(name) ?? new Set<string>()
  const components = findCycles(starts.keys(), startsOf).map((names) => new Set(names))
  const componentOf = new Map(components.flatMap((names) => [...names].map((name) => [name, names])))
  const counts = new Map<ReadonlySet<string>, number>()
  /** The rules of cycles that were reported. */
  const covered = new Set<string>()
  for (const rule of rules) {
    const { name, nameAt } = rule
    const component = componentOf.get(name)
    if (!component || (covered.has(name) && !startsOf(name).has(name))) continue
    const count = counts.get(component) ?? 0
    if (count === MOST_CYCLES) continue
    counts.set(component, count + 1)
    const cycle = findCycle(name, startsOf, component)
    for (const other of cycle) covered.add(other)
    values ??= new ValueRules(new Map(rules.map((one) => [one.name, one])))
    const rewriting = rewriteRule(rule, { text: source.text, dialect, nullable, values })
    report({
      code: 'left-recursion',
      message: `${name} begins with itself: ${[...shorten(cycle), name].join(' → ')}`,
      suggestion: rewriting ? suggest(name, rewriting) : adviseOn(cycle, startsDirectly(rule)),
      ...(rewriting?.replacement && { replacement: rewriting.replacement }),
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

function suggest(name: string, { body, lostField }: Rewriting): string {
  const lost = lostField === undefined ? '' : `, without the field ${lostField}`
  return `use a repetition instead${lost}:  ${name} ::= ${body} ;`
}

/** What to do where the rule cannot be shown as it should be. */
function adviseOn(cycle: readonly string[], isDirect: boolean): string {
  const [name, ...others] = cycle
  const form = `${name} ::= first ( left:< op:"…" right:next )* ;`
  if (others.length > 0) {
    return `make one rule of those, and use a repetition in it:  ${form}`
  }
  return isDirect
    ? `use a repetition instead:  ${form}`
    : `what stands before ${name} there may match nothing; use a repetition instead:  ${form}`
}

/** Whether the rule itself is the first thing in it, or in one of its options. */
function startsDirectly({ name, members }: Rule): boolean {
  const first = (expression: Expression | undefined): boolean => {
    if (!expression) return false
    if (expression.kind === 'reference') return expression.name === name
    if (expression.kind === 'choice') return expression.options.some(first)
    return first(operandsOf(expression)[0])
  }
  return first(members[0])
}
