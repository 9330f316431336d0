// Starting workers, in browsers and in Node alike.

import { builtinModule } from './builtin.ts'

/** What the script of a worker posts first: only then it is given something to do. */
export const READY = 'ready'

/** Milliseconds that a script has to arrive and to start. */
const MOST_STARTING = 20_000

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
  /** The worker can be given something to do. */
  onReady(): void
  onMessage(message: unknown): void
  /** It could not be started, or has failed. Called once at the most, and never before `startWorker` returns. */
  onError(error: Error): void
}

/** A worker that was started, or is being started. */
export interface WorkerThread {
  post(message: unknown, transfer?: Transferable[]): void
  terminate(): void
  /** Whether the process is to stay for it: while somebody waits for its answers. */
  keepAlive(isNeeded: boolean): void
}

/** What workers of Node have beside what those of browsers have, and instead of listeners that are fields. */
interface NodeWorker {
  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void
  ref(): void
  unref(): void
}

type AnyWorker = Pick<Worker, 'postMessage' | 'terminate'> & Partial<NodeWorker>

interface NodeThreads {
  Worker: new (url: string | URL) => AnyWorker & NodeWorker
}

/** Starts a worker from a script, or from the address of that script. Post nothing before it is ready. */
export function startWorker(
  script: WorkerScript,
  workerUrl: string | URL | undefined,
  { onReady, onMessage, onError }: WorkerListener,
): WorkerThread {
  let thread: AnyWorker | undefined
  let [isReady, isOver, isNeeded] = [false, false, false]
  let release: (() => void) | undefined
  const settle = (): void => {
    clearTimeout(timer)
    release?.()
    release = undefined
  }
  const terminate = (): void => {
    isOver = true
    settle()
    thread?.terminate()
  }
  const fail = (error: Error): void => {
    if (isOver) return
    terminate()
    onError(error)
  }
  const receive = (message: unknown): void => {
    if (isOver) return
    if (isReady) {
      onMessage(message)
    } else if (message === READY) {
      isReady = true
      settle()
      onReady()
    } else {
      fail(new Error('the script is not that of a worker of xylem'))
    }
  }
  const begin = async (): Promise<void> => {
    let url = workerUrl ?? script.file
    if (url === undefined) {
      const text = await script.load?.()
      if (isOver) return
      if (text === undefined) throw new Error('workers are not available here')
      const blob = takeBlobUrl(text)
      url = blob.url
      release = blob.release
    }
    thread = startThread(url, receive, fail)
    keepAlive(isNeeded)
  }
  const keepAlive = (value: boolean): void => {
    isNeeded = value
    if (value) thread?.ref?.()
    else thread?.unref?.()
  }
  const timer = setTimeout(() => fail(new Error('the worker does not start')), MOST_STARTING)
  // In browsers, it is a number.
  ;(timer as { unref?(): void }).unref?.()
  begin().catch(fail)
  return { post: (message, transfer = []) => thread?.postMessage(message, transfer), terminate, keepAlive }
}

/** Throws where there are no workers, and what refuses to start one, such as a content security policy. */
function startThread(
  url: string | URL,
  onMessage: (message: unknown) => void,
  onError: (error: Error) => void,
): AnyWorker {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  const threads = process?.versions?.node && (builtinModule('node:worker_threads') as NodeThreads | undefined)
  if (threads) {
    // Node takes a string as a path, and no URL as a string.
    const worker = new threads.Worker(typeof url === 'string' && /^(file|data):/.test(url) ? new URL(url) : url)
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', () => onError(new Error('the worker has ended')))
    return worker
  }
  const worker = new Worker(url, { type: 'module' })
  worker.onmessage = ({ data }) => onMessage(data)
  worker.onerror = (event) => {
    event.preventDefault?.()
    onError(new Error(event.message ?? 'the worker could not be started'))
  }
  worker.onmessageerror = () => onError(new Error('a message of the worker could not be read'))
  return worker
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
