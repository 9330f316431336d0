// The two sides of what turns bytes into something else in a pipe of Web Streams.

import type { LoneSurrogate, TextOrBytes } from './chunk-encoder.ts'
import { type ItemSource, makeItemStream } from './item-stream.ts'
import { StreamCache } from './stream-cache.ts'

/** Bytes that may wait in front of what reads them. */
const READ_AHEAD = 64 * 1024

/** What `ReadableStream.pipeThrough` takes. */
export interface TransformSides<Item> {
  readonly readable: ReadableStream<Item>
  readonly writable: WritableStream<TextOrBytes>
}

/** Makes items of what is written. */
export type ReadItems<Item> = (input: StreamCache) => AsyncGenerator<Item, void, undefined>

/**
 * A stream of what `read` gives, made by `makeReadable`, and one whose chunks are its input. They are not the sides of a `TransformStream`: in Node 20, one that is
 * cancelled or errored while a write waits fails with an error of its own, or with undefined.
 */
export function connectSides<Item>(
  read: ReadItems<Item>,
  signal: AbortSignal | undefined,
  makeReadable: (source: ItemSource<Item>) => ReadableStream<Item> = makeItemStream,
  loneSurrogate?: LoneSurrogate,
): TransformSides<Item> {
  // A chunk may be changed when its write has resolved, and it resolves before the chunk is read.
  const input = new StreamCache({ highWaterMark: READ_AHEAD, copy: true, loneSurrogate })
  const items = read(input)
  let sink: WritableStreamDefaultController | undefined
  let settle: { resolve(): void; reject(reason: unknown): void } | undefined
  /** Resolves when all was read, and rejects with why it is not: what those who write wait for at last. */
  const outcome = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const giveUp = (): void => stop(signal?.reason)
  // Perhaps nobody writes any more, and has no need to know.
  outcome.catch(() => {}).then(() => signal?.removeEventListener('abort', giveUp))

  /** Ends both sides from the one that is read. */
  function stop(reason: unknown): void {
    sink?.error(reason)
    settle?.reject(reason)
    void input.cancel(reason)
  }

  /** Ends both sides from the one that is written. */
  function abort(reason: unknown): void {
    // Where all has been taken it is too late: nothing was lost, and nobody waits for the rest any more.
    if (input.ended) settle?.resolve()
    else settle?.reject(reason)
    input.fail(reason)
  }

  const writable = new WritableStream<TextOrBytes>({
    start(controller) {
      sink = controller
      // The method `abort` is called only when no write and no close waits any more.
      controller.signal?.addEventListener('abort', () => abort(controller.signal.reason))
    },
    async write(chunk) {
      try {
        await input.ready()
      } catch {
        // The parser frees its input before it reports why.
        return outcome
      }
      try {
        input.write(chunk)
      } catch (error) {
        // It is neither bytes nor a string.
        abort(error)
        throw error
      }
    },
    close() {
      input.end()
      return outcome
    },
    abort,
  })
  // Not only where somebody reads: who writes is to stop.
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp)

  const readable = makeReadable({
    async pull(controller) {
      try {
        const { done, value } = await items.next()
        if (!done) return controller.enqueue(value)
        settle?.resolve()
        controller.close()
      } catch (error) {
        // What fails because of the signal may say so in its own way.
        const reason = signal?.aborted ? signal.reason : error
        stop(reason)
        throw reason
      }
    },
    async cancel(reason) {
      stop(reason)
      await items.return()
    },
  })
  return { readable, writable }
}
