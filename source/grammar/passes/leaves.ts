// A node round a single terminal needs no frame: the machine remembers where its last terminal began.

import { isTerminal, mapChildren, type Pattern, sequence } from '../pattern/pattern.ts'
import type { Pass } from './index.ts'

export const joinLeaves: Pass = (procedures) => {
  for (const procedure of procedures) procedure.body = change(procedure.body)
}

function change(pattern: Pattern): Pattern {
  const changed = mapChildren(pattern, change)
  if (changed.kind !== 'sequence') return changed
  const items: Pattern[] = []
  for (const item of changed.items) {
    const terminal = items.at(-1)
    if (item.kind === 'close' && terminal && isTerminal(terminal) && items.at(-2)?.kind === 'open') {
      items.splice(-2, 2, terminal, { kind: 'leaf', type: item.type })
    } else {
      items.push(item)
    }
  }
  return sequence(items)
}
