// One code point of a set and then any of another, as in names, is one instruction.

import { type Pattern, sequence } from '../pattern/pattern.ts'
import { changeEach } from './pass.ts'

export const joinNames = changeEach((pattern, tell) => {
  if (pattern.kind !== 'sequence') return pattern
  const items: Pattern[] = []
  for (const [i, item] of pattern.items.entries()) {
    const one = items.at(-1)
    const isRest = item.kind === 'class' && item.min === 0 && item.max === Number.POSITIVE_INFINITY
    // A leaf after it belongs to the repetition alone.
    const isLeaf = pattern.items[i + 1]?.kind === 'leaf'
    if (isRest && !isLeaf && one?.kind === 'class' && one.min === 1 && one.max === 1) {
      tell('one code point and a repetition are one name')
      const { set, origins } = one
      items.splice(-1, 1, { kind: 'name', set, rest: item.set, origins, restOrigins: item.origins })
    } else {
      items.push(item)
    }
  }
  return sequence(items)
})
