// The side of a worker within the worker: what it hears, and how it answers. The same in browsers and in Node.

import { builtinModule } from './builtin.ts'
import type { READY } from './worker-script.ts'

export interface WorkerPort<Request, Answer> {
  onmessage: ((event: { data: Request }) => void) | null
  postMessage(answer: Answer | typeof READY, transfer: ArrayBuffer[]): void
}

/** The port of the worker that runs this. */
export function findPort<Request, Answer>(): WorkerPort<Request, Answer> {
  const threads = builtinModule('node:worker_threads') as { parentPort: unknown } | undefined
  return (threads?.parentPort ?? globalThis) as WorkerPort<Request, Answer>
}
