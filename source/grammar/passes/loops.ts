// A repetition that may be left out is a repetition that may have no rounds: one decision less.

import { mapChildren, type Pattern } from '../pattern/pattern.ts'
import type { Pass } from './index.ts'

export const joinLoops: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, () =>
      tell(procedure.rule, 'a repetition that may be left out is one without rounds'),
    )
  }
}

function change(pattern: Pattern, tell: () => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  if (changed.kind !== 'repeat' || changed.min > 0 || changed.max !== 1) return changed
  const { operand } = changed
  if (operand.kind !== 'repeat' || operand.min > 1 || operand.max !== Number.POSITIVE_INFINITY) return changed
  tell()
  return { ...operand, min: 0 }
}
