// A number that says whether two grammars give values and trees of the same types.

import type { Expression, Rule } from './expression.ts'

/** Changes with what is made of grammars: types of an earlier version are then stale. */
const VERSION = 'values 1'

/** What says nothing of types: places, what messages say, where reading continues after errors, which characters are in classes, and brackets where the same node is without them. */
const IRRELEVANT = new Set(['at', 'nameAt', 'label', 'message', 'sync', 'ranges', 'isNegated', 'isBracketed'])

/**
 * Sixteen hexadecimal digits that change with the rules of a grammar. The order of rules, comments and blanks do not count, nor does what is in classes. It is a number
 * to notice changes by, not a cryptographic one: for those, browsers have no synchronous function.
 */
export function hashGrammar(rules: readonly Rule[]): string {
  const texts = rules.map((rule) => JSON.stringify(rule, keepRelevant)).sort()
  const text = [VERSION, ...texts].join('\n')
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // FNV-1a, and beside it a sum that depends on it and has another factor.
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x85ebca6b)
  }
  return [high ^ (high >>> 16), low ^ (low >>> 16)].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

function keepRelevant(key: string, value: unknown): unknown {
  if (IRRELEVANT.has(key)) return undefined
  // A separator of several parts gives a node only in brackets.
  if (key === 'separator' && isBracketedGroup(value as Expression | undefined)) return { bracketed: value }
  // JSON has no infinity.
  return value === Number.POSITIVE_INFINITY ? 'any' : value
}

function isBracketedGroup(expression: Expression | undefined): boolean {
  return expression?.kind === 'group' && expression.isBracketed
}
