// Names of rules: that no rule has, that two have, that are never reached, or that types of nodes have already.

import { findNearest } from '../../stream/nearest.ts'
import { namesIn, partsOf, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

/** Unknown names for which a known one is suggested: to compare them with all that are known takes long. */
const MOST_SUGGESTIONS = 20

/** A name that no rule has. */
export const findUnknownRules: Check = ({ rules }, report) => {
  const names = new Set(rules.map(({ name }) => name))
  const nearest = new Map<string, string | undefined>()
  for (const rule of rules) {
    for (const expression of walk(partsOf(rule))) {
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

/** Two rules of one name. */
export const findDuplicateRules: Check = ({ rules, source }, report) => {
  const starts = new Map<string, number>()
  for (const { name, nameAt } of rules) {
    const first = starts.get(name)
    if (first === undefined) {
      starts.set(name, nameAt.start)
      continue
    }
    report({
      code: 'duplicate-rule',
      message: `duplicate rule ${name}; first defined in line ${source.lineAt(first)}`,
      suggestion: 'combine them with "|", or rename one',
      at: nameAt,
    })
  }
}

/** A rule that nothing refers to, directly or through others, from where parses begin. */
export const findUnreachableRules: Check = ({ rules }, report) => {
  const references = new Map(rules.map((rule) => [rule.name, [...namesIn(partsOf(rule))]]))
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

/** A rule whose nodes have the type of another kind of node. */
export const findAmbiguousNames: Check = ({ rules }, report) => {
  for (const { name, nameAt } of rules) {
    if (name !== 'literal') continue
    report({
      code: 'ambiguous-name',
      severity: 'warning',
      message: 'text nodes also have the type "literal"',
      suggestion: 'rename the rule, or distinguish the nodes by their value: text is a string, children are an array',
      at: nameAt,
    })
  }
}
