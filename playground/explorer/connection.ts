// The connection to the worker: what is sent there, and who hears what comes back.

import { startWorker } from 'worker:./worker/explorer-worker.ts'
import type { ExplorerAnswer, ExplorerRequest } from './protocol.ts'

type AnswerOf<Type extends ExplorerAnswer['type']> = Extract<ExplorerAnswer, { type: Type }>
type Listener = (answer: ExplorerAnswer) => void

export class Connection {
  readonly #worker = startWorker()
  readonly #listeners = new Map<string, Set<Listener>>()
  #asked = 0

  /** `onFailure` is called if the worker does not start, or fails by an error that is not told otherwise. */
  constructor(onFailure: (message: string) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<ExplorerAnswer>) => {
      for (const listener of this.#listeners.get(data.type) ?? []) listener(data)
    })
    this.#worker.addEventListener('error', ({ message }) => onFailure(message || 'the worker does not start'))
  }

  send(request: ExplorerRequest): void {
    this.#worker.postMessage(request)
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

  close(): void {
    this.#worker.terminate()
  }
}
