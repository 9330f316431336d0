// The page's side of the worker: one request at a time, the last one. A worker that is busy with an earlier one, or for too long, is ended, and another
// is started.

import { startWorker } from 'worker:./grammar-worker.ts'
import { WorkerReserve } from '../shell/worker-reserve.ts'
import type { GrammarAnswer, GrammarRequest } from './protocol.ts'

/** Milliseconds that a worker may be silent. */
const LONGEST = 5000

/** One to go on with while another is started for the one that was ended. */
export const reserve = new WorkerReserve(startWorker, 2)

export interface RunnerEvents {
  onAnswer(answer: GrammarAnswer): void
  /** The worker was ended, because it took longer than `seconds`. `hasResult`: it had already said what becomes of the input. */
  onTimeout(seconds: number, hasResult: boolean): void
  /** The worker could not be started, or has failed. */
  onFailure(message: string): void
}

export class Runner {
  readonly #events: RunnerEvents
  #worker: Worker | undefined
  #number = 0
  /** Whether the worker cannot hear: it reads a grammar or parses. */
  #isBusy = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(events: RunnerEvents) {
    this.#events = events
  }

  /** Runs a request. Nothing more is heard of the one before. */
  run(request: Omit<GrammarRequest, 'number'>): void {
    if (this.#isBusy) this.#end()
    this.#number++
    this.#isBusy = true
    this.#watch()
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage({ ...request, number: this.#number } satisfies GrammarRequest)
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error))
    }
  }

  #start(): Worker {
    const worker = reserve.take()
    worker.onmessage = ({ data }: MessageEvent<GrammarAnswer>) => this.#hear(data)
    worker.onerror = (event) => {
      event.preventDefault()
      this.#fail(event.message || 'its file could not be loaded')
    }
    return worker
  }

  #hear(answer: GrammarAnswer): void {
    if (answer.number !== this.#number) return
    if (answer.type !== 'rules') this.#isBusy = false
    if (answer.type === 'done') clearTimeout(this.#timer)
    else this.#watch()
    this.#events.onAnswer(answer)
  }

  #watch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const hasResult = !this.#isBusy
      this.#end()
      this.#events.onTimeout(LONGEST / 1000, hasResult)
    }, LONGEST)
  }

  #fail(message: string): void {
    this.#end()
    this.#events.onFailure(message)
  }

  #end(): void {
    clearTimeout(this.#timer)
    if (this.#worker) reserve.end(this.#worker)
    this.#worker = undefined
    this.#isBusy = false
  }
}
