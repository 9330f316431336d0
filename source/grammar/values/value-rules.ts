// What expressions and rules give when values are asked for: nothing, a text, or something else. It is decided by the grammar, never by the input.

import { type Condition, type Facts, findFacts } from '../facts/rule-facts.ts'
import { type Expression, mapOperands, type Reference, type Rule, walk } from '../syntax/expression.ts'

/** What a rule gives, before it is looked at in detail: a record of its fields, a record or what it would begin with, or what its parts give. */
export type Giving = 'nothing' | 'text' | 'record' | 'fold' | 'parts'

/** When something holds for expressions of a kind; for others, when it does for any of their operands. */
type Conditions = Readonly<Partial<Record<Expression['kind'], Condition>>>

const [always, never] = ['always', 'never'] as const
const VISIBLE: Conditions = {
  ...{ literal: always, class: always, not: always, gather: always, field: always, fold: always },
  ...{ omit: never, look: never },
}
/** Whether an expression reaches rules that give something, or fields. */
const REACHING: Conditions = {
  ...{ field: always, fold: always },
  ...{ reference: never, omit: never, look: never, not: never, gather: never },
}
/** Whether an expression has fields in it as it is one: not in what has a name, which is another value. */
const NAMED: Conditions = { field: always, fold: always, reference: never }
const FOLDING: Conditions = { fold: always, field: never, reference: never }

/** Facts about the rules of a grammar that lowering and shapes have in common. */
export class ValueRules {
  readonly rules: ReadonlyMap<string, Rule>
  readonly #visible: Facts
  readonly #reaching: Facts
  /** The rules that reach another one than themselves. */
  readonly #reachingOthers: ReadonlySet<string>
  readonly #named: Facts
  readonly #folding: Facts
  #leading: ReadonlySet<string> | undefined

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.rules = rules
    this.#visible = this.#find(VISIBLE)
    this.#reaching = this.#find(REACHING, () => 'always')
    this.#reachingOthers = this.#find(REACHING, ({ name }, rule) => (name === rule.name ? 'never' : 'always')).rules
    this.#named = this.#find(NAMED)
    this.#folding = this.#find(FOLDING)
  }

  /** For what something holds by its kind. `ofReference`: when it does for a reference to a rule that is visible. */
  #find(conditions: Conditions, ofReference?: (reference: Reference, rule: Rule) => Condition): Facts {
    const conditionOf = (expression: Expression, rule: Rule): Condition => {
      const isReference = ofReference && expression.kind === 'reference' && this.#visible.rules.has(expression.name)
      return isReference ? ofReference(expression, rule) : (conditions[expression.kind] ?? 'any')
    }
    return findFacts(this.rules.values(), conditionOf, 'any')
  }

  rule(name: string): Rule {
    return this.rules.get(name) as Rule
  }

  givingOf(name: string): Giving {
    if (this.#folding.rules.has(name)) return 'fold'
    if (this.#named.rules.has(name)) return 'record'
    if (!this.#visible.rules.has(name)) return 'nothing'
    return this.#reachingOthers.has(name) ? 'parts' : 'text'
  }

  /** Whether there are fields in a rule, or in those of which its value is made. */
  reachesFields(name: string): boolean {
    this.#leading ??= this.#find(REACHING, () => 'any').rules
    return this.#leading.has(name)
  }

  /** Whether anything that an expression matches is in the tree. */
  isVisible(expression: Expression): boolean {
    return this.#visible.expressions.has(expression)
  }

  /** Whether an expression gives a text: it refers to no rule that gives something, and has no fields. */
  isText(expression: Expression): boolean {
    return this.isVisible(expression) && !this.#reaching.expressions.has(expression)
  }

  /** Whether there are fields in an expression, or in it as it is one. */
  hasFields(expression: Expression): boolean {
    return this.#named.expressions.has(expression)
  }

  hasFold(expression: Expression): boolean {
    return this.#folding.expressions.has(expression)
  }

  /** Of what stands one after the other, what gives something: all but punctuation. */
  partsOf(items: readonly Expression[]): Expression[] {
    return items.filter((item) => this.isVisible(item) && !isPunctuation(item))
  }
}

/** The rules as if what each `:rule` matches were written in its place. */
export function joinRules(rules: ReadonlyMap<string, Rule>): ReadonlyMap<string, Rule> {
  const isJoin = (one: Expression) => one.kind === 'reference' && one.isJoined === true
  if (![...rules.values()].some(({ members }) => [...walk(members)].some(isJoin))) return rules
  const join = (expression: Expression, around: readonly string[]): Expression => {
    const rule = isJoin(expression) ? rules.get((expression as Reference).name) : undefined
    if (!rule || around.includes(rule.name)) return mapOperands(expression, (operand) => join(operand, around))
    // Expressions are known by what they are: each place has its own.
    const items = structuredClone(rule.members).map((member) => join(member, [...around, rule.name]))
    return { kind: 'group', items, isBracketed: false, at: expression.at }
  }
  return new Map(
    [...rules].map(([name, rule]) => [name, { ...rule, members: rule.members.map((member) => join(member, [name])) }]),
  )
}

/** Whether an expression gives nothing at all, as an option in a repetition: `( a | %b )*`. */
export function isOmitted(expression: Expression): boolean {
  if (expression.kind === 'group') return expression.items.every(isOmitted)
  return expression.kind === 'omit' || expression.kind === 'look' || expression.kind === 'cut'
}

/** Whether a round of a repetition may give nothing. */
export function mayLack(round: Expression): boolean {
  if (round.kind === 'group') return round.items.some(mayLack)
  return round.kind === 'choice' && round.options.some((option) => isOmitted(option) || mayLack(option))
}

/** The texts of a choice of literals, or of one literal, that match nothing else; undefined for any other expression. */
export function constantsOf(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.ignoresCase || expression.text === '' ? undefined : [expression.text]
    case 'choice': {
      const texts = expression.options.map(constantsOf)
      return texts.every((one) => one !== undefined) ? [...new Set(texts.flat())] : undefined
    }
    case 'group':
      return expression.items.length === 1 ? constantsOf(expression.items[0] as Expression) : undefined
    default:
      return undefined
  }
}

/** Whether an expression always matches the same text, but for its case: then it says nothing. */
function isPunctuation(expression: Expression): boolean {
  if (expression.kind === 'group') return expression.items.every((item) => item.kind === 'omit' || isPunctuation(item))
  return expression.kind === 'literal'
}
