// A rule that comes to itself again before anything is consumed: it would never end.

import { makeProblem, type Problem } from '../errors.ts'
import { type Expression, operandsOf, type Rule } from '../expression.ts'
import { findNullableRules, isNullable } from '../nullable.ts'
import type { Check } from './index.ts'

export const findLeftRecursion: Check = ({ rules, text }) => {
  const nullable = findNullableRules(rules)
  const starts = pruneLeaves(new Map(rules.map((rule) => [rule.name, findStarts(rule, nullable)])))
  const told = new Set<string>()
  const problems: Problem[] = []
  for (const rule of rules) {
    const cycle = findCycle(rule.name, starts)
    if (!cycle || told.has([...cycle].sort().join())) continue
    told.add([...cycle].sort().join())
    problems.push(
      makeProblem(text, {
        code: 'left-recursion',
        message: `${rule.name} begins with itself: ${[...cycle, rule.name].join(' → ')}`,
        suggestion: 'write a repetition: what it begins with, then ( what follows )*',
        at: rule.nameAt,
      }),
    )
  }
  return problems
}

/** The rules that can be tried at the place where a rule begins. */
function findStarts({ members }: Rule, nullable: ReadonlySet<string>): Set<string> {
  const starts = new Set<string>()
  const visitAll = (items: readonly Expression[]): void => {
    for (const item of items) {
      visit(item)
      if (!isNullable(item, nullable)) return
    }
  }
  const visit = (expression: Expression): void => {
    if (expression.kind === 'reference') starts.add(expression.name)
    else if (expression.kind === 'group') visitAll(expression.items)
    else for (const operand of operandsOf(expression)) visit(operand)
  }
  visitAll(members)
  return starts
}

/** The shortest way from a rule back to itself, without the return: breadth first. */
function findCycle(rule: string, starts: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  // Each rule that was come to, and from where; the order is that of coming there.
  const cameFrom = new Map<string, string>([[rule, rule]])
  for (const current of cameFrom.keys()) {
    const nexts = starts.get(current) ?? []
    for (const next of nexts) {
      if (next === rule) return wayTo(current, rule, cameFrom)
      if (!cameFrom.has(next)) cameFrom.set(next, current)
    }
  }
  return undefined
}

function wayTo(last: string, rule: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [last]
  for (let name = last; name !== rule; ) {
    name = cameFrom.get(name) as string
    way.unshift(name)
  }
  return way
}

/** Leaves out the rules that lead into no cycle, so that looking for ways back is not quadratic for a sound grammar. */
function pruneLeaves(starts: ReadonlyMap<string, ReadonlySet<string>>): Map<string, ReadonlySet<string>> {
  const users = new Map<string, string[]>()
  const open = new Map<string, number>()
  const leaves: string[] = []
  for (const [name, nexts] of starts) {
    const known = [...nexts].filter((next) => starts.has(next))
    open.set(name, known.length)
    if (known.length === 0) leaves.push(name)
    for (const next of known) {
      const others = users.get(next)
      if (others) others.push(name)
      else users.set(next, [name])
    }
  }
  const kept = new Map(starts)
  for (const leaf of leaves) {
    kept.delete(leaf)
    for (const user of users.get(leaf) ?? []) {
      const left = (open.get(user) as number) - 1
      open.set(user, left)
      if (left === 0) leaves.push(user)
    }
  }
  return kept
}
