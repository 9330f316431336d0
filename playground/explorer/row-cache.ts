// Rows that the worker has sent, in blocks, so that scrolling asks seldom.

import type { Connection } from './connection.ts'
import type { ExplorerAnswer } from './protocol.ts'

type RowsAnswer = Extract<ExplorerAnswer, { type: 'rows' | 'recordRows' }>
type RowOf<Type extends RowsAnswer['type']> = Extract<RowsAnswer, { type: Type }>['rows'][number]

const BLOCK = 100
/** Blocks that are kept. */
const MOST_BLOCKS = 40

export class RowCache<Type extends RowsAnswer['type']> {
  readonly #connection: Connection
  readonly #type: Type
  readonly #blocks = new Map<number, readonly RowOf<Type>[]>()
  /** The blocks that are asked for, by the numbers of their questions. What comes for others is older than the last `clear`. */
  readonly #asked = new Map<number, number>()

  /** `type`: of what is asked, and of its answer. `onRows` is called when rows have come. */
  constructor(connection: Connection, type: Type, onRows: () => void) {
    this.#connection = connection
    this.#type = type
    connection.on(type, ({ ask, rows }: RowsAnswer) => {
      const number = this.#asked.get(ask)
      if (number === undefined) return
      this.#asked.delete(ask)
      this.#keep(number, rows as readonly RowOf<Type>[])
      onRows()
    })
  }

  /** A row, or undefined as long as it is not there. `count`: how many rows there are now. */
  at(index: number, count: number): RowOf<Type> | undefined {
    const number = Math.floor(index / BLOCK)
    const row = this.#blocks.get(number)?.[index % BLOCK]
    if (row === undefined && index < count) this.#request(number)
    return row
  }

  /** Forgets everything. */
  clear(): void {
    this.#blocks.clear()
    this.#asked.clear()
  }

  #keep(number: number, rows: readonly RowOf<Type>[]): void {
    this.#blocks.delete(number)
    this.#blocks.set(number, rows)
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MOST_BLOCKS) break
      this.#blocks.delete(oldest)
    }
  }

  #request(number: number): void {
    if ([...this.#asked.values()].includes(number)) return
    const ask = this.#connection.nextNumber()
    this.#asked.set(ask, number)
    this.#connection.send({ type: this.#type, ask, from: number * BLOCK, to: (number + 1) * BLOCK })
  }
}
