// A rule whose nodes have the type of another kind of node.

import type { Check } from './check.ts'

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
