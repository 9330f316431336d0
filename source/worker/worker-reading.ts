// On the page: a document that a worker reads, batch by batch. Where no worker can be started, this thread reads it.

import { breathe } from '../async/breathe.ts'
import { LazyModule } from '../async/lazy-module.ts'
import { Pool, type PooledTask } from '../async/pool.ts'
import { abortable, withPatience } from '../async/waiting.ts'
import { SourceError, withCode } from '../stream/errors.ts'
import type { ItemSource } from '../stream/item-stream.ts'
import { type ByteSource, closeSource } from '../stream/sources/source.ts'
import { type ErrorJson, XylemError } from '../stream/xylem-error.ts'
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

/** What comes of it. The source is gone then, so errors are those of the worker: ours as plain data, and others, which are copied without their codes. */
export type ReadingPart =
  | { readonly batch: Batch }
  | { readonly failed: ErrorJson }
  | { readonly thrown: Error; readonly code: string | undefined }

type ItemsOf<Item> = (batch: Batch) => Iterable<readonly Item[]>

/** The items that are made of the batches. Its functions are for a stream. */
export class WorkerReading<Item> implements ItemSource<Item> {
  readonly #source: XmlWorkerSource
  readonly #options: XmlWorkerOptions
  readonly #question: Question
  readonly #items: AsyncGenerator<readonly Item[], void, undefined>
  readonly #leaving = new AbortController()
  readonly #pool: Pool<undefined, undefined, ReadingPart>
  #task: PooledTask<undefined, ReadingPart> | undefined
  #chunks: PostedChunks | undefined
  /** Whether the worker, or this thread, has the source. */
  #isOpened = false
  #fail: ((reason: unknown) => void) | undefined
  #stopping: Promise<void> | undefined

  constructor(source: XmlWorkerSource, options: XmlWorkerOptions, question: Question, itemsOf: ItemsOf<Item>) {
    this.#source = source
    this.#options = options
    this.#question = question
    this.#items = this.#read(itemsOf)
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

  readonly start = (fail: (reason: unknown) => void): void => {
    this.#fail = fail
    const { signal } = this.#options
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort)
  }

  readonly pull: ItemSource<Item>['pull'] = async (controller) => {
    try {
      const { value: items } = await this.#items.next()
      if (this.#stopping) return
      for (const item of items ?? []) controller.enqueue(item)
      if (items) return
      controller.close()
    } catch (error) {
      if (this.#stopping) return
      // The error does not wait for the source, which may not answer.
      void this.cancel().catch(() => {})
      throw error
    }
    void this.cancel().catch(() => {})
  }

  /** Ends the reading, at whatever point it is, and closes the source. The same promise for all who ask. */
  readonly cancel = (): Promise<void> => {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /** Ends it with an error for who reads. */
  end(reason: unknown): Promise<void> {
    if (!this.#stopping) this.#fail?.(reason)
    return this.cancel()
  }

  readonly #abort = (): void => void this.end(this.#options.signal?.reason).catch(() => {})

  async #stop(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#leaving.abort(new Error('nobody reads any more'))
    if (this.#task) await this.#pool.leave(this.#task)
    this.#pool.close()
    await this.#chunks?.close()
    if (!this.#isOpened && !(this.#source instanceof URL)) await withPatience(closeSource(this.#source))
  }

  /** The worker is started for the first items. */
  async *#read(itemsOf: ItemsOf<Item>): AsyncGenerator<readonly Item[], void, undefined> {
    this.#task = this.#pool.begin(undefined)
    for (;;) {
      const part = await abortable(this.#pool.next(this.#task), this.#leaving.signal)
      if (!part) return
      if (!('batch' in part)) throw this.#restore(part)
      for (const items of itemsOf(part.batch)) {
        yield items
        // Who reads one record after the other waits for nothing else.
        const turn = breathe()
        if (turn) await turn
      }
    }
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

  /** An error of the worker. Its cause is what the source on this page has thrown, not a copy of that. */
  #restore(part: Exclude<ReadingPart, { readonly batch: Batch }>): Error {
    if ('thrown' in part) return Object.assign(part.thrown, part.code !== undefined && { code: part.code })
    const error = XylemError.fromJSON(part.failed)
    const failure = this.#chunks?.failure
    if (failure && error instanceof SourceError)
      Object.defineProperty(error, 'cause', { value: failure.error, configurable: true, writable: true })
    return error
  }
}
