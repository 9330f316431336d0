// What expressions and rules give when values are asked for: nothing, a text, or something else. It is decided by the grammar, never by the input.

import { type Condition, type Facts, findFacts } from '../facts/rule-facts.ts'
import { type Expression, operandsOf, type Rule, walk } from '../syntax/expression.ts'

/** What a rule gives, before it is looked at in detail: a record of its fields, a record or what it would begin with, or what its parts give. */
export type Giving = 'nothing' | 'text' | 'record' | 'fold' | 'parts'

/** Facts about the rules of a grammar that lowering and shapes have in common. */
export class ValueRules {
  readonly rules: ReadonlyMap<string, Rule>
  readonly #visible: Facts
  readonly #reaching: Facts
  /** The rules that reach another one than themselves. */
  readonly #reachingOthers: ReadonlySet<string>
  readonly #named: Facts
  readonly #folding: Facts
  #leading: Facts | undefined

  constructor(rules: ReadonlyMap<string, Rule>) {
    const all = [...rules.values()]
    this.rules = rules
    this.#visible = findFacts(all, whenVisible, 'any')
    const { rules: visible } = this.#visible
    this.#reaching = findFacts(all, (expression) => whenReaching(expression, visible), 'any')
    const own = new Set(all.flatMap(({ name, members }) => [...walk(members)].filter((one) => isCallOf(one, name))))
    this.#reachingOthers = findFacts(
      all,
      (expression) => (own.has(expression) ? 'never' : whenReaching(expression, visible)),
      'any',
    ).rules
    this.#named = findFacts(all, (expression) => whenHolding(expression, isNamed), 'any')
    this.#folding = findFacts(all, (expression) => whenHolding(expression, isFold), 'any')
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
    this.#leading ??= findFacts(
      this.rules.values(),
      (expression) => whenLeading(expression, this.#visible.rules),
      'any',
    )
    return this.#leading.rules.has(name)
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

function isCallOf(expression: Expression, rule: string): boolean {
  return expression.kind === 'reference' && expression.name === rule
}

function isNamed({ kind }: Expression): boolean {
  return kind === 'field' || kind === 'fold'
}

function isFold({ kind }: Expression): boolean {
  return kind === 'fold'
}

function whenVisible({ kind }: Expression): Condition {
  switch (kind) {
    case 'literal':
    case 'class':
    case 'not':
    case 'gather':
    case 'field':
    case 'fold':
      return 'always'
    case 'omit':
    case 'look':
      return 'never'
    default:
      return 'any'
  }
}

function whenReaching(expression: Expression, visible: ReadonlySet<string>): Condition {
  switch (expression.kind) {
    case 'reference':
      return visible.has(expression.name) ? 'always' : 'never'
    case 'field':
    case 'fold':
      return 'always'
    case 'omit':
    case 'look':
    case 'not':
    case 'gather':
      return 'never'
    default:
      return 'any'
  }
}

function whenLeading(expression: Expression, visible: ReadonlySet<string>): Condition {
  const condition = whenReaching(expression, visible)
  return expression.kind === 'reference' && condition === 'always' ? 'any' : condition
}

/** When an expression has something in it as it is one: not in what has a name, which is another value. */
function whenHolding(expression: Expression, isSought: (expression: Expression) => boolean): Condition {
  if (isSought(expression)) return 'always'
  const isOther = expression.kind === 'field' || expression.kind === 'reference' || operandsOf(expression).length === 0
  return isOther ? 'never' : 'any'
}
