/// <reference lib="esnext.disposable" preserve="true" />
// The pool of chunks between a source that delivers and the cursors that read: it decides when the source may continue
// (backpressure), and what every waiter gets when the stream ends, fails or is cancelled. Waiting happens here and nowhere else.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { type Leaving, signalOf } from '../async/leaving.ts'
import { PromiseQueue, type WaitOptions } from '../async/promise-queue.ts'
import { withPatience } from '../async/waiting.ts'
import { ChunkEncoder, type LoneSurrogate, type TextOrBytes, viewBytes } from './chunk-encoder.ts'
import { ChunkList, type Place } from './chunk-list.ts'
import { Cursor, type Wait } from './cursor.ts'
import { LimitError, SourceError, type SourceErrorCode, withCode } from './errors.ts'
import { InputLimit } from './input-limit.ts'
import { type LimitOptions, type OptionKinds, readLimits, requireNumber, requireOptions } from './options.ts'
import { type ByteSource, openSource, pump } from './sources/source.ts'
import type { Progress, SourceReader } from './sources/source-reader.ts'
import { XylemError } from './xylem-error.ts'

/** Bounds of a cache. Passing one throws a `LimitError` with a code of its own. */
export interface StreamLimits {
  /**
   * Bytes: a cursor that needs more than the high-water mark gets it until this much is retained (default 256 MiB); then it gets
   * a `LimitError`. The last chunk may go over it. Copies of reads that go over the edges of chunks are not counted; they may
   * take twice the largest such read.
   */
  readonly maxRetained: number
  /** Bytes of the complete stream, as it arrives (default: no limit). What arrived before the first byte too many can be read. */
  readonly maxInput: number
}

/** All sizes are bytes. */
export interface StreamCacheOptions {
  /**
   * The source is read ahead while less than this is retained (default 2 MiB: with chunks of 1 MiB one can be read while
   * another is consumed), and while there are less than 8192 chunks. With 0 it is read only when a cursor waits.
   */
  highWaterMark?: number | undefined
  limits?: LimitOptions<StreamLimits> | undefined
  /** Milliseconds without data while a cursor waits, after which the stream fails (default: no limit). */
  idleTimeout?: number | undefined
  /** Stops reading, and closes the source, when it aborts: reads that wait, and later ones, throw the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * Whether each chunk is copied on arrival. By default, chunks of iterables and of Web streams are copied, because they may use their buffer again, and those of
   * arrays, Node streams, byte streams and our own sources are taken over, and so are chunks that are written.
   */
  copy?: boolean | undefined
  /**
   * What half of a surrogate pair in a string becomes (default `U+FFFD`). `U+FFFF` is for XML: it is an error there, as the half is in a string that is
   * read directly, and is replaced and counted in dumps.
   */
  loneSurrogate?: LoneSurrogate | undefined
}

const DEFAULT_HIGH_WATER_MARK = 2 * 1024 * 1024
export const STREAM_LIMITS: StreamLimits = { maxRetained: 256 * 1024 * 1024, maxInput: Number.POSITIVE_INFINITY }

export const STREAM_CACHE_OPTIONS: OptionKinds<StreamCacheOptions> = {
  highWaterMark: 'any',
  limits: 'object',
  idleTimeout: 'any',
  signal: 'signal',
  copy: 'boolean',
  loneSurrogate: ['U+FFFD', 'U+FFFF'],
}
/** Chunks that are read ahead at the most: of one byte each, as many as the high-water mark has bytes would take 300 times that memory. */
const MOST_CHUNKS = 8192

/** Why no more will come although the stream has not ended. */
interface Failure {
  /** Undefined if `cause` is thrown as it is: a `LimitError`, or the reason of the reader's signal. */
  code: SourceErrorCode | undefined
  message: string
  cause: unknown
}

