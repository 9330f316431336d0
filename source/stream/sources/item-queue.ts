// Items between whoever writes them and whoever reads them.

import { PromiseQueue } from '../../async/promise-queue.ts'
import { BUFFERED } from './source-reader.ts'

/** Why nobody reads or writes any more, where whoever stopped it gave no reason. */
export function makeAbortError(message: string): DOMException {
  return new DOMException(message, 'AbortError')
}

/** Items that wait to be read, in order. One reader iterates; writers wait for room. */
export class ItemQueue<Item> implements AsyncIterableIterator<Item, void, undefined> {
  readonly [BUFFERED] = true
  readonly #room: number
  readonly #sizeOf: (item: Item) => number
  #items: Item[] = []
  #size = 0
  #isEnded = false
  #failure: { readonly reason: unknown } | undefined
  readonly #readers = new PromiseQueue()
  readonly #writers = new PromiseQueue()

  /** A writer has to wait as soon as the sizes of the items that wait sum up to `room`. */
  constructor(room: number, sizeOf: (item: Item) => number) {
    this.#room = room
    this.#sizeOf = sizeOf
  }

  /** Whether a writer need not wait. */
  get hasRoom(): boolean {
    return this.#size < this.#room && !this.#failure
  }

  /** Whether no item waits. */
  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  /** Whether `end` was called. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether somebody waits for an item. */
  get isAwaited(): boolean {
    return this.#readers.size > 0
  }

  push(item: Item): void {
    if (this.#failure) return
    this.#items.push(item)
    this.#size += this.#sizeOf(item)
    this.#readers.wakeAll()
  }

  /** No more items come. */
  end(): void {
    this.#isEnded = true
    this.#readers.wakeAll()
  }

  /** The reader gets the reason after the items that wait. Does nothing after the end. */
  fail(reason: unknown): void {
    if (!this.#isEnded) this.#stop(reason)
  }

  /** The items that wait are dropped, and both sides get the reason. Does nothing if all was read. */
  drop(reason: unknown): void {
    if (this.#isEnded && this.isEmpty) return
    this.#items = []
    this.#size = 0
    this.#stop(reason)
  }

  #stop(reason: unknown): void {
    this.#failure ??= { reason }
    this.#readers.wakeAll()
    this.#writers.wakeAll()
  }

  /** Resolves when there is room. Throws the reason of a failure. */
  async ready(): Promise<void> {
    while (!this.hasRoom) {
      if (this.#failure) throw this.#failure.reason
      await this.#writers.wait()
    }
  }

  async next(): Promise<IteratorResult<Item, void>> {
    for (;;) {
      if (!this.isEmpty) {
        const value = this.#items.shift() as Item
        this.#size -= this.#sizeOf(value)
        this.#writers.wakeAll()
        return { done: false, value }
      }
      if (this.#failure) throw this.#failure.reason
      if (this.#isEnded) return { done: true, value: undefined }
      await this.#readers.wait()
    }
  }

  async return(): Promise<IteratorResult<Item, void>> {
    this.drop(makeAbortError('nothing more is read'))
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
