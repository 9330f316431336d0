// A worker, in browsers and in Node alike: what messages it gets, what it answers, and that it has failed.

import { builtinModule } from './builtin.ts'

/** What is used of a web worker. */
interface WebWorker {
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: { message?: string; preventDefault?(): void }) => void) | null
  /** A message has arrived that cannot be had here. */
  onmessageerror: (() => void) | null
  postMessage(message: unknown, transfer: Transferable[]): void
  terminate(): void
}

/** What is used of a worker of Node's. */
interface NodeWorker {
  on(event: 'message', listener: (message: unknown) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'exit', listener: () => void): void
  postMessage(message: unknown, transfer: Transferable[]): void
  terminate(): unknown
  ref(): void
  unref(): void
}

export interface WorkerThread {
  post(message: unknown, transfer: Transferable[]): void
  terminate(): void
  /** Whether the process is to stay for it: while it has something to answer. */
  keepAlive(isNeeded: boolean): void
}

interface NodeThreads {
  Worker: new (url: string | URL) => NodeWorker
}

interface Runtime {
  process?: { versions?: { node?: string } }
  Worker?: new (url: string | URL, options: { type: 'module' }) => WebWorker
}

/**
 * Starts a worker from a module.
 *
 * Returns undefined where there are no workers. `onError` is called for a worker that cannot be started.
 */
export function startWorker(
  url: string | URL,
  onMessage: (message: unknown) => void,
  onError: (error: Error) => void,
): WorkerThread | undefined {
  const { process, Worker } = globalThis as Runtime
  const threads = process?.versions?.node
    ? (builtinModule('node:worker_threads') as NodeThreads | undefined)
    : undefined
  try {
    if (threads) return startNodeWorker(new threads.Worker(fileOf(url)), onMessage, onError)
    if (Worker) return startWebWorker(new Worker(url, { type: 'module' }), onMessage, onError)
  } catch {
    // Refused, by a content security policy for one.
  }
  return undefined
}

/** Node takes a string as a path, and no URL as a string. */
function fileOf(url: string | URL): string | URL {
  return typeof url === 'string' && /^(file|data):/.test(url) ? new URL(url) : url
}

function startNodeWorker(
  worker: NodeWorker,
  onMessage: (message: unknown) => void,
  onError: (error: Error) => void,
): WorkerThread {
  worker.on('message', onMessage)
  worker.on('error', onError)
  worker.on('exit', () => onError(new Error('the worker has ended')))
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => void worker.terminate(),
    keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
  }
}

function startWebWorker(
  worker: WebWorker,
  onMessage: (message: unknown) => void,
  onError: (error: Error) => void,
): WorkerThread {
  worker.onmessage = ({ data }) => onMessage(data)
  worker.onerror = (event) => {
    event.preventDefault?.()
    onError(new Error(event.message ?? 'the worker could not be started'))
  }
  worker.onmessageerror = () => onError(new Error('a message of the worker could not be read'))
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
    keepAlive() {},
  }
}
