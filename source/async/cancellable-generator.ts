// Async generators that can be left while they wait.

import { Leaving } from './leaving.ts'

/** What the signal of a generator that was left has as its reason. Nobody gets to see it. */
const LEFT = 'the reader has stopped'
const DONE: IteratorReturnResult<void> = { done: true, value: undefined }

/**
 * Yields what an async generator yields. A generator by itself queues `return` and `throw` after the `next` that is waiting, so one that
 * waits for a silent source could never be ended. Here they abort a signal, which is to end whatever the generator waits for. The `next`
 * that was waiting is then done.
 */
export class CancellableGenerator<Item> implements AsyncGenerator<Item, void, undefined> {
  readonly #items: AsyncGenerator<Item, void, undefined>
  readonly #leaving = new Leaving()
  readonly #signal: AbortSignal | undefined
  #isLeft = false

  /**
   * `read` makes the generator. Its signal is aborted with the reason of `signal`, too. The generator must reject, or end, as soon as that
   * happens.
   */
  constructor(read: (leaving: Leaving) => AsyncGenerator<Item, void, undefined>, signal?: AbortSignal) {
    this.#signal = signal
    this.#items = read(this.#leaving)
  }

  // An async function that awaits: V8 follows these from the error to whoever called `next`.
  async next(): Promise<IteratorResult<Item, void>> {
    this.#listen()
    try {
      const result = await this.#items.next()
      if (result.done) this.#signal?.removeEventListener('abort', this.#abort)
      return this.#isLeft ? DONE : result
    } catch (error) {
      this.#signal?.removeEventListener('abort', this.#abort)
      if (this.#isLeft) return DONE
      throw error
    }
  }

  /** Ends the generator, also while it waits. Rejects with what the generator throws while it ends, unless a `next` was waiting. */
  async return(): Promise<IteratorResult<Item, void>> {
    this.#leave()
    await this.#items.return()
    return DONE
  }

  /** Ends the generator like `return`, then rejects with the error. */
  async throw(error: unknown): Promise<IteratorResult<Item, void>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  // Not before somebody reads: of a generator that is never read nobody would take the listener away.
  #listen(): void {
    if (this.#signal?.aborted) this.#abort()
    else this.#signal?.addEventListener('abort', this.#abort)
  }

  #leave(): void {
    this.#isLeft = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#leaving.abort(LEFT)
  }

  readonly #abort = (): void => this.#leaving.abort(this.#signal?.reason)
}
