// Steps of paths by the symbols of names in one document: a step is a look into a table of numbers.

import type { NameTable } from './names.ts'
import type { PathSet } from './path-set.ts'

/** What is known of a state: whether an element in it is meant, and whether nothing in it can be. */
export const StateFlag = { MATCH: 1, DEAD: 2 } as const

/** Symbols from this on are not in the table: it is to stay small. */
const MOST_SYMBOLS = 4096
/** The same for states: paths with many steps of any name have as many as a document has ways to come down so many elements. */
const MOST_STATES = 256

/** Filled as steps come up. It grows: code that keeps its arrays must get them again after `enter`. */
export class PathTable {
  /** By state times `width` plus symbol, the state that is entered; -1 where that has not come up. */
  next = new Int32Array()
  width = 0
  /** By state. */
  flags = new Uint8Array()
  readonly #paths: PathSet
  #height = 0

  /** Of paths without predicates. */
  constructor(paths: PathSet) {
    this.#paths = paths
    this.#grow(paths.start, 0)
    this.#growFlags(paths.start)
  }

  /** The state in an element whose name has a symbol, from that of its parent. */
  enter(parent: number, symbol: number, names: NameTable): number {
    const state = this.#paths.enterNamed(parent, names.get(symbol))
    const isListed = symbol < MOST_SYMBOLS && parent < MOST_STATES
    if (isListed) this.#grow(parent, symbol)
    if (state >= this.flags.length) this.#growFlags(state)
    const isMatch = this.#paths.isMatch(state) ? StateFlag.MATCH : 0
    this.flags[state] = isMatch | (this.#paths.isDead(state) ? StateFlag.DEAD : 0)
    if (isListed) this.next[parent * this.width + symbol] = state
    return state
  }

  /** Makes room for a state and a symbol. */
  #grow(state: number, symbol: number): void {
    const states = this.#height
    if (state < states && symbol < this.width) return
    const height = state < states ? states : 2 * (state + 1)
    const width = symbol < this.width ? this.width : 2 * (symbol + 1)
    const next = new Int32Array(height * width).fill(-1)
    for (let i = 0; i < states; i++) next.set(this.next.subarray(i * this.width, (i + 1) * this.width), i * width)
    this.next = next
    this.width = width
    this.#height = height
  }

  #growFlags(state: number): void {
    const flags = new Uint8Array(2 * (state + 1))
    flags.set(this.flags)
    this.flags = flags
  }
}
