// Functions from a source to what is read of it, as the two sides of a pipe of Web Streams.

import { type TextOrBytes, viewBytes } from './chunk-encoder.ts'
import { describeValue, withCode } from './errors.ts'
import { makeByteStream, makeItemStream } from './item-stream.ts'
import { type OptionKinds, requireOptions } from './options.ts'
import { ItemQueue, makeAbortError } from './sources/item-queue.ts'

/** Bytes, or UTF-16 units of text, that may wait in front of what reads them. */
const READ_AHEAD = 64 * 1024
/** What the smallest chunk counts: its place in the queue takes memory as well. */
const LEAST_SIZE = 8

/** What `ReadableStream.pipeThrough` takes. */
export interface Transform<In, Out> {
  readonly readable: ReadableStream<Out>
  readonly writable: WritableStream<In>
}

export interface TransformOptions {
  /** Ends both sides with its reason when it aborts. */
  signal?: AbortSignal | undefined
  /** Makes `readable` a byte stream, if the platform has those. The items must be bytes (`Uint8Array`). */
  type?: 'bytes' | undefined
}

const OPTIONS: OptionKinds<TransformOptions> = { signal: 'signal', type: ['bytes'] }

/**
 * Makes a transform of a function: `writable` is the source that the function gets, and `readable` gives the items that it yields.
 *
 * ```ts
 * import { makeTransform } from 'xylem/stream'
 * import { readXml } from 'xylem/xml'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * const pages = body?.pipeThrough(makeTransform((source) => readXml(source).select('page')))
 * if (pages) for await (const page of pages) console.log(page.childText('title'))
 * ```
 *
 * The function is called at once, and what it throws is thrown. An item is made when the reader asks for one. Before that, up to 64 KiB of chunks are read
 * ahead, plus the rest of the last one and one that waits for room; of chunks that are neither bytes nor text, one. A write resolves when there is room for
 * its chunk, of which bytes are copied. The close resolves when everything was read.
 *
 * An error of the function errors both sides with the same error, the readable side after the items before it. A cancellation errors the writable side with its
 * reason, which is undefined if a loop was left. If the writable side is aborted, the source throws the reason after the chunks before it: our readers
 * throw a `SourceError` with this cause. A pipe passes all of that on. If the function ends before its source, a later write throws an `AbortError`.
 *
 * Throws a `TypeError` with the code `invalid-option` for invalid options, and if the function does not return an async iterable.
 */
export function makeTransform<Out, In = TextOrBytes>(
  read: (source: AsyncIterable<In>) => AsyncIterable<Out>,
  options: TransformOptions = {},
): Transform<In, Out> {
  requireOptions(options, OPTIONS)
  const { signal, type } = options
  const input = new ItemQueue<In>(READ_AHEAD, sizeOf)
  const items = openItems(read(input))
  let sink: WritableStreamDefaultController | undefined
  let settle: { resolve(): void; reject(reason: unknown): void } | undefined
  /** Resolves when all was read, and rejects with why it is not: what those who write wait for at last. */
  const outcome = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const giveUp = (): void => {
    stop(signal?.reason)
    leave().catch(() => {})
  }
  // Perhaps nobody writes any more, and has no need to know.
  outcome.catch(() => {}).then(() => signal?.removeEventListener('abort', giveUp))

  /** Ends both sides from the one that is read. */
  function stop(reason: unknown): void {
    sink?.error(reason)
    settle?.reject(reason)
    input.drop(reason ?? makeAbortError('nobody reads any more'))
  }

  /** Ends both sides from the one that is written. */
  function abort(reason: unknown = makeAbortError('the writable side was aborted')): void {
    // After the end it is too late: nothing was lost, and nobody waits for the rest any more.
    if (input.isEnded) settle?.resolve()
    else settle?.reject(reason)
    input.fail(reason)
  }

  async function leave(): Promise<void> {
    await items.return?.()
  }

  // Not the sides of a `TransformStream`: in Node 20, one that is cancelled or errored while a write waits fails with an error of its own, or with undefined.
  const writable = new WritableStream<In>({
    start(controller) {
      sink = controller
      // The method `abort` is called only when no write and no close waits any more.
      controller.signal?.addEventListener('abort', () => abort(controller.signal.reason))
    },
    async write(chunk) {
      try {
        await input.ready()
      } catch (error) {
        // The source is left before it is known why.
        await outcome
        throw error
      }
      input.push(copyBytes(chunk))
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

  const makeReadable = type === 'bytes' ? (makeByteStream as unknown as typeof makeItemStream<Out>) : makeItemStream
  const readable = makeReadable({
    async pull(controller) {
      try {
        const { done, value } = await items.next()
        signal?.throwIfAborted()
        if (!done) return controller.enqueue(value)
        settle?.resolve()
        if (!input.isEnded) await input.return()
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
      await leave()
    },
  })
  return { readable, writable }
}

function openItems<Out>(items: AsyncIterable<Out>): AsyncIterator<Out> {
  const open: unknown = items?.[Symbol.asyncIterator]
  if (typeof open === 'function') return open.call(items)
  const message = `the function of a transform must return an async iterable, not ${describeValue(items)}`
  throw withCode(new TypeError(message), 'invalid-option')
}

/** A chunk may be changed when its write has resolved, and it resolves before the chunk is read. */
function copyBytes<Chunk>(chunk: Chunk): Chunk {
  const bytes = bytesOf(chunk)
  return bytes ? (new Uint8Array(bytes) as Chunk) : chunk
}

function sizeOf(chunk: unknown): number {
  const { length } = typeof chunk === 'string' ? chunk : (bytesOf(chunk) ?? { length: READ_AHEAD })
  return Math.max(LEAST_SIZE, length)
}

/** Elements are not asked for their tag, which they would write. */
function bytesOf(chunk: unknown): Uint8Array | undefined {
  return typeof chunk === 'object' && chunk !== null && 'byteLength' in chunk ? viewBytes(chunk) : undefined
}
