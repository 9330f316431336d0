// A rule that comes to itself again before anything is consumed: it would never end.

import { makeProblem, type Problem } from '../errors.ts'
import { type Expression, operandsOf, type Rule } from '../expression.ts'
import { findNullableRules, isNullable } from '../nullable.ts'
import type { Check } from './index.ts'

export const findLeftRecursion: Check = ({ rules, text }) => {
  const nullable = findNullableRules(rules)
  const starts = new Map(rules.map((rule) => [rule.name, findStarts(rule, nullable)]))
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
  const seen = new Set<string>()
  let ways = [[rule]]
  while (ways.length > 0) {
    const longer: string[][] = []
    for (const way of ways) {
      for (const next of starts.get(way.at(-1) as string) ?? []) {
        if (next === rule) return way
        if (!seen.has(next)) longer.push([...way, next])
        seen.add(next)
      }
    }
    ways = longer
  }
  return undefined
}
