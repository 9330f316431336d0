// The steps of an automaton by the symbols of names in one document: a step is a look into a table of numbers. It holds as long as prefixes
// stand for the same namespaces.

import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import type { NameTable } from '../names/names.ts'
import type { Bindings } from '../names/namespaces.ts'
import type { Action, Automaton } from './automaton.ts'

/**
 * What is known of a state: whether something is to be done in it, whether nothing is wanted in it, whether attributes are, and whether a record of the shape
 * begins there, or one around those.
 */
export const StateFlag = { ACTS: 1, DEAD: 2, ATTRIBUTES: 4, FOUND: 8, AROUND: 16 } as const

/** Symbols from this on are not in the table: it is to stay small. */
const MOST_SYMBOLS = 4096
/** The same for states: paths with many steps of any name have as many as a document has ways to come down so many elements. */
const MOST_STATES = 256

/** A table has places for so many at first. */
const FIRST_STATES = 8
const FIRST_SYMBOLS = 16
const NO_STEPS: Int32Array<ArrayBuffer> = new Int32Array()
const NO_FLAGS: Uint8Array<ArrayBuffer> = new Uint8Array()

/** Filled as steps come up. It grows: code that keeps its arrays must get them again after `enter`. */
export class Table {
  /** By state times `width` plus symbol, the state that is entered; -1 where that has not come up. */
  next = NO_STEPS
  width = 0
  /** By state. */
  flags = NO_FLAGS
  readonly #automaton: Automaton
  readonly #names: NameTable
  readonly #bindings: Bindings | undefined
  /** By state, and by the symbol of an attribute, what takes its value. */
  readonly #takers: (readonly Action[] | undefined)[][] = []
  #height = 0

  /** Of an automaton without predicates, for names that stand for something as the bindings say; undefined: all are in no namespace. */
  constructor(automaton: Automaton, names: NameTable, bindings: Bindings | undefined) {
    this.#automaton = automaton
    this.#names = names
    this.#bindings = bindings
    this.#grow(FIRST_STATES - 1, FIRST_SYMBOLS - 1)
    this.#growFlags(FIRST_STATES - 1)
  }

  /** The same as `enter`, by the table if it has the step. */
  stateIn(parent: number, symbol: number): number {
    // States of elements that were reported need not be in the table.
    const known = symbol < this.width ? (this.next[parent * this.width + symbol] ?? -1) : -1
    return known === -1 ? this.enter(parent, symbol) : known
  }

  /** The state in an element whose name has a symbol, from that of its parent. */
  enter(parent: number, symbol: number): number {
    const state = this.#automaton.enterNamed(parent, this.#names.get(symbol), this.#bindings)
    const isListed = symbol < MOST_SYMBOLS && parent < MOST_STATES
    if (isListed) this.#grow(parent, symbol)
    if (state >= this.flags.length) this.#growFlags(state)
    this.flags[state] = flagsOf(this.#automaton, state)
    if (isListed) this.next[parent * this.width + symbol] = state
    return state
  }

  /** What takes the value of an attribute whose name has a symbol, of an element in a state. */
  takersOf(state: number, symbol: number): readonly Action[] {
    if (symbol >= MOST_SYMBOLS || state >= MOST_STATES) return this.#findTakers(state, symbol)
    this.#takers[state] ??= []
    const takers = this.#takers[state] as (readonly Action[] | undefined)[]
    // An array that is filled beyond its end becomes a slow one.
    while (takers.length <= symbol) takers.push(undefined)
    takers[symbol] ??= this.#findTakers(state, symbol)
    return takers[symbol] as readonly Action[]
  }

  /** Makes sure that a symbol has a place in the table. False if it is too large for that. */
  reach(symbol: number): boolean {
    if (symbol >= MOST_SYMBOLS) return false
    this.#grow(this.#automaton.start, symbol)
    return true
  }

  /** Whether the name with a symbol is that of an attribute that a pattern matches. */
  isNamed(attribute: NamePattern, symbol: number): boolean {
    const name = this.#names.get(symbol)
    // Attributes without a prefix are in no namespace.
    const namespace = name.prefix === '' ? undefined : this.#bindings?.get(name.prefix)
    return matchesName(attribute, name, namespace)
  }

  #findTakers(state: number, symbol: number): readonly Action[] {
    const takers = this.#automaton.attributesIn(state).filter(({ source }) => {
      return source?.attribute && this.isNamed(source.attribute, symbol)
    })
    return takers.length === 0 ? NONE : takers
  }

  /** Makes room for a state and a symbol. */
  #grow(state: number, symbol: number): void {
    const states = this.#height
    if (state < states && symbol < this.width) return
    const height = state < states ? states : Math.max(FIRST_STATES, 2 * state)
    const width = symbol < this.width ? this.width : Math.max(FIRST_SYMBOLS, 2 * symbol)
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

/** A set of `StateFlag`. */
export function flagsOf(automaton: Automaton, state: number): number {
  return (
    (automaton.actionsIn(state).length > 0 ? StateFlag.ACTS : 0) |
    (automaton.isDead(state) ? StateFlag.DEAD : 0) |
    (automaton.attributesIn(state).length > 0 ? StateFlag.ATTRIBUTES : 0) |
    (automaton.isFound(state) ? StateFlag.FOUND : 0) |
    (automaton.isAround(state) ? StateFlag.AROUND : 0)
  )
}

const NONE: readonly Action[] = []
