// The tables of an automaton in one document: one for each set of namespace declarations that holds somewhere.

import type { Bindings } from '../names/namespaces.ts'
import type { DocumentFacts } from '../parser/sink.ts'
import type { Automaton } from './automaton.ts'
import { Table } from './table.ts'

/** For so many ways to declare namespaces the steps are kept. */
const MOST_TABLES = 16

export class Tables {
  readonly #automaton: Automaton
  readonly #facts: Pick<DocumentFacts, 'names' | 'scopes'>
  /** By what prefixes stand for. */
  readonly #tables = new Map<string, Table>()
  #table: Table | undefined
  #bindings: Bindings | undefined

  constructor(automaton: Automaton, facts: Pick<DocumentFacts, 'names' | 'scopes'>) {
    this.#automaton = automaton
    this.#facts = facts
  }

  /** The table for what prefixes stand for now. */
  get current(): Table {
    const { names, scopes } = this.#facts
    const bindings = this.#automaton.hasNamespaces ? scopes?.bindings : undefined
    if (this.#table && bindings === this.#bindings) return this.#table
    this.#bindings = bindings
    const key = bindings ? JSON.stringify([...bindings]) : ''
    this.#table = this.#tables.get(key) ?? new Table(this.#automaton, names, bindings)
    if (this.#tables.size < MOST_TABLES) this.#tables.set(key, this.#table)
    return this.#table
  }
}
