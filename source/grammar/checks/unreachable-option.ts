// An option that can never match, because an earlier one always does, or matches whenever it would.

import { findAlways } from '../facts/nullable.ts'
import { type Choice, type Expression, operandsOf, partsOf, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

export const findUnreachableOptions: Check = ({ rules, source, dialect }, report) => {
  const always = findAlways(rules).expressions
  const forms = new Forms()
  const advice = dialect === undefined ? '; with the dialect bnf-parser this is a warning' : ''
  for (const rule of rules) {
    for (const expression of walk(partsOf(rule))) {
      if (expression.kind !== 'choice') continue
      for (const { option, earlier } of findIn(expression, always, forms)) {
        report({
          code: 'unreachable-option',
          severity: dialect === 'bnf-parser' ? 'warning' : 'error',
          message: earlier
            ? `this option can never match: ${source.quote(earlier.at)} comes before it and always matches first`
            : 'this option can never match',
          suggestion: (earlier ? 'put the longer or more specific option first' : 'remove it') + advice,
          at: option.at,
        })
      }
    }
  }
}

/** An option that can never match, and the earlier one that is why. */
interface Unreachable {
  readonly option: Expression
  readonly earlier: Expression | undefined
}

function findIn({ options }: Choice, always: ReadonlySet<Expression>, forms: Forms): Unreachable[] {
  const items = options.map(itemsOf)
  // By its number, the first option that matches wherever this one does; there are three ways to know.
  const byText = findByText(items)
  const byForm = findByForm(items, forms)
  const alwaysFirst = options.findIndex((option) => always.has(option))
  return options.flatMap((option, number): Unreachable[] => {
    if (neverMatches(option)) return [{ option, earlier: undefined }]
    const before = alwaysFirst === -1 ? number : alwaysFirst
    const first = Math.min(before, byText[number] as number, byForm[number] as number)
    return first < number ? [{ option, earlier: options[first] as Expression }] : []
  })
}

function neverMatches(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.text === ''
  if (expression.kind !== 'class' || expression.isNegated || expression.count.min === 0) return false
  return expression.ranges.every(({ first, last }) => first > last)
}

/** What an expression matches one after the other; what becomes of it in the tree does not count. */
function itemsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'group') return expression.items.flatMap(itemsOf)
  const isTransparent =
    expression.kind === 'omit' || expression.kind === 'gather' || (expression.kind === 'field' && !expression.isFlag)
  return isTransparent ? itemsOf(expression.operand) : [expression]
}

/**
 * For each option the first one that is a text with which it begins. In the order of their texts, what begins a text stands before it, and
 * after what begins that.
 */
function findByText(options: readonly (readonly Expression[])[]): number[] {
  const texts = options.map((items, number) => ({ number, text: textOf(items), isWhole: items.every(isPlainText) }))
  const found = options.map((_, number) => number)
  const beginnings: { readonly text: string; readonly first: number }[] = []
  for (const { number, text, isWhole } of texts.sort(compareTexts)) {
    while (!text.startsWith(beginnings.at(-1)?.text ?? '')) beginnings.pop()
    const first = Math.min(number, beginnings.at(-1)?.first ?? number)
    found[number] = first
    if (isWhole && text !== '') beginnings.push({ text, first })
  }
  return found
}

interface OptionText {
  readonly number: number
  readonly text: string
}

/** Equal texts in their own order. */
function compareTexts(one: OptionText, other: OptionText): number {
  if (one.text === other.text) return one.number - other.number
  return one.text < other.text ? -1 : 1
}

/** The text of the literals that come first. */
function textOf(items: readonly Expression[]): string {
  const texts: string[] = []
  for (const item of items) {
    if (!isPlainText(item)) break
    texts.push(item.text)
  }
  return texts.join('')
}

function isPlainText(expression: Expression): expression is Extract<Expression, { kind: 'literal' }> {
  return expression.kind === 'literal' && !expression.ignoresCase && expression.text !== ''
}

/** What options have in common, one item after the other. */
interface Branch {
  next: Map<number, Branch> | undefined
  /** The first option that ends here. */
  end: number | undefined
}

/** For each option the first one whose items are those with which it begins. */
function findByForm(options: readonly (readonly Expression[])[], forms: Forms): number[] {
  const root: Branch = { next: undefined, end: undefined }
  return options.map((items, number) => {
    let first = number
    let branch = root
    for (const item of items) {
      const form = forms.numberOf(item)
      branch.next ??= new Map()
      const next: Branch = branch.next.get(form) ?? { next: undefined, end: undefined }
      branch.next.set(form, next)
      branch = next
      first = Math.min(first, branch.end ?? first)
    }
    branch.end ??= number
    return first
  })
}

/** Numbers of expressions: those that are written alike have the same. */
class Forms {
  readonly #known = new Map<Expression, number>()
  readonly #numbers = new Map<string, number>()

  numberOf(expression: Expression): number {
    const known = this.#known.get(expression)
    if (known !== undefined) return known
    const below = operandsOf(expression).map((operand) => this.numberOf(operand))
    const form = JSON.stringify([{ ...expression, ...WITHOUT_OPERANDS }, below])
    const number = this.#numbers.get(form) ?? this.#numbers.size
    this.#numbers.set(form, number)
    this.#known.set(expression, number)
    return number
  }
}

const WITHOUT_OPERANDS = {
  at: undefined,
  operand: undefined,
  separator: undefined,
  items: undefined,
  options: undefined,
}
