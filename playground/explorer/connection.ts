// The connection to the worker: what is sent there, and who hears what comes back.

import { startWorker } from 'worker:./worker/explorer-worker.ts'
import { WorkerReserve } from '../shell/worker-reserve.ts'
import type { ExplorerAnswer, ExplorerRequest, ToldError } from './protocol.ts'

type AnswerOf<Type extends ExplorerAnswer['type']> = Extract<ExplorerAnswer, { type: Type }>
type Listener = (answer: ExplorerAnswer) => void

export const reserve = new WorkerReserve(startWorker)

const FAILED: Omit<ToldError, 'message'> = {
  title: 'The file cannot be read here',
  advice: 'Reload the page. If that does not help, this browser may be too old, or forbid what is needed.',
}

/** Workers that still answer what an earlier connection has asked. */
const closing = new Set<Worker>()

export class Connection {
  readonly #worker = reserve.take()
  readonly #listeners = new Map<string, Set<Listener>>()
  #asked = 0
  #hasFailed = false
  #isClosed = false

  constructor() {
    listen(this.#worker, (answer) => this.#hear(answer))
    // It does not start, or fails by an error that it has not told.
    this.#worker.onerror = ({ message }) => {
      this.#hasFailed = true
      this.#hear({ type: 'error', error: { ...FAILED, message: message || 'the worker does not start' } })
      this.#hear({ type: 'state', state: 'failed' })
    }
  }

  /** After `close` it sends nothing: the worker may be that of another connection then. */
  send(request: ExplorerRequest): void {
    if (!this.#isClosed) this.#worker.postMessage(request)
  }

  /** A number for a question, or for a download. */
  nextNumber(): number {
    return ++this.#asked
  }

  on<Type extends ExplorerAnswer['type']>(type: Type, listener: (answer: AnswerOf<Type>) => void): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners)
    listeners.add(listener as Listener)
  }

  /** Ends all that the worker does. The next connection may have it at once. */
  close(): void {
    const worker = this.#worker
    if (this.#hasFailed) reserve.end(worker)
    else {
      closing.add(worker)
      this.send({ type: 'close' })
      reserve.giveBack(worker)
      listen(worker, () => {})
    }
    this.#isClosed = true
  }

  #hear(answer: ExplorerAnswer): void {
    for (const listener of this.#listeners.get(answer.type) ?? []) listener(answer)
  }
}

/** Hears what a worker answers, from when it has closed what was open before. */
function listen(worker: Worker, onAnswer: Listener): void {
  worker.onmessage = ({ data }: MessageEvent<ExplorerAnswer>) => {
    if (data.type === 'closed') closing.delete(worker)
    else if (!closing.has(worker)) onAnswer(data)
  }
}
