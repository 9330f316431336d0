// One code point of a set and then any of another, as in names, is one instruction.

import { mapChildren, type Pattern, sequence } from '../pattern/pattern.ts'
import type { Pass } from './index.ts'

export const joinNames: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (text) => tell(procedure.rule, text))
  }
}

function change(pattern: Pattern, tell: (text: string) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  if (changed.kind !== 'sequence') return changed
  const items: Pattern[] = []
  for (const [i, item] of changed.items.entries()) {
    const one = items.at(-1)
    const isRest = item.kind === 'class' && item.min === 0 && item.max === Number.POSITIVE_INFINITY
    // A leaf after it belongs to the repetition alone.
    const isLeaf = changed.items[i + 1]?.kind === 'leaf'
    if (isRest && !isLeaf && one?.kind === 'class' && one.min === 1 && one.max === 1) {
      tell('one code point and a repetition are one name')
      const { set, origins } = one
      items.splice(-1, 1, { kind: 'name', set, rest: item.set, origins, restOrigins: item.origins })
    } else {
      items.push(item)
    }
  }
  return sequence(items)
}
