// On the page: a document that a worker reads, batch by batch. Where no worker can be started, this thread reads it.

import { abortable } from '../async/abortable.ts'
import { LazyModule } from '../async/lazy-module.ts'
import { withPatience } from '../async/patience.ts'
import { PromiseQueue } from '../async/promise-queue.ts'
import { startScript } from '../async/worker-script.ts'
import type { WorkerThread } from '../async/worker-thread.ts'
import { SourceError, withCode } from '../stream/errors.ts'
import { type ByteSource, closeSource } from '../stream/sources/source.ts'
import { fromErrorData } from './error-data.ts'
import type { XmlWorkerOptions, XmlWorkerSource } from './options.ts'
import { PostedChunks, packSource } from './posted-source.ts'
import type { Answer, Batch, Question, ReadingOptions, Request } from './protocol.ts'
import { XML_SCRIPT } from './xml-script.ts'

/** Milliseconds that a script has to arrive and to start. */
const MOST_STARTING = 20_000
/** Milliseconds that a worker has to close what it holds. */
const MOST_STOPPING = 1000

const here = new LazyModule(() => import('./reading.ts'))
const http = new LazyModule(() => import('../stream/sources/http.ts'))

/** How it has ended. */
type Outcome = { readonly type: 'end' } | { readonly type: 'failed'; readonly error: unknown }

export class WorkerReading {
  readonly #source: XmlWorkerSource
  readonly #options: XmlWorkerOptions
  readonly #question: Question
  readonly #leaving = new AbortController()
  readonly #changed = new PromiseQueue()
  readonly #arrived: Batch[] = []
  #worker: WorkerThread | undefined
  #chunks: PostedChunks | undefined
  /** What reads on this thread. */
  #batches: AsyncGenerator<Batch, void, undefined> | undefined
  #outcome: Outcome | undefined
  #start: Promise<void> | undefined
  /** Says whether the worker is ready. Undefined once that was said, and where none is starting. */
  #settleStart: ((isReady: boolean) => void) | undefined
  #onStopped: (() => void) | undefined
  /** Whether the worker, or this thread, has the source. */
  #isOpened = false
  #stopping: Promise<void> | undefined

  constructor(source: XmlWorkerSource, options: XmlWorkerOptions, question: Question) {
    this.#source = source
    this.#options = options
    this.#question = question
  }

  /** The next batch; undefined at the end. The worker is started by the first call. */
  async next(): Promise<Batch | undefined> {
    const { signal } = this.#leaving
    this.#start ??= this.#begin()
    await abortable(this.#start, signal)
    if (this.#batches) {
      this.#isOpened = true
      const { value } = await this.#batches.next()
      return value ?? undefined
    }
    this.#worker?.keepAlive(true)
    try {
      while (this.#arrived.length === 0 && !this.#outcome) await this.#changed.wait({ signal })
    } finally {
      this.#worker?.keepAlive(false)
    }
    const batch = this.#arrived.shift()
    if (batch) {
      this.#post({ type: 'more' })
      return batch
    }
    // An error does not wait for a source that is closed because of it.
    void this.#end()
    if (this.#outcome?.type === 'failed') throw this.#outcome.error
    return undefined
  }

  /** Ends the reading, at whatever point it is, and closes the source. The same promise for all who ask. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  get #isStopped(): boolean {
    return this.#leaving.signal.aborted
  }

  async #stop(): Promise<void> {
    this.#leaving.abort(new Error('nobody reads any more'))
    if (this.#batches) await this.#batches.return()
    else if (this.#settleStart) this.#settleStart(false)
    else if (this.#worker && !this.#outcome) await this.#stopWorker()
    await this.#end()
    if (!this.#isOpened && !(this.#source instanceof URL)) await withPatience(closeSource(this.#source))
  }

  /** Resolves when the worker reads, or this thread does. */
  async #begin(): Promise<void> {
    const isReady = await this.#startWorker()
    if (this.#isStopped) return
    if (isReady) return this.#request()
    this.#worker?.terminate()
    this.#worker = undefined
    const source = this.#source instanceof URL ? await this.#fetched(this.#source) : this.#source
    const { readBatches } = await here.load()
    if (this.#isStopped) return
    this.#batches = readBatches(source, this.#readingOptions, this.#question, this.#leaving.signal)
  }

  #startWorker(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isReady: boolean): void => {
        clearTimeout(timer)
        this.#settleStart = undefined
        resolve(isReady)
      }
      const timer = setTimeout(settle, MOST_STARTING, false)
      this.#settleStart = settle
      this.#worker = startScript(XML_SCRIPT, this.#options.workerUrl, {
        onReady: () => settle(true),
        onMessage: (message) => this.#receive(message as Answer),
        onError: (error) => {
          settle(false)
          this.#lose(error)
        },
      })
      this.#worker.keepAlive(true)
    })
  }

  async #fetched(url: URL): Promise<ByteSource> {
    const { HttpSource } = await http.load()
    return new HttpSource(url)
  }

  get #readingOptions(): ReadingOptions {
    const { signal: _signal, workerUrl: _workerUrl, transfer: _transfer, ...options } = this.#options
    return options
  }

  #request(isTransferred = this.#options.transfer ?? false): void {
    this.#isOpened = true
    const request = { type: 'read', options: this.#readingOptions, question: this.#question } as const
    const parcel = packSource(this.#source, isTransferred)
    if (!parcel) {
      this.#chunks = new PostedChunks(
        this.#source as ByteSource,
        (chunk, transfer) => this.#post({ type: 'chunk', chunk }, transfer),
        (message) => this.#post({ type: 'sourceFailed', message }),
      )
    }
    try {
      this.#post({ ...request, source: parcel?.source ?? { type: 'chunks' } }, parcel?.transfer)
    } catch (cause) {
      // Some memory cannot be transferred, such as that of WebAssembly.
      if (parcel && isTransferred) {
        this.#request(false)
        return
      }
      const message = 'the path, the fields or the options have something in them that cannot be sent to a worker'
      this.#lose(withCode(new TypeError(message, { cause }), 'invalid-option'))
    }
  }

  #post(request: Request, transfer: Transferable[] = []): void {
    this.#worker?.post(request, transfer)
  }

  #receive(answer: Answer): void {
    switch (answer.type) {
      case 'batch':
        this.#arrived.push(answer.batch)
        break
      case 'chunk':
        this.#chunks?.answer()
        break
      case 'end':
        this.#outcome = answer
        break
      case 'failed':
        this.#outcome = { type: 'failed', error: this.#restore(fromErrorData(answer.error)) }
        break
      case 'stopped':
        this.#onStopped?.()
    }
    this.#changed.wakeAll()
  }

  /** The error with what the source on this page has thrown as its cause, not a copy of that. */
  #restore(error: Error): Error {
    const failure = this.#chunks?.failure
    if (failure && error instanceof SourceError) {
      Object.defineProperty(error, 'cause', { value: failure.error, configurable: true, writable: true })
    }
    return error
  }

  #lose(error: Error): void {
    this.#outcome ??= { type: 'failed', error }
    this.#onStopped?.()
    this.#changed.wakeAll()
  }

  async #stopWorker(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MOST_STOPPING)
      this.#onStopped = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#post({ type: 'stop' })
    })
  }

  async #end(): Promise<void> {
    this.#worker?.terminate()
    this.#worker = undefined
    await this.#chunks?.close()
  }
}
