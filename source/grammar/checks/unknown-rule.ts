// A name that no rule has.

import { makeProblem } from '../errors.ts'
import { type Check, walk } from './index.ts'

export const findUnknownRules: Check = ({ rules, text }) => {
  const names = new Set(rules.map(({ name }) => name))
  return rules.flatMap(({ members }) =>
    [...walk(members)].flatMap((expression) => {
      if (expression.kind !== 'reference' || names.has(expression.name)) return []
      const nearest = findNearest(expression.name, names)
      return makeProblem(text, {
        code: 'unknown-rule',
        message: `there is no rule ${expression.name}`,
        ...(nearest !== undefined && { suggestion: `did you mean ${nearest}?` }),
        at: expression.at,
      })
    }),
  )
}

/** The name that is most like the one given, if one is like it at all. */
function findNearest(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Math.max(2, Math.ceil(name.length / 3) + 1)
  for (const other of names) {
    const distance = measureDistance(name.toLowerCase(), other.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = other
    }
  }
  return nearest
}

/** How many characters must be put in, left out or changed (Levenshtein's distance; Wagner and Fischer, 1974). */
function measureDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
