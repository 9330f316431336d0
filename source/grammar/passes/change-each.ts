// Passes that change patterns one by one.

import { mapChildren, type Pattern } from '../pattern/pattern.ts'
import type { Pass } from './index.ts'

/** A pass that changes each pattern, after those of which it is made. `tell` says what was done. */
export function changeEach(change: (pattern: Pattern, tell: (text: string) => void) => Pattern): Pass {
  return (procedures, tell) => {
    for (const procedure of procedures) {
      const visit = (pattern: Pattern): Pattern => {
        return change(mapChildren(pattern, visit), (text) => tell(procedure.rule, text))
      }
      procedure.body = visit(procedure.body)
    }
  }
}
