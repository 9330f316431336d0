// The rules that give no values, and why.

import { addTo } from '../facts/multimap.ts'
import type { ValueShapes } from '../values/value-shapes.ts'

/** For each of these rules, what keeps its values from being made: in it, or in a rule that it refers to. */
export function findValueless(shapes: ValueShapes): Map<string, string> {
  const reasons = new Map<string, string>()
  const users = new Map<string, string[]>()
  for (const name of shapes.rules.rules.keys()) {
    const [problem] = shapes.problemsOf(name)
    if (problem) reasons.set(name, [problem.message, problem.suggestion].filter(Boolean).join('; '))
    for (const other of shapes.referencesOf(name)) addTo(users, other, name)
  }
  // What is added while the map is walked is visited as well.
  for (const name of reasons.keys()) {
    for (const user of users.get(name) ?? [])
      if (!reasons.has(user)) reasons.set(user, `see ${name}, which it refers to`)
  }
  return reasons
}
