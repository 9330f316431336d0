// A name that no rule has.

import { findNearest } from '../../stream/nearest.ts'
import { walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

/** Unknown names for which a known one is suggested: to compare them with all that are known takes long. */
const MOST_SUGGESTIONS = 20

export const findUnknownRules: Check = ({ rules }, report) => {
  const names = new Set(rules.map(({ name }) => name))
  const nearest = new Map<string, string | undefined>()
  for (const { members } of rules) {
    for (const expression of walk(members)) {
      if (expression.kind !== 'reference' || names.has(expression.name)) continue
      const { name, at } = expression
      if (!nearest.has(name) && nearest.size < MOST_SUGGESTIONS) nearest.set(name, findNearest(name, names))
      const suggested = nearest.get(name)
      report({
        code: 'unknown-rule',
        message: `unknown rule ${name}`,
        ...(suggested !== undefined && { suggestion: `did you mean ${suggested}?` }),
        at,
      })
    }
  }
}
