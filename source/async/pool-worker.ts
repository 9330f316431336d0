// The side of a pool within its workers, in browsers and in Node alike. A worker does its tasks one after the other, and makes no more parts of them than may wait.
//
//     worker   'ready'
//     pool     setup, task, task        what all tasks have together, then as many tasks as a worker may have
//     worker   part, part, end          of the first task; `failed` instead of the end where that cannot be done here
//     pool     taken                    bytes of parts that have been taken, and make room for others
//     pool     left                     the number of a task: nobody wants any more of it, and of those before

import { breathe } from './breathe.ts'
import { builtinModule } from './builtin.ts'
import { PromiseQueue } from './promise-queue.ts'
import { READY } from './worker.ts'

/**
 * Does a task: gives its parts, and undefined between them where it has not waited for a while. On the thread of the pool, `lost` says why no worker has
 * done it.
 */
export type DoTask<Task, Part> = (
  task: Task,
  lost?: Error,
) => AsyncIterable<Part | undefined> | Iterable<Part | undefined>

type PoolMessage<Setup, Task> =
  | { readonly setup: Setup; readonly mostWaiting: number }
  | { readonly task: Task; readonly id: number }
  | { readonly taken: number }
  | { readonly left: number }

export type PoolAnswer<Part> = Arrival<Part> | { readonly end: true } | { readonly failed: true }

/** A part, and what it counts among the bytes that wait. */
export interface Arrival<Part> {
  readonly part: Part
  readonly size: number
}

/** Bytes that a part counts beside its memory: a message takes time and memory as well. */
const LEAST_SIZE = 64 * 1024

/** The views of memory in a part, wherever in it they are, each with the object that has it, and its name there. */
function* viewsIn(part: object): Generator<readonly [Record<string, unknown>, string, Uint8Array], void, undefined> {
  for (const [name, value] of Object.entries(part)) {
    if (ArrayBuffer.isView(value)) yield [part as Record<string, unknown>, name, value as Uint8Array]
    else if (typeof value === 'object' && value !== null) yield* viewsIn(value)
  }
}

/** Bytes of memory in a part. */
export function sizeOf(part: object): number {
  let size = 0
  for (const [, , { byteLength }] of viewsIn(part)) size += byteLength
  return size
}

export function arrive<Part extends object>(part: Part): Arrival<Part> {
  return { part, size: LEAST_SIZE + sizeOf(part) }
}

/** Returns the memory of a part, which need not be copied, but for what has been written last: more may be written there. */
function takeBuffers(part: object): ArrayBuffer[] {
  const views = [...viewsIn(part)]
  const last = views.at(-1)?.[2].buffer
  for (const [owner, name, view] of views)
    if (view.buffer === last && view.byteLength < last.byteLength) owner[name] = view.slice()
  return [...new Set(Array.from(viewsIn(part), ([, , { buffer }]) => buffer as ArrayBuffer))]
}

interface Port<Setup, Task, Part> {
  onmessage: ((event: { data: PoolMessage<Setup, Task> }) => void) | null
  postMessage(answer: PoolAnswer<Part> | typeof READY, transfer: ArrayBuffer[]): void
}

/** Does the tasks that this worker is sent. `open` returns what does them. */
export function serveTasks<Setup, Task, Part extends object>(open: (setup: Setup) => DoTask<Task, Part>): void {
  const threads = builtinModule('node:worker_threads') as { parentPort: unknown } | undefined
  const port = (threads?.parentPort ?? globalThis) as Port<Setup, Task, Part>
  const changed = new PromiseQueue()
  let work: DoTask<Task, Part>
  let before: Promise<void> = Promise.resolve()
  let [waiting, most, left] = [0, 0, -1]
  const postParts = async (task: Task, id: number): Promise<void> => {
    if (id <= left) return
    for await (const part of work(task)) {
      if (part !== undefined) {
        const buffers = takeBuffers(part)
        const arrival = arrive(part)
        waiting += arrival.size
        port.postMessage(arrival, buffers)
      }
      const turn = breathe()
      if (turn) await turn
      while (waiting >= most && id > left) await changed.wait()
      if (id <= left) return
    }
  }
  port.onmessage = ({ data }) => {
    if ('setup' in data) {
      most = data.mostWaiting
      work = open(data.setup)
    } else if ('task' in data) {
      // What fails is done once more by the pool, whose users see why.
      const answer = (): Promise<PoolAnswer<Part>> =>
        postParts(data.task, data.id).then(
          () => ({ end: true }),
          () => ({ failed: true }),
        )
      before = before.then(answer).then((last) => port.postMessage(last, []))
    } else {
      if ('taken' in data) waiting -= data.taken
      else left = data.left
      changed.wakeAll()
    }
  }
  port.postMessage(READY, [])
}
