// A source on its way to a worker: by itself, or chunk by chunk. The worker asks for each chunk, through a port of its own, and the page answers with it.

import { withPatience } from '../async/waiting.ts'
import { type TextOrBytes, unshare, viewBytes } from '../stream/chunk-encoder.ts'
import { makeChunkError } from '../stream/errors.ts'
import { type ByteSource, openSource } from '../stream/sources/source.ts'
import type { SourceReader } from '../stream/sources/source-reader.ts'
import type { XmlWorkerSource } from './options.ts'

export type PostedSource = { readonly content: Uint8Array | string | Blob } | { readonly url: string } | MessagePort

/** The next chunk, which is undefined at the end, or what is wrong with the source. */
export type ChunkMessage = { readonly chunk: TextOrBytes | undefined } | { readonly failed: string }

/** The source by itself, with what is transferred of it; undefined where its chunks are posted. */
export function packSource(
  source: XmlWorkerSource,
  isTransferred: boolean,
): { source: PostedSource; transfer: Transferable[] } | undefined {
  if (source instanceof URL) return { source: { url: source.href }, transfer: [] }
  if (typeof source === 'string' || (typeof Blob !== 'undefined' && source instanceof Blob)) {
    return { source: { content: source }, transfer: [] }
  }
  const bytes = viewBytes(source)
  if (!bytes) return undefined
  // Not more than these bytes: a message takes all the memory that a view is of.
  const content = (isTransferred && takeOver(bytes)) || new Uint8Array(bytes)
  return { source: { content }, transfer: [content.buffer as ArrayBuffer] }
}

/** The bytes in memory that nobody else has any more; undefined where it cannot be transferred, such as that of WebAssembly, or is gone already. */
function takeOver(given: Uint8Array): Uint8Array | undefined {
  const bytes = unshare(given)
  if (bytes.length === 0) return undefined
  try {
    return structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] })
  } catch {
    return undefined
  }
}

/** On the page: a source whose chunks are posted, each when the worker asks for it. */
export class PostedChunks {
  /** The port that the worker gets. */
  readonly port: MessagePort
  readonly #port: MessagePort
  readonly #reader: SourceReader
  #turn: Promise<void> = Promise.resolve()
  /** It has ended, has failed, or is closed. */
  #isOver = false
  /** What the source has thrown. */
  failure: { readonly error: unknown } | undefined

  /** Throws what `openSource` throws. */
  constructor(source: ByteSource) {
    this.#reader = openSource(source)
    const { port1, port2 } = new MessageChannel()
    this.port = port2
    this.#port = port1
    // Requests are answered one after the other.
    port1.onmessage = () => {
      this.#turn = this.#turn.then(() => this.#read())
    }
    // Node stays for the worker.
    ;(port1 as { unref?(): void }).unref?.()
  }

  /** Resolves when the source is closed, or after one second if it does not respond. */
  close(): Promise<void> {
    this.#isOver = true
    this.#port.close()
    // What fails while it closes is of no interest any more.
    return withPatience(Promise.resolve(this.#reader.close(undefined)).catch(() => {}))
  }

  async #read(): Promise<void> {
    if (this.#isOver) return
    try {
      const chunk = await this.#reader.read()
      if (this.#isOver) return
      this.#isOver = chunk === undefined
      this.#postChunk(chunk)
    } catch (error) {
      if (this.#isOver) return
      this.#isOver = true
      this.failure = { error }
      this.#port.postMessage({ failed: error instanceof Error ? error.message : String(error) } satisfies ChunkMessage)
    }
  }

  #postChunk(given: TextOrBytes | undefined): void {
    const bytes = viewBytes(given)
    // Said here as without a worker: a message with a function fails in its own way.
    if (!bytes && given !== undefined && typeof given !== 'string') throw makeChunkError(given)
    // Whoever made the chunk may have more views of its memory, or use it again.
    const chunk = bytes ? new Uint8Array(bytes) : (given as string | undefined)
    this.#port.postMessage({ chunk } satisfies ChunkMessage, chunk instanceof Uint8Array ? [chunk.buffer] : [])
    if (bytes) this.#reader.reuse?.(bytes)
  }
}
