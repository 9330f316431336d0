/// <reference lib="esnext.disposable" preserve="true" />
// Items that arrive in arrays, and are yielded one by one or in these arrays.

import { breathe } from './breathe.ts'

/**
 * Items of a reading. A loop over them gets one after the other, and a loop over `batches()` the same items in arrays. Leaving either loop ends the
 * reading.
 */
export interface Items<Item> extends AsyncGenerator<Item, void, undefined> {
  /**
   * Yields the items in arrays of at least one, each with what is available without waiting: one await for each array instead of one for each item.
   * Throws a `TypeError` with the code `stream-read` if items were already requested one by one; once it was called, requesting one rejects with such an error.
   */
  batches(): AsyncGenerator<Item[], void, undefined>
}

const DONE: IteratorReturnResult<void> = { done: true, value: undefined }

/**
 * Yields the items of the arrays of an async generator one by one, in order: `next` may be called again before it has answered. An item that is
 * there costs one promise that is resolved already; an async generator that gives items waits three times for each, which took 5 % of the
 * time of reading the pages of a dump (measured, Node 20). Whoever works through an array for long lets the event loop turn all the same.
 *
 * @internal
 */
export class BatchedItems<Item> implements Items<Item> {
  readonly #batches: AsyncGenerator<Item[], void, undefined>
  readonly #signal: AbortSignal | undefined
  readonly #onTake: ((item: Item) => void) | undefined
  #batch: readonly Item[] = []
  #index = 0
  /** How many calls had to wait, and the answer of the last one as long as it is not there. */
  #calls = 0
  #pending: Promise<IteratorResult<Item, void>> | undefined
  #isLeft = false
  /** Whether items are requested one by one; undefined before the first request. The generator of the arrays can rely on it once it runs. */
  isOneByOne: boolean | undefined

  /**
   * When `signal` is aborted, what has arrived is dropped, and its reason is thrown where the generator does not throw. `onTake` is called
   * with each item that is delivered one by one.
   */
  constructor(batches: AsyncGenerator<Item[], void, undefined>, signal?: AbortSignal, onTake?: (item: Item) => void) {
    this.#batches = batches
    this.#signal = signal
    this.#onTake = onTake
  }

  batches(): AsyncGenerator<Item[], void, undefined> {
    this.#begin(false)
    return this.#batches
  }

  next(): Promise<IteratorResult<Item, void>> {
    const isThere = this.#pending === undefined && this.#index < this.#batch.length && !this.#signal?.aborted
    const turn = isThere ? breathe() : undefined
    if (isThere && !turn) return Promise.resolve(this.#take())
    this.#pending = this.#answer(turn, ++this.#calls, this.#pending)
    return this.#pending
  }

  /** Ends the generator, so that it lets go of what it reads. Calls that wait are done as soon as the generator is. */
  async return(): Promise<IteratorResult<Item, void>> {
    this.#leave()
    await this.#batches.return()
    return DONE
  }

  /** Throws it where the generator is, which is to end. */
  async throw(error: unknown): Promise<IteratorResult<Item, void>> {
    this.#leave()
    await this.#batches.throw(error)
    return DONE
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  #take(): IteratorResult<Item, void> {
    const value = this.#batch[this.#index++] as Item
    this.#onTake?.(value)
    return { done: false, value }
  }

  async #advance(turn: Promise<void> | undefined): Promise<IteratorResult<Item, void>> {
    this.#begin(true)
    if (turn) await turn
    let isDropped = false
    while (this.#index >= this.#batch.length || this.#signal?.aborted) {
      isDropped ||= this.#index < this.#batch.length
      this.#batch = []
      this.#index = 0
      const { done, value } = await this.#batches.next()
      if (done && isDropped) this.#signal?.throwIfAborted()
      if (done || this.#isLeft) return DONE
      this.#batch = value
    }
    return this.#take()
  }

  #begin(isOneByOne: boolean): void {
    this.isOneByOne ??= isOneByOne
    if (this.isOneByOne === isOneByOne) return
    const way = isOneByOne ? 'in batches' : 'one by one'
    throw Object.assign(new TypeError(`the items are already read ${way}`), { code: 'stream-read' })
  }

  #leave(): void {
    this.#isLeft = true
    this.#batch = []
  }

  // Answers when all calls before are answered. Nothing but the next call waits for what is given out here: V8 follows a promise in the stack of an error only where one waits for it.
  async #answer(
    turn: Promise<void> | undefined,
    call: number,
    before: Promise<unknown> | undefined,
  ): Promise<IteratorResult<Item, void>> {
    try {
      if (before) await before.catch(() => {})
      return await this.#advance(turn)
    } finally {
      if (call === this.#calls) this.#pending = undefined
    }
  }
}
