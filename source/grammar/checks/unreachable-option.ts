// An option that can never match, because an earlier one always does, or matches whenever it would.

import { makeProblem } from '../errors.ts'
import type { Choice, Expression } from '../expression.ts'
import { findNullableRules, isNullable } from '../nullable.ts'
import { type Check, walk } from './index.ts'

export const findUnreachableOptions: Check = ({ rules, text, dialect }) => {
  const nullable = findNullableRules(rules)
  const texts = (expression: Expression) => text.slice(expression.at.start, expression.at.end)
  return rules.flatMap(({ members }) =>
    [...walk(members)].flatMap((expression) => {
      if (expression.kind !== 'choice') return []
      return findIn(expression, nullable).map(({ option, earlier }) =>
        makeProblem(text, {
          code: 'unreachable-option',
          severity: dialect === 'xylem' ? 'error' : 'warning',
          message: earlier
            ? `this option can never match: ${texts(earlier)} stands before it, and matches first`
            : 'this option can never match',
          suggestion: earlier ? 'put what is longer, or more special, first' : 'leave it out',
          at: option.at,
        }),
      )
    }),
  )
}

/** An option that can never match, and the earlier one that is why. */
interface Unreachable {
  readonly option: Expression
  readonly earlier: Expression | undefined
}

function findIn({ options }: Choice, nullable: ReadonlySet<string>): Unreachable[] {
  return options.flatMap((option, i): Unreachable[] => {
    if (neverMatches(option)) return [{ option, earlier: undefined }]
    const earlier = options.slice(0, i).find((other) => hides(other, option, nullable))
    return earlier ? [{ option, earlier }] : []
  })
}

function neverMatches(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.text === ''
  if (expression.kind !== 'class' || expression.isNegated || expression.count.min === 0) return false
  return expression.ranges.every(({ first, last }) => first > last)
}

/** Whether an option matches wherever a later one does. */
function hides(earlier: Expression, option: Expression, nullable: ReadonlySet<string>): boolean {
  if (alwaysMatches(earlier, nullable)) return true
  const prefix = asText(earlier)
  const text = firstText(option)
  if (prefix !== undefined && prefix !== '') return text?.startsWith(prefix) ?? false
  return earlier.kind === 'reference' && option.kind === 'reference' && earlier.name === option.name
}

/** Whether something matches whatever comes: a repetition that may be empty does. Others that can match nothing may still fail. */
function alwaysMatches(expression: Expression, nullable: ReadonlySet<string>): boolean {
  if (!isNullable(expression, nullable)) return false
  if (expression.kind === 'repeat' || expression.kind === 'class' || expression.kind === 'not') return true
  if (expression.kind === 'omit' || expression.kind === 'gather') return alwaysMatches(expression.operand, nullable)
  return expression.kind === 'group' && expression.items.every((item) => alwaysMatches(item, nullable))
}

/** The only text that an expression matches; undefined when there is more than one, or none. */
function asText(expression: Expression): string | undefined {
  if (expression.kind === 'literal') return expression.ignoresCase ? undefined : expression.text
  if (expression.kind === 'omit' || expression.kind === 'gather') return asText(expression.operand)
  if (expression.kind !== 'group') return undefined
  const texts = expression.items.map(asText)
  return texts.every((text) => text !== undefined && text !== '') ? texts.join('') : undefined
}

/** The text that whatever an expression matches begins with, as far as it is known. */
function firstText(expression: Expression): string | undefined {
  const text = asText(expression)
  if (text !== undefined) return text
  if (expression.kind === 'omit' || expression.kind === 'gather') return firstText(expression.operand)
  if (expression.kind !== 'group') return undefined
  let known = ''
  for (const item of expression.items) {
    const next = asText(item)
    if (next === undefined) return known + (firstText(item) ?? '')
    known += next
  }
  return known
}
