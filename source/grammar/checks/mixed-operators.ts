// Sequence and choice side by side without brackets: in this dialect they bind alike, from left to right, which few expect.

import { type Choice, type Expression, type Rule, type TextRange, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

/** Units of what is mixed up to which it is written out as it is read, and as it may be meant. */
const SHORT = 200

export const findMixedOperators: Check = ({ rules, source, dialect }, report) => {
  if (dialect !== 'bnf-parser') return
  for (const rule of rules) {
    for (const { items, at } of listsOf(rule)) {
      if (!isMixed(items)) continue
      report({
        code: 'mixed-operators',
        severity: 'warning',
        message: 'sequence and choice are mixed without brackets; they are read from left to right',
        suggestion: at.end - at.start > SHORT ? 'add brackets' : suggest(items, source.text),
        at,
      })
    }
  }
}

/** What stands side by side in the rule, and in each of its brackets. */
function listsOf({ members, at }: Rule): { items: readonly Expression[]; at: TextRange }[] {
  const inner = [...walk(members)].flatMap((expression) => {
    if (expression.kind === 'group' && expression.isBracketed) return [{ items: expression.items, at: expression.at }]
    return expression.kind === 'choice' && expression.isBracketed ? [{ items: [expression], at: expression.at }] : []
  })
  // A bracketed choice that is all of a rule is among the brackets already.
  if (members.length === 1 && members[0]?.kind === 'choice' && members[0].isBracketed) return inner
  return [
    { items: members, at: { start: members[0]?.at.start ?? at.start, end: members.at(-1)?.at.end ?? at.end } },
    ...inner,
  ]
}

/** A choice that was not bracketed as one of several members, or a sequence that was not as an option. */
function isMixed(items: readonly Expression[]): boolean {
  const [only] = items
  if (items.length === 1 && only?.kind === 'choice') return only.options.some(isFolded)
  return items.some((item) => item.kind === 'choice' && !item.isBracketed)
}

function isFolded(option: Expression): boolean {
  return (option.kind === 'group' || option.kind === 'choice') && !option.isBracketed
}

function suggest(items: readonly Expression[], text: string): string {
  const folded = items.map((item) => bracket(item, text, items.length > 1)).join(' ')
  const options = unfold(items).map((sequence) => {
    const terms = sequence.map(({ at: { start, end } }) => text.slice(start, end)).join(' ')
    return sequence.length === 1 ? terms : `( ${terms} )`
  })
  const expected = options.join(' | ')
  return folded === expected ? `write  ${folded}` : `write  ${folded}  to keep this meaning, or  ${expected}`
}

/** The terms as they are written: sequences, with `|` between them. Only what comes first can be folded. */
export function unfold(items: readonly Expression[], isWhole = true): Expression[][] {
  const [first, ...rest] = items
  if (!first) return [[]]
  const isFoldedChoice = first.kind === 'choice' && (!first.isBracketed || (isWhole && rest.length === 0))
  if (!isFoldedChoice) return [[...items]]
  const [left, ...options] = first.options
  const isSequence = left?.kind === 'group' && !left.isBracketed
  const sequences = unfold(isSequence ? left.items : left ? [left] : [], false)
  sequences.push(...options.map((option) => [option]))
  sequences.at(-1)?.push(...rest)
  return sequences
}

/** The text of an expression with brackets round what is folded. */
function bracket(expression: Expression, text: string, isMember: boolean): string {
  if (expression.kind === 'choice' && (isMember ? !expression.isBracketed : true))
    return bracketChoice(expression, text, isMember)
  if (expression.kind === 'group' && !expression.isBracketed) {
    return `( ${expression.items.map((item) => bracket(item, text, true)).join(' ')} )`
  }
  return text.slice(expression.at.start, expression.at.end)
}

function bracketChoice({ options }: Choice, text: string, isMember: boolean): string {
  const inner = options.map((option) => bracket(option, text, true)).join(' | ')
  return isMember ? `( ${inner} )` : inner
}
