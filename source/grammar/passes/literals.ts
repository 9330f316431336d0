// Options that are literals which begin alike become one terminal: the machine tells which of them is next without a way back.

import { type LiteralPattern, mapChildren, type Pattern } from '../pattern.ts'
import type { Pass } from './index.ts'

export const joinLiterals: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (count) => tell(procedure.rule, `${count} literals are one terminal`))
  }
}

function change(pattern: Pattern, tell: (count: number) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  if (changed.kind !== 'choice') return changed
  const literals = changed.options.filter(isListable)
  if (literals.length < changed.options.length || !beginAlike(literals) || literals.some(isPrefixOfOther))
    return changed
  tell(literals.length)
  const [{ path }] = literals as [LiteralPattern]
  return {
    kind: 'listed',
    literals: literals.map(({ bytes }) => bytes),
    expects: literals.flatMap(({ expects }) => expects),
    path,
  }
}

/** A single byte is told from others by a look at it. */
function isListable(pattern: Pattern): pattern is LiteralPattern {
  return pattern.kind === 'literal' && !pattern.ignoresCase && pattern.bytes.length > 1
}

function beginAlike(literals: readonly LiteralPattern[]): boolean {
  return new Set(literals.map(({ bytes }) => bytes[0])).size === 1 && literals.length > 1
}

/** Of two literals that can both be next, the first option would have to be taken. */
function isPrefixOfOther(one: LiteralPattern, _index: number, all: readonly LiteralPattern[]): boolean {
  return all.some((other) => other !== one && one.bytes.every((byte, i) => byte === other.bytes[i]))
}
