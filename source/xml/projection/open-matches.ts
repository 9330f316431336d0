// Matches whose elements are open, and where in each of them the paths of its fields have got. Matches in the same state are one group, which takes
// one step together: what a document costs does not depend on how many matches an element is in, but on what is found in it.

import type { Action, Automaton, State } from '../question/automaton.ts'
import type { OpenFields } from './open-fields.ts'
import type { Match } from './open-texts.ts'
import type { Subject } from './subject.ts'

/** Some matches: a tree, so that those of two groups are joined in one step. */
interface Matches {
  readonly match?: Match
  readonly parts?: readonly [Matches, Matches]
  /** What is not to be done for any of them any more: their fields have their values. */
  settled?: Set<Action>
}

/** Matches in the same state. */
interface MatchGroup {
  readonly state: State
  readonly matches: Matches
}

/** What an action takes that begins a value of its field. */
const BEGINS_VALUE: ReadonlySet<Action['takes']> = new Set(['content', 'name', 'attribute', 'record'])

/** Follows the elements of a document in all matches that are open. */
export class OpenMatches {
  readonly #automaton: Automaton
  readonly #fields: OpenFields
  /** For each open element, the groups in which something is wanted in it. */
  readonly #levels: MatchGroup[][] = []

  constructor(automaton: Automaton, fields: OpenFields) {
    this.#automaton = automaton
    this.#fields = fields
  }

  /** An element begins in the matches around it, with a name of a class. */
  enter(nameClass: number, subject: Subject): void {
    const automaton = this.#automaton
    const entered = new Map<State | string, MatchGroup>()
    for (const { state, matches } of this.#levels.at(-1) ?? []) {
      const next = automaton.enter(state, nameClass, subject)
      const key = automaton.identify(next)
      const others = entered.get(key)
      entered.set(key, { state: next, matches: others ? { parts: [others.matches, matches] } : matches })
    }
    const groups = [...entered.values()]
    this.#levels.push(groups.filter(({ state }) => !state.isDead))
    for (const group of groups) this.#act(group, subject)
    this.#fields.turnTo()
  }

  /** The element is a match itself: it is read as if it were alone. `marks` are done for it besides. */
  begin(match: Match, subject: Subject, marks: readonly Action[] = []): void {
    const { begun } = this.#automaton
    const group = { state: begun, matches: { match } }
    this.#levels.at(-1)?.push(group)
    this.#act(group, subject)
    for (const mark of marks) this.#forEach(group.matches, mark, () => this.#fields.act(mark, subject))
    this.#fields.turnTo()
  }

  /** The element ends. */
  leave(): void {
    this.#levels.pop()
  }

  #act({ state, matches }: MatchGroup, subject: Subject): void {
    const fields = this.#fields
    for (const action of state.actions) {
      this.#forEach(matches, action, () => fields.act(action, subject))
    }
    for (const action of state.attributes) {
      const attribute = action.source?.attribute
      if (!attribute || subject.find(attribute) === undefined) continue
      this.#forEach(matches, action, () => fields.addAttribute(action, subject))
    }
  }

  /** Acts for each of some matches, without those for which nothing is left to be done. */
  #forEach(all: Matches, action: Action, act: () => void): void {
    const fields = this.#fields
    const { field, record, takes } = action
    // A list, the last or newest value, and what is in other records are never settled.
    const mayBeSettled = field?.pick === 'first' && !field.isList && !record.owner && BEGINS_VALUE.has(takes)
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
      fields.turnTo(match)
      act()
      if (mayBeSettled && fields.isSettled(action, match)) settle(matches, action)
    }
    if (!mayBeSettled) return
    for (const matches of joined.reverse()) {
      if (matches.parts?.every(({ settled }) => settled?.has(action))) settle(matches, action)
    }
  }
}

function settle(matches: Matches, action: Action): void {
  matches.settled ??= new Set()
  matches.settled.add(action)
}
