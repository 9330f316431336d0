// Sources that behave in ways that tests need.

import { setImmediate as turn } from 'node:timers/promises'

/** Gives its chunks one turn of the event loop apart. */
export async function* slowly<T>(chunks: Iterable<T>): AsyncGenerator<T, void, undefined> {
  for (const chunk of chunks) {
    await turn()
    yield chunk
  }
}

/** Gives its chunks, and then throws. */
export async function* failing<T>(chunks: Iterable<T>, error: unknown): AsyncGenerator<T, void, undefined> {
  yield* slowly(chunks)
  throw error
}

/** Gives its chunks, and then nothing, for ever. `isClosed` says whether it was asked to close. */
export function stalling<T>(chunks: Iterable<T>): AsyncIterable<T> & { isClosed: boolean } {
  const iterator = chunks[Symbol.iterator]()
  const source = {
    isClosed: false,
    [Symbol.asyncIterator]: (): AsyncIterator<T> => ({
      async next() {
        const { done, value } = iterator.next()
        return done ? new Promise<never>(() => {}) : { done: false, value }
      },
      async return() {
        source.isClosed = true
        return { done: true, value: undefined }
      },
    }),
  }
  return source
}

/** Gives a chunk (none where it is empty), and then nothing for ever, or an error. Knows whether more was wanted, and how often it was closed. */
export class EndingSource implements AsyncIterable<Uint8Array> {
  isAsked = false
  closed = 0
  readonly #chunks: Uint8Array[]
  readonly #error: Error | undefined

  constructor(before: Uint8Array, error?: Error) {
    this.#chunks = before.length > 0 ? [before.slice()] : []
    this.#error = error
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const value = this.#chunks.shift()
        if (value) return { done: false, value }
        this.isAsked = true
        if (this.#error) throw this.#error
        return new Promise<never>(() => {})
      },
      return: async () => {
        this.closed++
        return { done: true, value: undefined }
      },
    }
  }
}

/** A source of `count` chunks that knows how many bytes were taken from it, and whether it was closed. */
export class CountingSource implements AsyncIterable<Uint8Array> {
  bytesRead = 0
  isClosed = false
  readonly #chunk: Uint8Array
  readonly #count: number

  constructor(chunkSize: number, count: number) {
    this.#chunk = new Uint8Array(chunkSize).fill(0x78)
    this.#count = count
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.chunks()
  }

  /** The same without waiting. */
  *chunks(): Generator<Uint8Array, void, undefined> {
    try {
      for (let i = 0; i < this.#count; i++) {
        this.bytesRead += this.#chunk.length
        yield this.#chunk
      }
    } finally {
      this.isClosed = true
    }
  }
}

/** Lets everything happen that is ready to happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await turn()
}

/** A web stream of chunks that are there. */
export function webStream<T>(chunks: Iterable<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}
