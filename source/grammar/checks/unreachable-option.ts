// An option that can never match, because an earlier one always does, or matches whenever it would.

import { makeProblem, type Problem } from '../errors.ts'
import type { Choice, Expression, Rule } from '../expression.ts'
import { type Check, walk } from './index.ts'

export const findUnreachableOptions: Check = ({ rules, text, dialect }) => {
  const always = findRulesThatAlwaysMatch(rules)
  const describe = ({ option, earlier }: Unreachable): Problem => {
    const { start, end } = (earlier ?? option).at
    return makeProblem(text, {
      code: 'unreachable-option',
      severity: dialect === 'xylem' ? 'error' : 'warning',
      message: earlier
        ? `this option can never match: ${text.slice(start, end)} stands before it, and matches first`
        : 'this option can never match',
      suggestion: earlier ? 'put what is longer, or more special, first' : 'leave it out',
      at: option.at,
    })
  }
  return rules.flatMap(({ members }) =>
    [...walk(members)].flatMap((expression) =>
      expression.kind === 'choice' ? findIn(expression, always).map(describe) : [],
    ),
  )
}

/** An option that can never match, and the earlier one that is why. */
interface Unreachable {
  readonly option: Expression
  readonly earlier: Expression | undefined
}

/** What is known of an option. */
interface Facts {
  readonly option: Expression
  readonly alwaysMatches: boolean
  /** The only text that it matches; undefined when there is more than one, or none. */
  readonly text: string | undefined
  /** What it matches one after the other, each written so that equal strings match the same. */
  readonly forms: readonly string[]
  /** The text that whatever it matches begins with, as far as it is known. */
  readonly start: string
}

function findIn({ options }: Choice, always: ReadonlySet<string>): Unreachable[] {
  const facts = options.map((option): Facts => {
    const items = itemsOf(option)
    return {
      option,
      alwaysMatches: alwaysMatches(option, always),
      text: items.every(isPlainText) ? textOf(items) : undefined,
      forms: items.map(formOf),
      start: textOf(items),
    }
  })
  return facts.flatMap((later, i): Unreachable[] => {
    const { option } = later
    if (neverMatches(option)) return [{ option, earlier: undefined }]
    const earlier = facts.slice(0, i).find((other) => hides(other, later))
    return earlier ? [{ option, earlier: earlier.option }] : []
  })
}

function neverMatches(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.text === ''
  if (expression.kind !== 'class' || expression.isNegated || expression.count.min === 0) return false
  return expression.ranges.every(({ first, last }) => first > last)
}

/** Whether an option matches wherever a later one does. */
function hides(earlier: Facts, later: Facts): boolean {
  if (earlier.alwaysMatches) return true
  if (earlier.text !== undefined && later.start.startsWith(earlier.text)) return true
  return earlier.forms.every((form, i) => form === later.forms[i])
}

/** What an expression matches one after the other; what becomes of it in the tree does not count. */
function itemsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'group') return expression.items.flatMap(itemsOf)
  return expression.kind === 'omit' || expression.kind === 'gather' ? itemsOf(expression.operand) : [expression]
}

/** The text of the literals that come first. */
function textOf(items: readonly Expression[]): string {
  let text = ''
  for (const item of items) {
    if (!isPlainText(item)) break
    text += item.text
  }
  return text
}

function isPlainText(expression: Expression): expression is Extract<Expression, { kind: 'literal' }> {
  return expression.kind === 'literal' && !expression.ignoresCase && expression.text !== ''
}

function formOf(expression: Expression): string {
  const { kind } = expression
  if (kind === 'reference') return expression.name
  return JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value))
}

/** The names of the rules that match whatever comes. */
function findRulesThatAlwaysMatch(rules: readonly Rule[]): Set<string> {
  const always = new Set<string>()
  for (let size = -1; size < always.size; ) {
    size = always.size
    for (const { name, members } of rules) {
      if (members.every((member) => alwaysMatches(member, always))) always.add(name)
    }
  }
  return always
}

/** Whether something matches whatever comes. Not all that can match nothing does: a look-ahead may fail. */
function alwaysMatches(expression: Expression, always: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'class':
    case 'not':
      return expression.count.min === 0
    case 'reference':
      return always.has(expression.name)
    case 'group':
      return expression.items.every((item) => alwaysMatches(item, always))
    case 'choice':
      return expression.options.some((option) => alwaysMatches(option, always))
    case 'repeat':
      return expression.count.min === 0 || alwaysMatches(expression.operand, always)
    case 'omit':
    case 'gather':
      return alwaysMatches(expression.operand, always)
    default:
      return false
  }
}
