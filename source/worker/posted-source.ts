// On the page: a source as it is posted to a worker, and its chunks where those are posted.

import { type TextOrBytes, viewBytes } from '../stream/chunk-encoder.ts'
import { type ByteSource, closeSource, openSource, type SourceReader } from '../stream/source.ts'
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
  // Not more than these bytes: a message takes all the memory that a view is of.
  const content = isTransferred ? bytes : new Uint8Array(bytes)
  return { source: { type: 'content', content }, transfer: [content.buffer as ArrayBuffer] }
}

/** A source whose chunks are posted one by one, each when the worker asks for it. */
export class PostedChunks {
  readonly #source: ByteSource
  readonly #isTransferred: boolean
  readonly #post: (chunk: TextOrBytes | undefined, transfer: Transferable[]) => void
  readonly #fail: (message: string) => void
  #reader: SourceReader | undefined
  #turn: Promise<void> = Promise.resolve()
  #isOver = false
  /** What the source has thrown. */
  failure: { readonly error: unknown } | undefined

  constructor(
    source: ByteSource,
    isTransferred: boolean,
    post: (chunk: TextOrBytes | undefined, transfer: Transferable[]) => void,
    fail: (message: string) => void,
  ) {
    this.#source = source
    this.#isTransferred = isTransferred
    this.#post = post
    this.#fail = fail
  }

  /** Posts the next chunk. Requests are answered one after the other. */
  answer(): void {
    this.#turn = this.#turn.then(() => this.#read())
  }

  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await (this.#reader ? this.#reader.close(undefined) : closeSource(this.#source))
  }

  async #read(): Promise<void> {
    if (this.#isOver) return
    try {
      this.#reader ??= openSource(this.#source)
      const chunk = await this.#reader.read()
      if (this.#isOver) return
      if (chunk === undefined) this.#isOver = true
      this.#postChunk(chunk)
    } catch (error) {
      if (this.#isOver) return
      this.failure = { error }
      this.#fail(error instanceof Error ? error.message : String(error))
    }
  }

  #postChunk(chunk: TextOrBytes | undefined): void {
    const bytes = viewBytes(chunk)
    if (!bytes) {
      this.#post(chunk, [])
      return
    }
    // Whoever made the chunk may have more views of its memory.
    const own = this.#isTransferred ? bytes : new Uint8Array(bytes)
    this.#post(own, [own.buffer as ArrayBuffer])
    if (own !== bytes) this.#reader?.reuse?.(bytes)
  }
}
