// Two rules of one name.

import type { Check } from './check.ts'

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