/**
 * Pools the chunks of one stream for any number of cursors, and frees chunks that all cursors have passed.
 *
 * A cache made from a source (`StreamCache.from`) reads the source itself, up to the high-water mark ahead. To fill a cache by hand, write
 * to it:
 *
 * ```ts
 * import { StreamCache } from 'xylem/stream'
 *
 * const cache = new StreamCache()
 * for (const chunk of ['GET /wood', ' HTTP/1.1']) if (!cache.write(chunk)) await cache.ready()
 * cache.end()
 * ```
 *
 * Until the first cursor is created, everything is retained. Iterating a cache creates a cursor and yields its bytes as they arrive.
 */
export class StreamCache implements AsyncIterable<Uint8Array>, AsyncDisposable {
  /** @internal */
  readonly chunks = new ChunkList()
  #highWaterMark: number
  readonly #maxRetained: number
  readonly #inputLimit: InputLimit
  readonly #idleTimeout: number
  #signal: AbortSignal | undefined
  readonly #encoder: ChunkEncoder
  /** When a chunk arrived last, as `timeFor` says. */
  #lastArrival = 0

  #ended = false
  #failure: Failure | undefined
  /** No cursor is left, and none can be made. */
  #closed = false

  /** Cursors that wait for bytes. */
  readonly #readers = new PromiseQueue()
  /** Writers, our pump among them, that wait for room. */
  readonly #writers = new PromiseQueue()
  /** Up to where the cursors that wait now need the stream; set anew after each arrival by those still waiting. */
  #demandedEnd = 0
  /** While writers wait: the offset that the slowest cursor must reach for them to continue. */
  #resumeOffset = Number.POSITIVE_INFINITY

  #source: SourceReader | undefined
  #closing: Promise<void> | undefined

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for options that are not valid. */
  constructor(options: StreamCacheOptions = {}) {
    requireOptions(options, STREAM_CACHE_OPTIONS)
    const { highWaterMark, limits, idleTimeout, signal, copy, loneSurrogate } = options
    const { maxRetained, maxInput } = readLimits(limits, STREAM_LIMITS)
    this.#maxRetained = requireNumber('maxRetained', maxRetained, 1)
    this.#inputLimit = new InputLimit(0, maxInput)
    const readAhead = requireNumber('highWaterMark', highWaterMark ?? DEFAULT_HIGH_WATER_MARK, 0)
    this.#highWaterMark = Math.min(readAhead, this.#maxRetained)
    this.#idleTimeout = requireNumber('idleTimeout', idleTimeout ?? Number.POSITIVE_INFINITY, 0)
    this.#encoder = new ChunkEncoder(copy ?? false, loneSurrogate)
    this.#follow(signal)
  }

