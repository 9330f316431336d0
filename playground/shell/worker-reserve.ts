// Workers that are started before they are needed. A worker is started by the address of its file: without a connection that works only as long as the
// browser keeps the file, and a server may forbid that, or say nothing of it.

import { whenIdle } from './idle.ts'

/** What every worker posts first. */
export const READY = 'ready'

export class WorkerReserve {
  readonly #start: () => Worker
  readonly #size: number
  /** Those that have nothing to do, and those whose files are loaded. */
  readonly #ready: Worker[] = []
  readonly #starting = new Set<Worker>()

  constructor(start: () => Worker, size = 1) {
    this.#start = start
    this.#size = size
  }

  /** Starts those that are missing when the page is idle. In the page that is one file nothing is loaded. */
  fill(): void {
    if (!IS_ONE_FILE) whenIdle(() => this.#startMissing())
  }

  /** A worker, which is ready if one is there. Its listeners are `onmessage` and `onerror`. It may post {@link READY} first. */
  take(): Worker {
    return this.#ready.pop() ?? this.#start()
  }

  /** Takes back a worker that has nothing to do any more. */
  giveBack(worker: Worker): void {
    worker.onmessage = null
    worker.onerror = null
    if (this.#ready.length < this.#size) this.#ready.push(worker)
    else worker.terminate()
  }

  /** Ends a worker, and starts another one for it. */
  end(worker: Worker): void {
    worker.terminate()
    this.fill()
  }

  #startMissing(): void {
    while (this.#ready.length + this.#starting.size < this.#size) {
      const worker = this.#start()
      this.#starting.add(worker)
      worker.onmessage = () => {
        this.#starting.delete(worker)
        this.giveBack(worker)
      }
      worker.onerror = (event) => {
        event.preventDefault()
        this.#starting.delete(worker)
      }
    }
  }
}
