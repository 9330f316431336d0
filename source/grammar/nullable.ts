// Which rules and expressions can match without consuming anything.

import type { Expression, Rule } from './expression.ts'

/** The names of rules that can match nothing. Names that there are no rules for match something. */
export function findNullableRules(rules: readonly Rule[]): Set<string> {
  const nullable = new Set<string>()
  for (let size = -1; size < nullable.size; ) {
    size = nullable.size
    for (const { name, members } of rules) {
      if (members.every((member) => isNullable(member, nullable))) nullable.add(name)
    }
  }
  return nullable
}

/** Whether an expression can match nothing, given the rules that can. An empty literal never matches. */
export function isNullable(expression: Expression, nullable: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'failure':
      return false
    case 'class':
    case 'not':
      return expression.count.min === 0
    case 'reference':
      return nullable.has(expression.name)
    case 'group':
      return expression.items.every((item) => isNullable(item, nullable))
    case 'choice':
      return expression.options.some((option) => isNullable(option, nullable))
    case 'repeat':
      return expression.count.min === 0 || isNullable(expression.operand, nullable)
    case 'omit':
    case 'gather':
      return isNullable(expression.operand, nullable)
    case 'look':
    case 'cut':
      return true
  }
}
