// A node round a single terminal needs no frame: the machine remembers where its last terminal began.

import { isTerminal, type Pattern, sequence } from '../pattern/pattern.ts'
import { changeEach } from './pass.ts'

export const joinLeaves = changeEach((pattern) => {
  if (pattern.kind !== 'sequence') return pattern
  const items: Pattern[] = []
  for (const item of pattern.items) {
    const terminal = items.at(-1)
    if (item.kind === 'close' && terminal && isTerminal(terminal) && items.at(-2)?.kind === 'open') {
      items.splice(-2, 2, terminal, { kind: 'leaf', type: item.type })
    } else {
      items.push(item)
    }
  }
  return sequence(items)
})
