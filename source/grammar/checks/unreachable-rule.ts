// A rule that nothing refers to, directly or through others, from where parses begin.

import { namesIn } from '../syntax/expression.ts'
import type { Check } from './check.ts'

export const findUnreachableRules: Check = ({ rules }, report) => {
  const references = new Map(rules.map(({ name, members }) => [name, [...namesIn(members)]]))
  // Without a rule `program` every rule may be meant as the one to begin with.
  if (!references.has('program')) return
  const reached = new Set(['program'])
  for (const name of reached) for (const next of references.get(name) ?? []) reached.add(next)
  for (const { name, nameAt } of rules) {
    if (reached.has(name)) continue
    report({
      code: 'unreachable-rule',
      severity: 'warning',
      message: `the rule ${name} is not reachable from program`,
      suggestion: `remove it, unless it is an entry: { entry: '${name}' }`,
      at: nameAt,
    })
  }
}
