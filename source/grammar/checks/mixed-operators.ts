// Sequence and choice side by side without brackets: in the dialect bnf-parser they bind alike, from left to right, which few expect.

import type { ProblemDetails } from '../syntax/errors.ts'
import { type Choice, type Expression, type Rule, type TextRange, walk } from '../syntax/expression.ts'
import { parseGrammar } from '../syntax/syntax.ts'
import type { Check } from './check.ts'

/** Units of what is mixed up to which it is written out as it is read, and as it may be meant. */
const SHORT = 200

export const findMixedOperators: Check = ({ rules, source, dialect }, report) => {
  if (dialect === 'xylem' || !source.text.includes('|')) return
  const isGiven = dialect !== undefined
  for (const rule of isGiven ? rules : parseGrammar(source.text, 'bnf-parser').rules) {
    for (const { items, at } of listsOf(rule)) {
      if (isGiven ? !isMixed(items) : !isReadOtherwise(items)) continue
      const readings = at.end - at.start > SHORT ? undefined : readingsOf(items, source.text)
      report({ code: 'mixed-operators', severity: 'warning', at, ...(isGiven ? describe : describeOther)(readings) })
      // Who gives no dialect may have meant the other in all rules: that is said once.
      if (!isGiven) return
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

/**
 * Whether what was read from left to right means something else where a sequence binds stronger: where something follows a choice. Only what comes
 * first can be folded.
 */
function isReadOtherwise(items: readonly Expression[]): boolean {
  for (let inner = items; ; ) {
    if (inner.length > 1) return inner.some((item) => item.kind === 'choice' && !item.isBracketed)
    const [only] = inner
    const first = only?.kind === 'choice' ? only.options[0] : undefined
    if (!first || !isFolded(first)) return false
    inner = first.kind === 'group' ? first.items : [first]
  }
}

interface Readings {
  readonly folded: string
  readonly byPrecedence: string
}

function readingsOf(items: readonly Expression[], text: string): Readings {
  const folded = items.map((item) => bracket(item, text, items.length > 1)).join(' ')
  const options = unfold(items).map((sequence) => {
    const terms = sequence.map(({ at: { start, end } }) => text.slice(start, end)).join(' ')
    return sequence.length === 1 ? terms : `( ${terms} )`
  })
  return { folded, byPrecedence: options.join(' | ') }
}

type Description = Pick<ProblemDetails, 'message' | 'suggestion'>

function describe(readings: Readings | undefined): Description {
  const message = 'sequence and choice are mixed without brackets; they are read from left to right'
  if (!readings) return { message, suggestion: 'add brackets' }
  const { folded, byPrecedence } = readings
  const other = folded === byPrecedence ? '' : `  to keep this meaning, or  ${byPrecedence}`
  return { message, suggestion: `write  ${folded}${other}` }
}

function describeOther(readings: Readings | undefined): Description {
  return {
    message: 'a sequence binds stronger than a choice; the dialect bnf-parser reads this otherwise',
    suggestion: `${readings ? `write  ${readings.byPrecedence}  or` : 'add brackets, or'} give the dialect`,
  }
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
