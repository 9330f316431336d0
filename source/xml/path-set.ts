// Several paths as one: what is wanted in an element is one state, a number, whatever the paths.

import type { XmlAttributes } from './attributes.ts'
import type { Name } from './names.ts'
import type { Candidate, Path } from './path.ts'

/** A state of each path. Those that come up are made once and numbered (a lazy powerset construction). */
interface StateSet {
  readonly states: readonly number[]
  /** The numbers of the paths that mean the element, and whether there are some. */
  readonly matches: readonly number[]
  readonly isMatch: boolean
  /** Whether no path can mean anything in it, at any depth. */
  readonly isDead: boolean
  /** By the names of elements in it, what is wanted in them. */
  readonly next: Map<string, number>
}

export class PathSet {
  /** The state of a document. */
  readonly start = 0
  /** Whether more than names decides something. */
  readonly hasPredicates: boolean
  readonly #paths: readonly Path[]
  readonly #sets: StateSet[] = []
  readonly #known = new Map<string, number>()

  constructor(paths: readonly Path[]) {
    this.#paths = paths
    this.hasPredicates = paths.some((path) => path.hasPredicates || path.hasNamespaces)
    this.#find(paths.map((path) => path.start))
  }

  /** Whether an element in this state is meant. */
  isMatch(state: number): boolean {
    return (this.#sets[state] as StateSet).isMatch
  }

  /** The numbers of the paths that mean an element in this state, in ascending order. */
  matches(state: number): readonly number[] {
    return (this.#sets[state] as StateSet).matches
  }

  /** Whether nothing in an element in this state can be meant. */
  isDead(state: number): boolean {
    return (this.#sets[state] as StateSet).isDead
  }

  /** The state in an element, from that of its parent. */
  enter(state: number, candidate: Candidate): number {
    if (!this.hasPredicates) return this.enterNamed(state, candidate.name)
    return this.#enter(state, candidate)
  }

  /** The same where names alone decide. */
  enterNamed(state: number, name: Name): number {
    const { next } = this.#sets[state] as StateSet
    let entered = next.get(name.raw)
    if (entered === undefined) {
      entered = this.#enter(state, { name, ...NOTHING })
      next.set(name.raw, entered)
    }
    return entered
  }

  #enter(state: number, candidate: Candidate): number {
    const { states } = this.#sets[state] as StateSet
    return this.#find(this.#paths.map((path, i) => path.enter(states[i] as number, candidate)))
  }

  #find(states: readonly number[]): number {
    const key = states.join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#sets.length
    const matches = [...this.#paths.keys()].filter((i) => this.#paths[i]?.isMatch(states[i] as number))
    this.#known.set(key, found)
    this.#sets.push({
      states,
      matches,
      isMatch: matches.length > 0,
      isDead: this.#paths.every((path, i) => path.isDead(states[i] as number)),
      next: new Map(),
    })
    return found
  }
}

/** What a path without predicates does not look at. */
const NOTHING = { namespace: undefined, attributes: undefined as unknown as XmlAttributes }
