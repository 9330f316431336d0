// What counts as a source, and the pump that reads one into a cache no faster than the cache has room.

import { breathe } from '../../async/breathe.ts'
import { type Bytes, type TextOrBytes, toBytes } from '../chunk-encoder.ts'
import { describeValue, withCode } from '../errors.ts'
import { readAsyncIterable, readIterable } from './iterable.ts'
import { readBlob, readBytes, readString } from './memory.ts'
import type { SourceReader } from './source-reader.ts'
import { readWebStream } from './web.ts'

/**
 * Where bytes come from: memory, a Blob, or what delivers chunks. Strings are encoded as UTF-8. A Node `Readable` is an `AsyncIterable`.
 * A source may write to a chunk again as soon as it is asked for the next one.
 */
export type ByteSource =
  | Bytes
  | string
  | Blob
  | ReadableStream<TextOrBytes>
  | AsyncIterable<TextOrBytes>
  | Iterable<TextOrBytes>

/** Opens a source. Throws a `TypeError` with the code `invalid-source` for anything else. */
export function openSource(source: ByteSource): SourceReader {
  if (typeof source === 'string') return readString(source)
  const bytes = toBytes(source)
  if (bytes) return readBytes(bytes)
  if (typeof Blob !== 'undefined' && source instanceof Blob) return readBlob(source)
  if (typeof source === 'object' && source !== null) {
    if ('getReader' in source) return readWebStream(source)
    if (Symbol.asyncIterator in source) return readAsyncIterable(source)
    if (Symbol.iterator in source) return readIterable(source as Iterable<TextOrBytes>)
  }
  throw withCode(new TypeError(`not a source of bytes: ${describe(source)}`), 'invalid-source')
}

/** Closes a source that nobody has begun to read. Throws what closing it throws. */
export async function closeSource(source: ByteSource): Promise<void> {
  await openSource(source).close(undefined)
}

/** What was given instead of a source, and what to give where that can be guessed. */
function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function (call it, and pass the result)'
  if (typeof value !== 'object' || value === null) return describeValue(value)
  if (value instanceof Promise) return 'a Promise (await it first)'
  if (value instanceof URL) return 'a URL (fetch it and pass the body, or use HttpSource or FileSource)'
  if ('body' in value) return 'a response (pass its body)'
  return describeValue(value)
}

/** A cache that a source is read into (stream-cache.ts). */
interface Cache {
  readonly hasRoom: boolean
  readonly ended: boolean
  ready(): Promise<void>
  write(chunk: TextOrBytes): void
  end(): void
  fail(cause: unknown): void
}

/** Reads a source into a cache to its end, its failure, or until the cache is cancelled. Never rejects. */
export async function pump(reader: SourceReader, cache: Cache): Promise<void> {
  try {
    for (;;) {
      if (!cache.hasRoom) await cache.ready()
      if (cache.ended) return // by hand, which has closed the source
      const pending = reader.read()
      const chunk = pending instanceof Promise ? await pending : pending
      if (chunk === undefined) break
      cache.write(chunk)
      // A source whose chunks are there already, and cursors woken by them, would pass the turn to each other for ever.
      const turn = breathe()
      if (turn) await turn
    }
    cache.end()
  } catch (error) {
    cache.fail(error)
  }
}
