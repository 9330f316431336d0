// What holds for rules by what they are made of, as whether they can match nothing: the least fixed point of "holds for all of these" and
// "holds for one of these", found in linear time, whatever order the rules are in (Dowling and Gallier, "Linear-time algorithms for testing the
// satisfiability of propositional Horn formulae", 1984).

import { type Expression, operandsOf, type Rule } from '../syntax/expression.ts'
import { addTo } from './multimap.ts'

/**
 * When something holds for an expression: always; never; when it does for `all` of its operands, or for the `first`; or when it does for `any` of
 * them, or for the rule that it refers to.
 */
export type Condition = 'always' | 'never' | 'all' | 'first' | 'any'

/** For which rules and expressions something holds. Of rules that there are not it never does. */
export interface Facts {
  readonly rules: ReadonlySet<string>
  readonly expressions: ReadonlySet<Expression>
}

/** An expression or a rule, and how many of those below it are missing. */
interface Claim {
  readonly subject: Expression | Rule
  readonly parent: Claim | undefined
  missing: number
}

/** Finds for what something holds; for a rule when it does for all or any of its members. `conditionOf` gets an expression and the rule that it is in. */
export function findFacts(
  rules: Iterable<Rule>,
  conditionOf: (expression: Expression, rule: Rule) => Condition,
  ofRule: 'all' | 'any',
): Facts {
  const found = { rules: new Set<string>(), expressions: new Set<Expression>() }
  const references = new Map<string, Claim[]>()
  const holding: Claim[] = []
  const claim = (subject: Claim['subject'], parent: Claim | undefined, missing: number): Claim => {
    const made = { subject, parent, missing }
    if (missing === 0) holding.push(made)
    return made
  }
  for (const rule of rules) {
    const waiting: [Expression, Claim | undefined][] = []
    const whole = claim(rule, undefined, ofRule === 'all' ? rule.members.length : 1)
    for (const member of rule.members) waiting.push([member, whole])
    if (rule.sync) waiting.push([rule.sync, undefined])
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [expression, parent] = next
      const operands = operandsOf(expression)
      const condition = conditionOf(expression, rule)
      const made = claim(expression, parent, MISSING[condition] ?? operands.length)
      if (expression.kind === 'reference') addTo(references, expression.name, made)
      for (const [i, operand] of operands.entries()) {
        waiting.push([operand, condition === 'first' && i > 0 ? undefined : made])
      }
    }
  }
  for (let next = holding.pop(); next; next = holding.pop()) {
    const { subject, parent } = next
    const meet = (other: Claim): void => {
      if (--other.missing === 0) holding.push(other)
    }
    if ('kind' in subject) found.expressions.add(subject)
    else if (!found.rules.has(subject.name)) {
      found.rules.add(subject.name)
      for (const reference of references.get(subject.name) ?? []) meet(reference)
    }
    if (parent) meet(parent)
  }
  return found
}

const MISSING: Readonly<Record<Condition, number | undefined>> = {
  always: 0,
  never: Number.POSITIVE_INFINITY,
  any: 1,
  first: 1,
  all: undefined,
}
