// Options in a row that begin alike become one: what they have in common, and a choice of how they continue. Nothing that matches
// changes, since an expression matches in one way only; nodes may be in common as well, since what they are is recorded when they close.

import { Analysis } from '../analysis/analysis.ts'
import {
  type ChoicePattern,
  isEqual,
  itemsOf,
  mergeOrigins,
  netOpens,
  type Pattern,
  sequence,
} from '../pattern/pattern.ts'
import { changeEach, type Pass } from './pass.ts'

export const factor: Pass = (procedures, tellOf) => {
  const analysis = new Analysis()
  const change = changeEach((pattern, tell) => {
    return pattern.kind === 'choice' ? new Factoring(analysis, tell).factorChoice(pattern) : pattern
  })
  change(procedures, tellOf)
}

class Factoring {
  readonly #analysis: Analysis
  readonly #tell: (text: string) => void

  constructor(analysis: Analysis, tell: (text: string) => void) {
    this.#analysis = analysis
    this.#tell = tell
  }

  factorChoice(choice: ChoicePattern): Pattern {
    const options: Pattern[] = []
    for (let i = 0; i < choice.options.length; ) {
      const { alike, count } = this.#takeAlike(choice.options, i)
      options.push(count > 0 ? this.#factorAlike(alike, count, choice) : (choice.options[i] as Pattern))
      i += alike.length
    }
    return options.length === 1 ? (options[0] as Pattern) : { ...choice, options }
  }

  /** The options from an index on that begin with the same item, and how many items they have in common; one with 0 otherwise. */
  #takeAlike(options: readonly Pattern[], from: number): { alike: readonly Pattern[]; count: number } {
    const first = options[from] as Pattern
    let end = from + 1
    while (end < options.length && countShared([first, options[end] as Pattern]) > 0) end++
    for (; end > from + 1; end--) {
      const alike = options.slice(from, end)
      const count = countShared(alike)
      const last = alike.slice(0, -1).findIndex((option) => this.#mayGiveWay(option, count))
      if (count > 0 && last === -1) return { alike, count }
      if (last !== -1) end = from + last + 2
    }
    return { alike: [first], count: 0 }
  }

  /**
   * Whether an option continues, after what it has in common with others, with something that may match nothing, and may fail as well: what is
   * expected after it then depends on that.
   */
  #mayGiveWay(option: Pattern, shared: number): boolean {
    const rest = sequence(itemsOf(option).slice(shared))
    return this.#analysis.isNullable(rest) && !this.#analysis.alwaysMatches(rest)
  }

  #factorAlike(alike: readonly Pattern[], count: number, choice: ChoicePattern): Pattern {
    const rests = alike.map((option) => sequence(itemsOf(option).slice(count)))
    this.#tell(`${alike.length} options begin alike`)
    // After one that always matches, no other is ever tried.
    const always = rests.findIndex((rest) => this.#analysis.alwaysMatches(rest))
    const tried = always === -1 ? alike : alike.slice(0, always + 1)
    const [first] = alike as [Pattern]
    const shared = itemsOf(first)
      .slice(0, count)
      .map((_, i) => mergeOrigins(tried.map((option) => itemsOf(option)[i] as Pattern)))
    const options: ChoicePattern = { ...choice, options: rests }
    // Options that end nodes of the complete choice are not to be joined any further: they would end them from inside.
    const hasOpen = shared.reduce((depth, item) => depth + netOpens(item), 0) > 0
    return sequence([...shared, hasOpen ? options : this.factorChoice(options)])
  }
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
  // To open the same node costs next to nothing, and hides from what stands around it how the options begin.
  return first.slice(0, count).every(({ kind }) => kind === 'open') ? 0 : count
}

/**
 * A cut and a labelled failure say something about the option they stand in. A node can be opened for several options when each of them
 * has nothing after its end: an option can then be left, and its node closed, when it has matched.
 */
function canShare(item: Pattern, options: readonly Pattern[], index: number): boolean {
  if (item.kind !== 'open') return item.kind !== 'cut' && item.kind !== 'throw'
  return options.every((option) => {
    const items = itemsOf(option)
    const end = findClose(items, index)
    return end !== -1 && items.slice(end).every(({ kind }) => kind === 'close')
  })
}

/** Where the node is closed that is opened at an index; -1 where it is not. */
function findClose(items: readonly Pattern[], index: number): number {
  let depth = 0
  for (let i = index; i < items.length; i++) {
    depth += netOpens(items[i] as Pattern)
    if (depth === 0) return i
  }
  return -1
}
