// A part that can never match, because a repetition before it goes on as long as what the part begins with comes.

import { Analysis } from '../analysis/analysis.ts'
import { describe } from '../pattern/describe.ts'
import {
  contains,
  isEqual,
  itemsOf,
  type Pattern,
  type Procedure,
  placesOf,
  proceduresFrom,
} from '../pattern/pattern.ts'
import type { ProblemDetails } from '../syntax/errors.ts'

/** Of a program that records nothing: there, rules are in the place of the references to them. */
export function findConsumedParts(entry: Procedure): ProblemDetails[] {
  const analysis = new Analysis()
  const found = new Map<number, ProblemDetails>()
  const look = (items: readonly Pattern[]): void => {
    let loop: Pattern | undefined
    for (const [i, item] of items.entries()) {
      if (item.kind === 'look' || item.kind === 'cut') continue
      const problem = loop && isConsumed(items.slice(i), loop, analysis) ? describeProblem(item, loop) : undefined
      if (problem) found.set(problem.at.start, problem)
      loop = endOf(item)
    }
  }
  for (const { body } of proceduresFrom(entry)) {
    contains(body, (pattern) => {
      look(itemsOf(pattern))
      return false
    })
  }
  return [...found.values()]
}

/** The repetition without an upper bound that a pattern always ends with. */
function endOf(pattern: Pattern): Pattern | undefined {
  if (pattern.kind === 'sequence') return endOf(pattern.items.at(-1) as Pattern)
  return 'max' in pattern && pattern.max === Number.POSITIVE_INFINITY ? pattern : undefined
}

function isConsumed(items: readonly Pattern[], loop: Pattern, analysis: Analysis): boolean {
  if (loop.kind === 'repeat') {
    return itemsOf(loop.operand).every((round, i) => items[i] !== undefined && isEqual(round, items[i]))
  }
  const beginnings = analysis.first(items[0] as Pattern, 1)
  return beginnings.every(({ sets: [bytes] }) => {
    return loop.kind === 'class' && bytes?.list.every((byte) => loop.set.coverageOfFirstByte(byte) === 'all')
  })
}

/** Undefined where the passes have made the two of one. */
function describeProblem(part: Pattern, loop: Pattern): ProblemDetails | undefined {
  const [places, before] = [part, loop].map((pattern) => {
    return placesOf('origins' in pattern ? pattern.origins[0] : 'origin' in pattern ? pattern.origin : undefined)
  }) as [ReturnType<typeof placesOf>, ReturnType<typeof placesOf>]
  const level = places.findIndex((place, i) => place !== before[i])
  const [place, last] = [places[level], before[level]]
  return (
    place &&
    last && {
      code: 'consumed-part',
      severity: 'warning',
      message: `${describe(place)} can never match here: the repetition before it (${describe(last)}) continues as long as there is one`,
      suggestion: 'let the repetition stop before the last one: ( x &x )* x',
      at: place.at,
    }
  )
}