  /**
   * A cache that reads `source` by itself, from now on.
   *
   * Throws a `TypeError` with the code `invalid-source` for anything that is not a source. Later errors of the source reach the cursors as
   * a `SourceError`.
   */
  static from(source: ByteSource, options?: StreamCacheOptions): StreamCache {
    // The options are checked first: a source that is opened must not be left locked.
    const cache = new StreamCache(options)
    const reader = cache.#open(source)
    cache.#encoder.copies = options?.copy ?? reader.lendsChunks === true
    if (reader.isBuffered) cache.#highWaterMark = 0
    if (cache.#failure) {
      // Aborted before it began. Nobody waits for the closing, so nobody would get an error in it.
      reader.close(cache.#failure.cause)?.catch(() => {})
    } else {
      cache.#source = reader
      void pump(reader, cache)
    }
    return cache
  }

  /**
   * @internal A cache for XML, for those who keep no view of what they read: chunks go back to a source that can use their memory again. Fresh memory
   * costs a page fault every 4 KiB, and large collections.
   */
  static reusing(
    source: ByteSource,
    leaving?: Leaving | AbortSignal,
    limits?: StreamCacheOptions['limits'],
  ): StreamCache {
    const isInMemory = typeof source === 'string' || viewBytes(source) !== undefined
    const followsLater = isInMemory && leaving?.aborted === false
    const signal = followsLater ? undefined : signalOf(leaving)
    const cache = StreamCache.from(source, { signal, limits, loneSurrogate: 'U+FFFF' })
    cache.returnMemory()
    // What is in memory has arrived by now, unless it is large: then no signal is needed.
    if (followsLater && !cache.isOver) cache.#follow(signalOf(leaving))
    return cache
  }

  /** @internal Lets dropped chunks go back to the source, as in `reusing`. */
  returnMemory(): void {
    this.chunks.onDrop = this.#source?.reuse
  }

  /** Bytes that some cursor can still reach. */
  get retained(): number {
    return this.chunks.end - this.chunks.start
  }

  /** Offset of the first retained byte: the position of the slowest cursor. */
  get start(): number {
    return this.chunks.start
  }

  /** Whether the complete stream has arrived. */
  get ended(): boolean {
    return this.#ended
  }

  /** @internal Whether what arrived was strings, by the first chunk: these bytes are UTF-8, whatever a document says of its encoding. */
  get isOfText(): boolean {
    return this.#encoder.isOfText === true
  }

  /** @internal What the server of the source says of its encoding. */
  get charset(): string | undefined {
    return this.#source?.charset
  }

  /** @internal Offsets at which something is missing. */
  get gaps(): readonly number[] {
    return this.#source?.gaps ?? []
  }

  /** @internal Whether no more will come, for whatever reason. */
  get isOver(): boolean {
    return this.#ended || this.#failure !== undefined
  }

  /** @internal How many bytes may be retained. */
  get maxRetained(): number {
    return this.#maxRetained
  }

  /** How much of the source has been read, in its own bytes: for a compressed source, compressed ones. */
  get progress(): Progress {
    return (
      this.#source?.progress ?? { bytesRead: this.chunks.end, totalBytes: this.#ended ? this.chunks.end : undefined }
    )
  }

  /**
   * A new cursor at the first retained byte.
   *
   * Throws a `TypeError` with the code `cache-closed` after the last cursor was released: what it had read is gone.
   */
  cursor(): Cursor {
    if (this.#closed) {
      const message = 'the stream is closed because its last cursor was released (keep a clone to keep it open)'
      throw withCode(new TypeError(message), 'cache-closed')
    }
    return new Cursor(this, this.chunks.enter())
  }

  /**
   * Iterates over a new cursor, chunk by chunk as they arrived. Leaving the loop, also while it waits, releases that cursor.
   *
   * Throws like {@link StreamCache.cursor}.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const cursor = this.cursor()
    return new CancellableGenerator(({ signal }) => {
      // Not left to the generator: one that has not begun does not run its finally.
      signal.addEventListener('abort', () => cursor.release())
      return readToEnd(cursor)
    })
  }

  /**
   * Adds a chunk; the cache takes it over. Returns false if the writer should await `ready` before it continues.
   *
   * A string is encoded as UTF-8 (see `loneSurrogate`); a surrogate pair may be cut between two strings. After a failure or a cancellation the chunk is dropped
   * and the result is false. Throws a `TypeError` after `end`, and a `LimitError` when a writer that did not wait has filled the cache up
   * to `maxRetained`, or when the stream is longer than `maxInput`.
   */
  write(chunk: TextOrBytes): boolean {
    if (this.#ended) throw withCode(new TypeError('cannot write to a stream that has ended'), 'cache-closed')
    if (this.#failure) return false
    if (this.retained >= this.#maxRetained) {
      // Measured aside: what the encoder carries over a cut must not be lost with a chunk that is refused.
      const { length } = new ChunkEncoder(false).encode(chunk)
      if (length > 0) throw this.#makeLimitError('the writer', this.chunks.end, length)
    }
    const encoded = this.#encoder.encode(chunk)
    if (encoded.length === 0) return this.hasRoom
    const bytes = this.#inputLimit.cut(encoded, this.chunks.end)
    this.chunks.append(bytes)
    this.#lastArrival = this.timeFor(Number.POSITIVE_INFINITY)
    this.#wakeReaders()
    if (bytes.length < encoded.length) throw this.#inputLimit.makeError()
    return this.hasRoom
  }

  /**
   * Waits until there is room for another chunk; resolves at once when there is.
   *
   * Throws a `SourceError` when the stream failed or was cancelled, and the reason when it was aborted by its signal, so that a writer stops.
   */
  async ready(options?: WaitOptions): Promise<void> {
    for (;;) {
      this.throwIfFailed()
      if (this.#ended || this.hasRoom) return
      this.#resumeOffset = this.#findResumeOffset()
      await this.#writers.wait(options)
    }
  }

  /**
   * Ends the stream: cursors read to the end of what was written. A source that has not ended by itself is closed. A second call,
   * or one after a failure, does nothing.
   */
  end(): void {
    if (this.#ended || this.#failure) return
    const rest = this.#encoder.end()
    if (rest.length > 0) this.chunks.append(rest)
    this.#ended = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#close(undefined).catch(() => {})
    this.#wakeReaders()
    this.#wakeWriters()
  }

  /**
   * Fails the stream: cursors read what had arrived, then throw a `SourceError` with this cause. The source is closed. Does
   * nothing after the end or an earlier failure.
   *
   * Another error of xylem, such as that of a damaged archive, gives the code `source-damaged`. A cause that is a `SourceError` itself, of a stream below this one, passes on its code, message and cause. A `LimitError` is thrown as it is.
   */
  fail(cause: unknown): void {
    if (cause instanceof SourceError) {
      this.#stop({ code: cause.code, message: cause.message, cause: cause.cause })
    } else if (cause instanceof LimitError) {
      this.#stop({ code: undefined, message: '', cause })
    } else {
      const message = cause instanceof Error ? cause.message : String(cause)
      const code = cause instanceof XylemError ? 'source-damaged' : 'source-failed'
      this.#stop({ code, message: `the source failed: ${message}`, cause })
    }
  }

  /**
   * Stops reading and closes the source; `reason` becomes the cause of the cursors' `SourceError`.
   *
   * Resolves when the source is closed, or after one second if it does not respond; it then closes later. Throws what closing the source
   * throws. Can be called at any time and more than once.
   */
  async cancel(reason?: unknown): Promise<void> {
    this.#stop({ code: 'source-cancelled', message: 'the stream was cancelled', cause: reason })
    await this.#close(reason)
  }

  /** Stops reading and closes the source, like `cancel`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel()
  }

  /** @internal Throws the failure, if there is one, with the stack of the caller. */
  throwIfFailed(): void {
    if (!this.#failure) return
    const { code, message, cause } = this.#failure
    if (code === undefined) throw cause
    throw new SourceError(code, message, this.chunks.end, cause)
  }

  /**
   * @internal The time, for a wait that ends after `timeout` milliseconds; 0 where nothing here ends by time. To ask for it makes Node load
   * its clock, which a first result is not to wait for.
   */
  timeFor(timeout: number): number {
    return Math.min(timeout, this.#idleTimeout) === Number.POSITIVE_INFINITY ? 0 : performance.now()
  }

  /** @internal Waits for the next arrival on behalf of a cursor at `offset` that needs `n` bytes. */
  async arrival(offset: number, n: number, { signal, since, timeout }: Wait): Promise<void> {
    this.throwIfFailed()
    if (this.retained >= this.#maxRetained) throw this.#makeLimitError('a cursor', offset, n)
    if (offset + n > this.#demandedEnd) {
      this.#demandedEnd = offset + n
      this.#wakeWriters()
    }
    // Whatever else wakes this wait, another cursor's release for one, gives neither the reader nor the source more time.
    const now = this.timeFor(timeout)
    const patience = Math.max(0, since + timeout - now)
    const silence = Math.max(0, Math.max(since, this.#lastArrival) + this.#idleTimeout - now)
    try {
      await this.#readers.wait({ signal, timeout: Math.min(patience, silence) })
    } catch (error) {
      if (signal?.aborted) throw error
      // Made here and not by a timer's callback, so that its stack names who waited.
      if (patience <= silence) {
        throw new DOMException(`${n} bytes at byte ${offset} did not arrive within ${timeout} ms`, 'TimeoutError')
      }
      this.#stop({
        code: 'source-stalled',
        message: `the source sent nothing for ${this.#idleTimeout} ms`,
        cause: error,
      })
    }
  }

  /** @internal A cursor has moved by `distance` to `offset`. Writers continue when it was the last one that held them back. */
  moved(offset: number, distance: number): void {
    if (offset < this.#resumeOffset || offset - distance >= this.#resumeOffset) return
    if (this.chunks.start >= this.#resumeOffset) this.#wakeWriters()
  }

  /** @internal A cursor is released or forgotten. */
  leave(place: Place): void {
    this.chunks.leave(place)
    // Its own wait, if there is one, must end; the others find their condition unchanged and wait on.
    this.#wakeReaders()
    if (this.chunks.placeCount > 0) {
      if (this.chunks.start >= this.#resumeOffset) this.#wakeWriters()
      return
    }
    this.#closed = true
    this.#stop({ code: 'source-cancelled', message: 'the last cursor was released', cause: undefined })
    // Nobody is left to get an error in closing.
    this.#close(undefined).catch(() => {})
  }

  /** @internal Whether a chunk is welcome: below the high-water mark, or below the limit while a cursor waits for more. */
  get hasRoom(): boolean {
    if (this.#failure) return false
    const { retained } = this
    if (this.#demandedEnd > this.chunks.end && retained < this.#maxRetained) return true
    return retained < this.#highWaterMark && this.chunks.count < MOST_CHUNKS
  }

  /** Where the slowest cursor must be before there is room; of too many chunks, where half of them are read. */
  #findResumeOffset(): number {
    const { start, end, count } = this.chunks
    const byBytes = end - this.#highWaterMark + 1
    return count < MOST_CHUNKS ? byBytes : Math.max(byBytes, start + Math.ceil((end - start) / 2))
  }

  #wakeReaders(): void {
    this.#demandedEnd = 0
    this.#readers.wakeAll()
  }

  #wakeWriters(): void {
    this.#resumeOffset = Number.POSITIVE_INFINITY
    this.#writers.wakeAll()
  }

  #open(source: ByteSource): SourceReader {
    try {
      return openSource(source)
    } catch (error) {
      this.#signal?.removeEventListener('abort', this.#abort)
      throw error
    }
  }

  /** Ends with this signal. */
  #follow(signal: AbortSignal | undefined): void {
    this.#signal = signal
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => {
    this.#stop({ code: undefined, message: '', cause: this.#signal?.reason })
  }

  #stop(failure: Failure): void {
    if (this.#ended || this.#failure) return
    this.#failure = failure
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#close(failure.cause).catch(() => {})
    this.#wakeReaders()
    this.#wakeWriters()
  }

  /** Closes the source once; the same promise for all who ask. */
  #close(reason: unknown): Promise<void> {
    this.#closing ??= this.#closeSource(reason)
    return this.#closing
  }

  #closeSource(reason: unknown): Promise<void> {
    const closing = this.#source?.close(reason)
    return closing ? withPatience(closing) : Promise.resolve()
  }

  #makeLimitError(who: string, byteOffset: number, requested: number): LimitError {
    const { retained, start } = this
    const limit = this.#maxRetained
    const message =
      `${who} at byte ${byteOffset} needs ${requested} bytes, but ${retained} bytes are already retained ` +
      `from byte ${start}, the position of the slowest cursor, and maxRetained is ${limit}`
    return new LimitError(message, {
      code: 'retained-limit',
      byteOffset,
      requested,
      retainedFrom: start,
      retained,
      limit,
    })
  }
}

async function* readToEnd(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* cursor.chunks()
  } finally {
    cursor.release()
  }
}
