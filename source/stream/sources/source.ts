// What counts as a source, and the pump that reads one into a cache no faster than the cache has room.

import { breathe } from '../../async/breathe.ts'
import { type Bytes, type TextOrBytes, toBytes } from '../chunk-encoder.ts'
import { describeValue, withCode } from '../errors.ts'
import type { StreamCache } from '../stream-cache.ts'
import { readBlob } from './blob.ts'
import { readAsyncIterable, readIterable } from './iterable.ts'
import { readBytes, readString } from './memory.ts'
import { readWebStream } from './web.ts'

/**
 * Where bytes come from: memory, a Blob, or what delivers chunks. Strings are encoded as UTF-8. A Node `Readable` is an `AsyncIterable`.
 * Chunks are taken over: a source must not write to one again (else use the option `copy`).
 */
export type ByteSource =
  | Bytes
  | string
  | Blob
  | ReadableStream<TextOrBytes>
  | AsyncIterable<TextOrBytes>
  | Iterable<TextOrBytes>

/** How far a source has been read. */
export interface Progress {
  /** Bytes read so far, in the source's own bytes: compressed ones for a compressed source. */
  readonly bytesRead: number
  /** The total number of bytes; undefined while it is unknown. */
  readonly totalBytes: number | undefined
}

/** A source that reports its progress. A cache reports the progress of any `AsyncIterable` with this property. */
export interface ReportsProgress {
  readonly progress: Progress
}

/** The method of sources that use the memory of a chunk again, when nobody can reach the chunk any more. */
export const REUSE = Symbol('reuse')

/** A source that has such a method. */
export interface ReusesMemory {
  [REUSE](chunk: Uint8Array): void
}

/** A source opened for reading, once. */
export interface SourceReader {
  /** The next chunk, undefined only at the end. Throws, or rejects, when the source fails. */
  read(): Promise<TextOrBytes | undefined> | TextOrBytes | undefined
  /**
   * Stops reading and frees what the source holds. Called once at the most, at any time, also while a read is pending. Undefined where there
   * was nothing to wait for.
   */
  close(reason: unknown): Promise<void> | undefined
  /** Undefined if the source knows no more than what it has delivered. */
  readonly progress: Progress | undefined
  /** Takes back a chunk that nobody can reach, and nobody has a view of; undefined where there is no use for it. */
  readonly reuse?: ((chunk: Uint8Array) => void) | undefined
}

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

/** Reads a source into a cache to its end, its failure, or until the cache is cancelled. Never rejects. */
export async function pump(reader: SourceReader, cache: StreamCache): Promise<void> {
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
