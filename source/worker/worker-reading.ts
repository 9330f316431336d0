// On the page: a document that a worker reads, batch by batch. Where no worker can be started, this thread reads it.

import { abortable } from '../async/abortable.ts'
import { LazyModule } from '../async/lazy-module.ts'
import { withPatience } from '../async/patience.ts'
import { Pool, type PooledTask } from '../async/pool.ts'
import { SourceError, withCode } from '../stream/errors.ts'
import { type ByteSource, closeSource } from '../stream/sources/source.ts'
import { type ErrorData, fromErrorData } from './error-data.ts'
import type { XmlWorkerOptions, XmlWorkerSource } from './options.ts'
import { PostedChunks, type PostedSource, packSource } from './posted-source.ts'
import type { Batch, Question, ReadingOptions } from './reading.ts'
import { XML_SCRIPT } from './xml-script.ts'

/** Bytes of batches that wait: one batch that is taken, and one that is made meanwhile. */
const MOST_WAITING = 128 * 1024

const here = new LazyModule(() => import('./reading.ts'))
const http = new LazyModule(() => import('../stream/sources/http.ts'))

/** What a worker is asked. */
export interface ReadingTask {
  readonly source: PostedSource
  readonly options: ReadingOptions
  readonly question: Question
}

/** What comes of it. The source is gone then, so errors are those of the worker. */
export type ReadingPart = { readonly batch: Batch } | { readonly failed: ErrorData }

export class WorkerReading {
  readonly #source: XmlWorkerSource
  readonly #options: XmlWorkerOptions
  readonly #question: Question
  readonly #leaving = new AbortController()
  readonly #pool: Pool<undefined, undefined, ReadingPart>
  #task: PooledTask<undefined, ReadingPart> | undefined
  #chunks: PostedChunks | undefined
  /** Whether the worker, or this thread, has the source. */
  #isOpened = false
  #stopping: Promise<void> | undefined

  constructor(source: XmlWorkerSource, options: XmlWorkerOptions, question: Question) {
    this.#source = source
    this.#options = options
    this.#question = question
    this.#pool = new Pool({
      script: XML_SCRIPT,
      workerUrl: options.workerUrl,
      threads: 1,
      mostWaiting: MOST_WAITING,
      setup: undefined,
      open: () => (_, lost) => this.#readHere(lost),
      pack: () => this.#pack(),
    })
  }

  /** The next batch; undefined at the end. The worker is started by the first call. */
  async next(): Promise<Batch | undefined> {
    this.#task ??= this.#pool.begin(undefined)
    const part = await abortable(this.#pool.next(this.#task), this.#leaving.signal)
    if (part && 'batch' in part) return part.batch
    // An error does not wait for a source that is closed because of it.
    void this.#end()
    if (part) throw this.#restore(fromErrorData(part.failed))
    return undefined
  }

  /** Ends the reading, at whatever point it is, and closes the source. The same promise for all who ask. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#leaving.abort(new Error('nobody reads any more'))
    if (this.#task) await this.#pool.leave(this.#task)
    await this.#end()
    if (!this.#isOpened && !(this.#source instanceof URL)) await withPatience(closeSource(this.#source))
  }

  async #end(): Promise<void> {
    this.#pool.close()
    await this.#chunks?.close()
  }

  get #readingOptions(): ReadingOptions {
    const { signal: _signal, workerUrl: _workerUrl, transfer: _transfer, ...options } = this.#options
    return options
  }

  #pack(): { message: ReadingTask; transfer: Transferable[] } {
    this.#isOpened = true
    const reading = { options: this.#readingOptions, question: this.#question }
    const packed = packSource(this.#source, this.#options.transfer ?? false)
    if (packed) return { message: { ...reading, source: packed.source }, transfer: packed.transfer }
    this.#chunks = new PostedChunks(this.#source as ByteSource)
    const { port } = this.#chunks
    return { message: { ...reading, source: port }, transfer: [port] }
  }

  async *#readHere(lost: Error | undefined): AsyncGenerator<ReadingPart, void, undefined> {
    if (lost?.name === 'DataCloneError') {
      const message = 'the path, the fields or the options have something in them that cannot be sent to a worker'
      throw withCode(new TypeError(message, { cause: lost }), 'invalid-option')
    }
    // The source is gone.
    if (lost) throw lost
    const { signal } = this.#leaving
    const source = this.#source instanceof URL ? new (await http.load()).HttpSource(this.#source) : this.#source
    const { readBatches } = await here.load()
    if (signal.aborted) return
    this.#isOpened = true
    for await (const batch of readBatches(source, this.#readingOptions, this.#question, signal)) yield { batch }
  }

  /** The error with what the source on this page has thrown as its cause, not a copy of that. */
  #restore(error: Error): Error {
    const failure = this.#chunks?.failure
    if (failure && error instanceof SourceError) {
      Object.defineProperty(error, 'cause', { value: failure.error, configurable: true, writable: true })
    }
    return error
  }
}
