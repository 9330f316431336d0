// Bytes that wait for whoever reads them.

import { makeByteStream } from '../../stream/item-stream.ts'

/** Somebody waits for something to happen. */
interface Waiting {
  resolve(): void
  reject(reason: unknown): void
}

/** Why nobody reads or writes any more, where whoever stopped it gave no reason. */
export function makeAbortError(message: string): DOMException {
  return new DOMException(message, 'AbortError')
}

export class ByteQueue {
  readonly #highWaterMark: number
  #chunks: Uint8Array[] = []
  #size = 0
  #isEnded = false
  #failure: { readonly reason: unknown } | undefined
  #reader: Waiting | undefined
  #writers: Waiting[] = []

  constructor(highWaterMark: number) {
    this.#highWaterMark = highWaterMark
  }

  /** Bytes that wait. */
  get size(): number {
    return this.#size
  }

  /** Whether somebody waits for bytes. */
  get isAwaited(): boolean {
    return this.#reader !== undefined
  }

  /** Why nobody reads any more, or nobody writes; undefined while that is not so. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure
  }

  /** Adds bytes whose memory nobody else has. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#failure) return
    this.#chunks.push(bytes)
    this.#size += bytes.length
    this.#reader?.resolve()
  }

  /** Says that nothing more comes. */
  end(): void {
    this.#isEnded = true
    this.#reader?.resolve()
  }

  /** Gives up what waits. Who reads and who waits for room gets the reason. */
  fail(reason: unknown): void {
    if (this.#failure || (this.#isEnded && this.#size === 0)) return
    this.#failure = { reason }
    this.#chunks = []
    this.#size = 0
    this.#reader?.reject(reason)
    for (const writer of this.#writers.splice(0)) writer.reject(reason)
  }

  /** Resolves when there is room, or with `isDrained` when everything was read. */
  async wait(isDrained = false): Promise<void> {
    for (;;) {
      if (this.#failure) throw this.#failure.reason
      if (isDrained ? this.#size === 0 : this.#size < this.#highWaterMark) return
      await new Promise<void>((resolve, reject) => this.#writers.push({ resolve, reject }))
    }
  }

  /**
   * The bytes as a stream, a byte stream if the platform has those. Where none wait, `more` is called: it may push some. `cancel` is called with the reason of whoever
   * cancels the stream, or with an `AbortError` that says `message`.
   */
  makeReadable(more: () => void, cancel: (reason: unknown) => void, message: string): ReadableStream<Uint8Array> {
    return makeByteStream({
      givesMemory: true,
      pull: async (controller) => {
        const bytes = await this.#read(more)
        if (bytes) controller.enqueue(bytes)
        else controller.close()
      },
      cancel: async (reason = makeAbortError(message)) => cancel(reason),
    })
  }

  /** The next bytes; undefined when nothing more comes. */
  async #read(more: () => void): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#size === 0) more()
      if (this.#failure) throw this.#failure.reason
      const bytes = this.#chunks.shift()
      if (bytes) {
        this.#size -= bytes.length
        for (const writer of this.#writers.splice(0)) writer.resolve()
        return bytes
      }
      if (this.#isEnded) return undefined
      try {
        await new Promise<void>((resolve, reject) => {
          this.#reader = { resolve, reject }
        })
      } finally {
        this.#reader = undefined
      }
    }
  }
}
