// Options that are literals which begin alike become one terminal: the machine finds which of them is next without a way back.

import { type LiteralPattern, mapChildren, type Pattern } from '../pattern.ts'
import type { Pass } from './index.ts'

export const joinLiterals: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (count) => tell(procedure.rule, `${count} literals are one terminal`))
  }
}

function change(pattern: Pattern, tell: (count: number) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  if (changed.kind !== 'choice' || changed.options.length < 2 || !changed.options.every(isListable)) return changed
  const literals: readonly LiteralPattern[] = changed.options
  const [first] = literals as [LiteralPattern]
  if (literals.some(({ bytes }) => bytes[0] !== first.bytes[0]) || hasPrefix(literals)) return changed
  tell(literals.length)
  return {
    kind: 'listed',
    literals: literals.map(({ bytes }) => bytes),
    origins: literals.flatMap(({ origins }) => origins),
  }
}

/** A single byte is distinguished from others by itself. */
function isListable(pattern: Pattern): pattern is LiteralPattern {
  return pattern.kind === 'literal' && !pattern.ignoresCase && pattern.bytes.length > 1
}

/**
 * Whether one begins another: of two literals that can both be next, the first option would have to be taken. In ascending order, what begins
 * another stands right before one that it begins.
 */
function hasPrefix(literals: readonly LiteralPattern[]): boolean {
  const sorted = literals.map(({ bytes }) => bytes).sort(compareBytes)
  return sorted.some((bytes, i) => {
    const next = sorted[i + 1]
    return next !== undefined && bytes.every((byte, at) => byte === next[at])
  })
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) {
    const difference = (one[i] as number) - (other[i] as number)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
