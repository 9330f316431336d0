// The iterations of one source that have begun, so that all of them can be ended.

import { CancellableGenerator } from './cancellable-generator.ts'

export class OpenReadings {
  readonly #open = new Set<AsyncGenerator<unknown, void, undefined>>()

  /** A `CancellableGenerator` that `close` ends as well. */
  begin<Item>(
    read: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
    signal?: AbortSignal,
  ): AsyncGenerator<Item, void, undefined> {
    const items: AsyncGenerator<Item, void, undefined> = new CancellableGenerator(
      (leaving) => this.#keep(read(leaving.signal), () => items),
      signal,
    )
    return items
  }

  /** Ends those that are open, as leaving them does. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (items) => items.return()))
  }

  async *#keep<Item>(
    items: AsyncGenerator<Item, void, undefined>,
    getReading: () => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    const reading = getReading()
    this.#open.add(reading)
    try {
      yield* items
    } finally {
      this.#open.delete(reading)
    }
  }
}
