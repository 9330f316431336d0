// Scripts that run in workers, and workers that were started from them and have said that they are there.

import { startWorker, type WorkerThread } from './worker-thread.ts'

/** What the script of a worker posts first: only then it is given something to do. */
export const READY = 'ready'

/**
 * Where the script of a worker is. Builds for browsers replace the modules that say this: there it is the text, in a module of its own, because a bundler
 * would not find the file.
 */
export interface WorkerScript {
  /** The file beside the module that was built; undefined where that is not known. */
  readonly file?: URL | undefined
  readonly load?: () => Promise<string>
}

export interface WorkerListener {
  /** The worker is there. */
  onReady(): void
  onMessage(message: unknown): void
  /** It could not be started, or has failed. Called once at the most. */
  onError(error: Error): void
}

/**
 * Starts a worker from a script, or from the address of that script. Post nothing before it is ready. What cannot be started is reported like a failure, and
 * perhaps at once.
 */
export function startScript(
  script: WorkerScript,
  workerUrl: string | URL | undefined,
  listener: WorkerListener,
): WorkerThread {
  const starting = new StartingWorker(listener)
  try {
    const url = workerUrl ?? script.file
    if (url !== undefined) starting.start(url)
    else if (script.load) void starting.startFromText(script.load)
    else starting.fail(new Error('workers are not available here'))
  } catch (error) {
    starting.fail(error as Error)
  }
  return starting
}

class StartingWorker implements WorkerThread {
  readonly #listener: WorkerListener
  #worker: WorkerThread | undefined
  #isReady = false
  #isOver = false
  #isNeeded = false
  #release: (() => void) | undefined

  constructor(listener: WorkerListener) {
    this.#listener = listener
  }

  start(url: string | URL): void {
    this.#worker = startWorker(
      url,
      (message) => this.#receive(message),
      (error) => this.fail(error),
    )
    if (this.#worker) this.#worker.keepAlive(this.#isNeeded)
    else this.fail(new Error('the worker was refused'))
  }

  async startFromText(load: () => Promise<string>): Promise<void> {
    try {
      const text = await load()
      if (this.#isOver) return
      const { url, release } = takeBlobUrl(text)
      this.#release = release
      this.start(url)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  post(message: unknown, transfer: Transferable[]): void {
    this.#worker?.post(message, transfer)
  }

  terminate(): void {
    this.#isOver = true
    this.#releaseUrl()
    this.#worker?.terminate()
  }

  keepAlive(isNeeded: boolean): void {
    this.#isNeeded = isNeeded
    this.#worker?.keepAlive(isNeeded)
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.terminate()
    this.#listener.onError(error)
  }

  #receive(message: unknown): void {
    if (this.#isOver) return
    if (this.#isReady) {
      this.#listener.onMessage(message)
      return
    }
    if (message !== READY) {
      this.fail(new Error('the script is not that of a worker of xylem'))
      return
    }
    this.#isReady = true
    this.#releaseUrl()
    this.#listener.onReady()
  }

  #releaseUrl(): void {
    this.#release?.()
    this.#release = undefined
  }
}

/** The URLs of scripts from which workers are starting, and how many these are. */
const blobUrls = new Map<string, { readonly url: string; starting: number }>()

/** The one URL of a script. It is revoked when no worker is starting from it any more. */
function takeBlobUrl(text: string): { url: string; release: () => void } {
  const known = blobUrls.get(text)
  const entry = known ?? { url: URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), starting: 0 }
  if (!known) blobUrls.set(text, entry)
  entry.starting++
  const release = (): void => {
    entry.starting--
    if (entry.starting > 0) return
    blobUrls.delete(text)
    URL.revokeObjectURL(entry.url)
  }
  return { url: entry.url, release }
}
