// In a worker: a source whose chunks the page posts, each when it is asked for.

import { PromiseQueue } from '../async/promise-queue.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'

/** Chunks that are asked for ahead: one is on its way while another is read. */
const CHUNKS_AHEAD = 3

export class ReceivedSource implements AsyncIterable<TextOrBytes> {
  readonly #ask: () => void
  readonly #arrived: TextOrBytes[] = []
  readonly #changed = new PromiseQueue()
  #asked = 0
  #isOver = false
  #failure: Error | undefined

  /** `ask` asks the page for one chunk. */
  constructor(ask: () => void) {
    this.#ask = ask
  }

  /** Undefined is the end. */
  receive(chunk: TextOrBytes | undefined): void {
    this.#asked--
    if (chunk === undefined) this.#isOver = true
    else this.#arrived.push(chunk)
    this.#changed.wakeAll()
  }

  fail(message: string): void {
    this.#failure = new Error(message)
    this.#changed.wakeAll()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TextOrBytes, void, undefined> {
    for (;;) {
      while (!this.#isOver && !this.#failure && this.#asked + this.#arrived.length < CHUNKS_AHEAD) {
        this.#asked++
        this.#ask()
      }
      const chunk = this.#arrived.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#failure) throw this.#failure
      else if (this.#isOver) return
      else await this.#changed.wait()
    }
  }
}
