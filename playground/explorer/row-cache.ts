// Rows that the worker has sent, in blocks, so that scrolling asks seldom.

const BLOCK = 100
/** Blocks that are kept. */
const MOST_BLOCKS = 40

interface Block<Row> {
  readonly rows: readonly Row[]
}

export class RowCache<Row> {
  readonly #ask: (from: number, to: number) => void
  readonly #blocks = new Map<number, Block<Row>>()
  readonly #asked = new Set<number>()

  /** `ask` asks for rows from one number up to, and without, another; `receive` takes them when they come. */
  constructor(ask: (from: number, to: number) => void) {
    this.#ask = ask
  }

  /** A row, or undefined as long as it is not there. `count`: how many rows there are now. */
  at(index: number, count: number): Row | undefined {
    const number = Math.floor(index / BLOCK)
    const block = this.#blocks.get(number)
    const row = block?.rows[index % BLOCK]
    if (row === undefined && index < count) this.#request(number)
    return row
  }

  receive(from: number, rows: readonly Row[]): void {
    const number = from / BLOCK
    this.#asked.delete(number)
    this.#blocks.delete(number)
    this.#blocks.set(number, { rows })
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MOST_BLOCKS) break
      this.#blocks.delete(oldest)
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#blocks.clear()
    this.#asked.clear()
  }

  #request(number: number): void {
    if (this.#asked.has(number)) return
    this.#asked.add(number)
    this.#ask(number * BLOCK, (number + 1) * BLOCK)
  }
}
