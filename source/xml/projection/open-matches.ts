// Matches whose elements are open, and where in each of them the paths of its fields have got. Matches in the same state are one group, which takes
// one step together: what a document costs does not depend on how many matches an element is in, but on what is found in it.

import type { Action, Automaton } from './automaton.ts'
import type { Candidate } from './path.ts'
import type { FieldPlan } from './plan.ts'

/** A match that is open; where matches in matches are not read, one stands for all of them. */
export interface Match {
  /** By the numbers of plans, the entry of the open record; 0 for none. */
  readonly entries: number[]
  /** Bytes of the input, and units of what entities bring, that its record covers. */
  covered: number
  /** Its open groups, the innermost last. */
  readonly groups: OpenGroup[]
}

/** Values with names whose element is open. */
export interface OpenGroup {
  readonly field: FieldPlan
  readonly match: Match
  readonly depth: number
  entry: number
}

/** Some matches: a tree, so that those of two groups are joined in one step. */
interface Matches {
  readonly match?: Match
  readonly parts?: readonly [Matches, Matches]
  /** What is not to be done for any of them any more: their fields have their values. */
  settled?: Set<Action>
}

/** Matches in the same state. */
export interface MatchGroup {
  readonly state: number
  readonly matches: Matches
}

/** Follows the elements of a document in all matches that are open. */
export class OpenMatches {
  readonly #automaton: Automaton
  /** For each open element, the groups in which something is wanted in it. */
  readonly #levels: MatchGroup[][] = []

  constructor(automaton: Automaton) {
    this.#automaton = automaton
  }

  /** An element begins. Gives the groups of the matches around it, in the states in which they are in it. */
  enter(candidate: Candidate): readonly MatchGroup[] {
    const automaton = this.#automaton
    const entered = new Map<number, Matches>()
    for (const { state, matches } of this.#levels.at(-1) ?? []) {
      const next = automaton.enter(state, candidate)
      const others = entered.get(next)
      entered.set(next, others ? join(others, matches) : matches)
    }
    const groups = Array.from(entered, ([state, matches]) => ({ state, matches }))
    this.#levels.push(groups.filter(({ state }) => !automaton.isDead(state)))
    return groups
  }

  /** The element is a match itself. */
  begin(match: Match): void {
    this.#levels.at(-1)?.push({ state: this.#automaton.begun, matches: { match } })
  }

  /** The element ends. */
  leave(): void {
    this.#levels.pop()
  }
}

/** Calls a function for each match that an action is still for, and leaves out from then on those for which `isSettled` says that it is not. */
export function forEachMatch(
  all: Matches,
  action: Action,
  visit: (match: Match) => void,
  isSettled: (match: Match) => boolean,
): void {
  const joined: Matches[] = []
  const rest = [all]
  // Without recursion: matches may be nested to any depth.
  for (let matches = rest.pop(); matches; matches = rest.pop()) {
    const { match, parts, settled } = matches
    if (settled?.has(action)) continue
    if (parts) {
      joined.push(matches)
      rest.push(...parts)
    }
    if (!match) continue
    visit(match)
    if (isSettled(match)) settle(matches, action)
  }
  for (const matches of joined.reverse()) {
    if (matches.parts?.every(({ settled }) => settled?.has(action))) settle(matches, action)
  }
}

function settle(matches: Matches, action: Action): void {
  matches.settled ??= new Set()
  matches.settled.add(action)
}

function join(one: Matches, other: Matches): Matches {
  return { parts: [one, other] }
}
