// Options in a row that begin alike become one: what they have in common, and a choice of how they go on. Nothing that matches
// changes, since an expression matches in one way only; nodes may be in common as well, since what they are is recorded when they close.

import { type ChoicePattern, isEqual, itemsOf, mapChildren, netOpens, type Pattern, sequence } from '../pattern.ts'
import type { Pass } from './index.ts'

export const factor: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (count) => tell(procedure.rule, `${count} options begin alike`))
  }
}

function change(pattern: Pattern, tell: (count: number) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  return changed.kind === 'choice' ? factorChoice(changed, tell) : changed
}

function factorChoice(choice: ChoicePattern, tell: (count: number) => void): Pattern {
  const options: Pattern[] = []
  for (let i = 0; i < choice.options.length; ) {
    const alike = takeAlike(choice.options.slice(i))
    options.push(alike.length > 1 ? factorAlike(alike, choice, tell) : (choice.options[i] as Pattern))
    i += alike.length
  }
  return options.length === 1 ? (options[0] as Pattern) : { ...choice, options }
}

/** The options at the start of a list that begin with the same item. */
function takeAlike(options: readonly Pattern[]): Pattern[] {
  const [first] = options as [Pattern]
  const end = options.findIndex((option) => countShared([first, option]) === 0)
  return options.slice(0, end === -1 ? options.length : Math.max(1, end))
}

/** How many items all of the options begin with. */
function countShared(options: readonly Pattern[]): number {
  const [first = [], ...others] = options.map(itemsOf)
  let count = 0
  for (const item of first) {
    const isShared = others.every((items) => {
      const other = items[count]
      return other !== undefined && isEqual(item, other)
    })
    if (!isShared || !canShare(item, options, count)) break
    count++
  }
  // To open the same node costs next to nothing, and hides from what stands round it how the options begin.
  return first.slice(0, count).every(({ kind }) => kind === 'open') ? 0 : count
}

/**
 * A cut and a labelled failure say something about the option they stand in. A node can be opened for several options when each of them
 * has nothing behind its end: an option can then be left, and its node closed, when it has matched.
 */
function canShare(item: Pattern, options: readonly Pattern[], index: number): boolean {
  if (item.kind !== 'open') return item.kind !== 'cut' && item.kind !== 'throw'
  return options.every((option) => {
    const items = itemsOf(option)
    const end = items.findIndex((_, i) => i > index && netOpens(sequence(items.slice(index, i + 1))) === 0)
    return end !== -1 && items.slice(end).every(({ kind }) => kind === 'close')
  })
}

function factorAlike(alike: readonly Pattern[], choice: ChoicePattern, tell: (count: number) => void): Pattern {
  const count = countShared(alike)
  const shared = itemsOf(alike[0] as Pattern).slice(0, count)
  const rests = alike.map((option) => sequence(itemsOf(option).slice(count)))
  tell(alike.length)
  const options: ChoicePattern = { ...choice, options: rests }
  // Options that end nodes of the whole choice are not to be joined any further: they would end them from inside.
  const hasOpen = shared.reduce((depth, item) => depth + netOpens(item), 0) > 0
  return sequence([...shared, hasOpen ? options : factorChoice(options, tell)])
}
