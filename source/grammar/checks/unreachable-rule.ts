// A rule that nothing refers to, directly or through others, from where parses begin.

import { makeProblem } from '../errors.ts'
import { type Check, walk } from './index.ts'

export const findUnreachableRules: Check = ({ rules, text }) => {
  const references = new Map(
    rules.map(({ name, members }) => {
      const names = [...walk(members)].flatMap((expression) =>
        expression.kind === 'reference' ? [expression.name] : [],
      )
      return [name, names]
    }),
  )
  // Without a rule `program` every rule may be meant as the one to begin with.
  if (!references.has('program')) return []
  const reached = new Set(['program'])
  for (const name of reached) for (const next of references.get(name) ?? []) reached.add(next)
  return rules.flatMap(({ name, nameAt }) => {
    if (reached.has(name)) return []
    return makeProblem(text, {
      code: 'unreachable-rule',
      severity: 'warning',
      message: `program never comes to ${name}`,
      suggestion: `leave it out, unless parses begin with it: { entry: '${name}' }`,
      at: nameAt,
    })
  })
}
