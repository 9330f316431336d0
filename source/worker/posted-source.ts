// On the page: a source as it is posted to a worker, and its chunks where those are posted.

import { withPatience } from '../async/patience.ts'
import { type TextOrBytes, unshare, viewBytes } from '../stream/chunk-encoder.ts'
import { makeChunkError } from '../stream/errors.ts'
import { type ByteSource, openSource } from '../stream/sources/source.ts'
import type { SourceReader } from '../stream/sources/source-reader.ts'
import type { XmlWorkerSource } from './options.ts'
import type { PostedSource } from './protocol.ts'

/** A source with what is transferred of it. */
export interface Parcel {
  readonly source: PostedSource
  readonly transfer: Transferable[]
}

/** The source by itself; undefined where its chunks are posted. */
export function packSource(source: XmlWorkerSource, isTransferred: boolean): Parcel | undefined {
  if (source instanceof URL) return { source: { type: 'url', url: source.href }, transfer: [] }
  if (typeof source === 'string' || (typeof Blob !== 'undefined' && source instanceof Blob)) {
    return { source: { type: 'content', content: source }, transfer: [] }
  }
  const bytes = viewBytes(source)
  if (!bytes) return undefined
  // Not more than these bytes: a message takes all the memory that a view is of. Shared memory cannot be transferred, and Node drops messages with memory
  // that is gone already, of which a copy cannot be made.
  const content = isTransferred && bytes.length > 0 ? unshare(bytes) : new Uint8Array(bytes)
  return { source: { type: 'content', content }, transfer: [content.buffer as ArrayBuffer] }
}

/** A source whose chunks are posted one by one, each when the worker asks for it. */
export class PostedChunks {
  readonly #post: (chunk: TextOrBytes | undefined, transfer: Transferable[]) => void
  readonly #fail: (message: string) => void
  readonly #reader: SourceReader
  #turn: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** It has ended, has failed, or is closed. */
  #isOver = false
  #hasEnded = false
  /** What the source has thrown. */
  failure: { readonly error: unknown } | undefined

  /** Throws what `openSource` throws. */
  constructor(
    source: ByteSource,
    post: (chunk: TextOrBytes | undefined, transfer: Transferable[]) => void,
    fail: (message: string) => void,
  ) {
    this.#reader = openSource(source)
    this.#post = post
    this.#fail = fail
  }

  /** Posts the next chunk. Requests are answered one after the other. */
  answer(): void {
    this.#turn = this.#turn.then(() => this.#read())
  }

  /** Resolves when the source is closed, or after one second if it does not respond. */
  close(): Promise<void> {
    this.#isOver = true
    this.#closing ??= this.#hasEnded ? Promise.resolve() : closeReader(this.#reader)
    return this.#closing
  }

  async #read(): Promise<void> {
    if (this.#isOver) return
    try {
      const chunk = await this.#reader.read()
      if (this.#isOver) return
      if (chunk === undefined) this.#hasEnded = true
      this.#isOver = this.#hasEnded
      this.#postChunk(chunk)
    } catch (error) {
      if (this.#isOver) return
      this.#isOver = true
      this.failure = { error }
      this.#fail(error instanceof Error ? error.message : String(error))
    }
  }

  #postChunk(chunk: TextOrBytes | undefined): void {
    const bytes = viewBytes(chunk)
    if (!bytes) {
      // Said here as without a worker: a message with a function fails in its own way.
      if (chunk !== undefined && typeof chunk !== 'string') throw makeChunkError(chunk)
      this.#post(chunk, [])
      return
    }
    // Whoever made the chunk may have more views of its memory, or use it again.
    const own = new Uint8Array(bytes)
    this.#post(own, [own.buffer as ArrayBuffer])
    this.#reader.reuse?.(bytes)
  }
}

async function closeReader(reader: SourceReader): Promise<void> {
  // What fails while it closes is of no interest any more.
  await withPatience(Promise.resolve(reader.close(undefined)).catch(() => {}))
}
