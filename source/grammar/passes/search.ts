// Where each code point is tested for something that must not begin there (`!x*` with any x), what cannot begin it is skipped at once.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { Analysis } from '../analysis/analysis.ts'
import { firstBytesOf } from '../analysis/prefix.ts'
import { describeOrigins } from '../pattern/describe.ts'
import { type ClassPattern, itemsOf, type Pattern, type RepeatPattern, sequence } from '../pattern/pattern.ts'
import { changeEach, type Pass } from './pass.ts'

export const skipToCandidates: Pass = (procedures, tellOf) => {
  const analysis = new Analysis()
  const change = changeEach((pattern, tell) => (pattern.kind === 'repeat' ? skip(pattern, analysis, tell) : pattern))
  change(procedures, tellOf)
}

function skip(repeat: RepeatPattern, analysis: Analysis, tell: (text: string) => void): Pattern {
  const [look, any, ...more] = itemsOf(repeat.operand)
  const isSearch = look?.kind === 'look' && look.isNegative && any?.kind === 'class' && more.length === 0
  if (!isSearch || repeat.max !== Number.POSITIVE_INFINITY || repeat.min > 1) return repeat
  if (any.min !== 1 || any.max !== 1 || any.set.coverage(0, 0x10ffff) !== 'all') return repeat
  if (analysis.isNullable(look.operand)) return repeat
  const { bytes, isKnown } = firstBytesOf(analysis.first(look.operand, 1))
  const candidates = CodePointSet.beginningWith(bytes)
  if (!isKnown || candidates.complement().isEmpty) return repeat
  tell(`a search for ${describeOrigins(any.origins)} skips what cannot begin it`)
  const others: ClassPattern = { ...any, set: candidates.complement(), min: 1, max: Number.POSITIVE_INFINITY }
  const candidate = sequence([look, { ...any, set: candidates }])
  return { ...repeat, operand: { kind: 'choice', options: [others, candidate], at: undefined, origin: undefined } }
}
