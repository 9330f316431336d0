// Rules as those of a context-free grammar, in which all ways are tried and rules may begin with themselves: what an author of such rules means.

import type { Expression, Rule } from '../../source/grammar/syntax/expression.ts'

/** Whether the first rule can be all of an input. Knows what tests of left recursion have: literals, classes of one character, sequences, choices, repetitions, fields. */
export function acceptsContextFree(rules: readonly Rule[], input: string): boolean {
  const byName = new Map(rules.map((rule) => [rule.name, rule]))
  /** The ends that are known of a rule at a place. They are looked for until there are no more. */
  const known = new Map<string, Set<number>>()
  let grows = true

  const endsOfAll = (items: readonly Expression[], start: number): ReadonlySet<number> => {
    let ends = new Set([start])
    for (const item of items) ends = new Set([...ends].flatMap((end) => [...endsOf(item, end)]))
    return ends
  }

  const endsOf = (expression: Expression, start: number): Iterable<number> => {
    switch (expression.kind) {
      case 'literal':
        return input.startsWith(expression.text, start) ? [start + expression.text.length] : []
      case 'class': {
        const point = input.charCodeAt(start)
        return expression.ranges.some(({ first, last }) => first <= point && point <= last) ? [start + 1] : []
      }
      case 'reference':
        return endsOfRule(expression.name, start)
      case 'group':
        return endsOfAll(expression.items, start)
      case 'choice':
        return expression.options.flatMap((option) => [...endsOf(option, start)])
      case 'repeat':
        return endsOfRounds(expression.operand, expression.count.min, expression.count.max, start)
      case 'field':
      case 'omit':
        return endsOf(expression.operand, start)
      case 'fold':
        return [start]
      default:
        throw new Error(`${expression.kind} is not known here`)
    }
  }

  const endsOfRounds = (operand: Expression, min: number, max: number, start: number): Iterable<number> => {
    const ends = new Set<number>()
    let round = new Set([start])
    for (let count = 0; round.size > 0 && count <= Math.min(max, input.length + min); count++) {
      if (count >= min) for (const end of round) ends.add(end)
      round = new Set([...round].flatMap((from) => [...endsOf(operand, from)]))
    }
    return ends
  }

  const asked = new Set<string>()
  const endsOfRule = (name: string, start: number): Iterable<number> => {
    const key = `${name} ${start}`
    const ends = known.get(key) ?? new Set()
    known.set(key, ends)
    if (asked.has(key)) return [...ends]
    asked.add(key)
    for (const end of endsOfAll((byName.get(name) as Rule).members, start)) {
      grows ||= !ends.has(end)
      ends.add(end)
    }
    return [...ends]
  }

  const [first] = rules
  for (; grows; asked.clear()) {
    grows = false
    endsOfRule((first as Rule).name, 0)
  }
  return known.get(`${(first as Rule).name} 0`)?.has(input.length) ?? false
}
