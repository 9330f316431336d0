// Two rules of one name.

import { makeProblem } from '../errors.ts'
import type { Check } from './index.ts'

export const findDuplicateRules: Check = ({ rules, text }) => {
  const lines = new Map<string, number>()
  return rules.flatMap(({ name, nameAt }) => {
    const line = text.slice(0, nameAt.start).split('\n').length
    const first = lines.get(name)
    if (first === undefined) {
      lines.set(name, line)
      return []
    }
    const message = `there is a rule ${name} already, in line ${first}`
    return makeProblem(text, {
      code: 'duplicate-rule',
      message,
      suggestion: 'join them with "|", or rename one',
      at: nameAt,
    })
  })
}
