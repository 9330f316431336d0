// The position of a cursor that was lent to a reading: after what was delivered.

import type { Leaving } from '../async/leaving.ts'
import type { Cursor } from '../stream/cursor.ts'

/** Distance in bytes at which the cursor follows the parser at most, where nothing is delivered for long: so what it retains is bounded. */
const LARGEST_REACH = 64 * 1024

/** Moves a lent cursor. It never moves back, so it does not pass an item that may still be delivered. */
export class Delivery {
  /** Offset after the document, once it is known. */
  end: number | undefined
  readonly #cursor: Cursor
  /** The reach; the other half of a small stream is for what arrives. */
  readonly #reach: number
  /** Nothing is delivered any more to who has left. */
  readonly #leaving: Leaving
  /** Says whether items are delivered one by one, by `take`, and not in the arrays that they are noted in. Nobody knows before the first is noted. */
  readonly #isOneByOne: () => boolean
  /** Offsets after the items that were noted, and how many of them were taken. */
  #ends: readonly number[] = []
  #taken = 0

  constructor(cursor: Cursor, leaving: Leaving, isOneByOne: () => boolean) {
    this.#cursor = cursor
    this.#reach = Math.min(LARGEST_REACH, Math.floor(cursor.maxRetained / 2))
    this.#leaving = leaving
    this.#isOneByOne = isOneByOne
  }

  /** Notes the offsets after the items that are yielded next. All before them were delivered. */
  note(ends: readonly number[]): void {
    this.#ends = ends
    this.#taken = 0
    if (!this.#isOneByOne()) this.#moveTo(ends.at(-1))
  }

  /** The next of the items that were noted is delivered. */
  take(): void {
    this.#moveTo(this.#ends[this.#taken++])
  }

  /** All that was yielded is delivered, and the parser has read up to an offset. */
  follow(offset: number): void {
    this.#moveTo(offset - this.#reach)
  }

  /** The items of a reading, after which the cursor stands at the end of the document, or near an error in it. */
  async *through<Item>(items: AsyncGenerator<Item, void, undefined>): AsyncGenerator<Item, void, undefined> {
    try {
      yield* items
      this.#moveTo(this.end)
    } catch (error) {
      // Errors about input have this offset: the input was read up to there.
      const { byteOffset } = (error ?? {}) as { readonly byteOffset?: unknown }
      if (typeof byteOffset === 'number') this.follow(byteOffset)
      throw error
    }
  }

  /** Whoever has lent the cursor may have released it, or moved it. */
  #moveTo(offset: number | undefined): void {
    const cursor = this.#cursor
    if (offset === undefined || offset <= cursor.offset || cursor.done || this.#leaving.aborted) return
    cursor.skip(offset - cursor.offset)
  }
}
