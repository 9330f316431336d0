// Tasks on several threads. What a worker cannot do, for whatever reason, is done on this thread: so errors are those of this thread, and
// nothing depends on workers being to be had.

import { abortable } from '../../async/abortable.ts'
import { startWorker, type WorkerThread } from '../../async/worker-thread.ts'

/** What a worker is sent: once what all tasks have together, then a task after the other. */
export type TaskMessage<Setup, Task> = { readonly setup: Setup } | { readonly task: Task }

/** What it answers to each task, in their order. */
export type TaskAnswer<Result> = { readonly result: Result } | { readonly failed: true }

/** Tasks that a worker has at most: one that it does, and one that is there when it has done that. */
const TASKS_PER_WORKER = 2
/** Tasks that are begun for each thread: a thread that is free must find one. */
const BEGUN_PER_THREAD = 2

export interface TaskPoolOptions<Setup, Task, Result> {
  /** Workers; with 0 all is done on this thread. */
  readonly threads: number
  /** Whether this thread does tasks as well: it has loaded what they need, and no result of its own is copied. */
  readonly helps?: boolean
  /** The module that workers run. */
  readonly worker: URL
  readonly setup: Setup
  /** Returns what does tasks on this thread. */
  readonly open: (setup: Setup) => (task: Task) => Promise<Result>
}

interface Worker<Result> {
  thread: WorkerThread | undefined
  /** Called with the answers to its tasks, in their order. */
  readonly waiting: ((answer: TaskAnswer<Result>) => void)[]
}

export class TaskPool<Setup, Task, Result> {
  readonly #options: TaskPoolOptions<Setup, Task, Result>
  #workers: Worker<Result>[] | undefined
  #isClosed = false
  #doTask: ((task: Task) => Promise<Result>) | undefined
  #here: Promise<unknown> = Promise.resolve()
  /** Tasks that wait for this thread. */
  #busyHere = 0
  /** Starts each of the tasks that no thread has yet, on a thread that is free. */
  readonly #queue: ((worker: Worker<Result> | undefined) => void)[] = []

  constructor(options: TaskPoolOptions<Setup, Task, Result>) {
    this.#options = options
  }

  /**
   * Does tasks, and yields each with its result, in their order. No more are begun than keep the threads busy, so few results wait for an
   * earlier one. Throws what a task throws on this thread, and the reason of the signal.
   */
  async *inOrder(
    tasks: readonly Task[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [Task, Result], void, undefined> {
    const begun: Promise<Result>[] = []
    const { threads, helps } = this.#options
    const most = Math.max(1, BEGUN_PER_THREAD * (threads + (helps ? 1 : 0)))
    for (const [i, task] of tasks.entries()) {
      for (const next of tasks.slice(i + begun.length, i + most)) begun.push(quiet(this.do(next)))
      yield [task, await abortable(begun.shift() as Promise<Result>, signal)]
    }
  }

  /** Does a task, on the thread that is free first. */
  do(task: Task): Promise<Result> {
    this.#workers ??= Array.from({ length: this.#options.threads }, () => this.#start())
    return new Promise((settle) => {
      this.#queue.push((worker) => settle(worker ? this.#doThere(worker, task) : this.#doHere(task)))
      this.#dispatch()
    })
  }

  /** Gives tasks that wait to threads that are free: to this one last, because it has other work as well. */
  #dispatch(): void {
    while (this.#queue.length > 0) {
      const workers = (this.#workers ?? []).filter(({ thread }) => thread !== undefined)
      const [least] = workers.sort((one, two) => one.waiting.length - two.waiting.length)
      const isFreeHere = this.#busyHere === 0 && (this.#options.helps || workers.length === 0)
      // A worker that has nothing to do comes first, then this thread, then one that will have nothing to do soon.
      const isFree = (count: number) => least !== undefined && least.waiting.length < count
      if (isFree(1)) this.#queue.shift()?.(least)
      else if (isFreeHere) this.#queue.shift()?.(undefined)
      else if (isFree(TASKS_PER_WORKER)) this.#queue.shift()?.(least)
      else return
    }
  }

  /** Ends the workers. Tasks that are not done fail. */
  close(): void {
    this.#isClosed = true
    for (const worker of this.#workers ?? []) this.#end(worker)
  }

  #end(worker: Worker<Result>): void {
    worker.thread?.terminate()
    worker.thread = undefined
    for (const settle of worker.waiting.splice(0)) settle({ failed: true })
    this.#dispatch()
  }

  #start(): Worker<Result> {
    const worker: Worker<Result> = { thread: undefined, waiting: [] }
    const { worker: url, setup } = this.#options
    worker.thread = startWorker(
      url,
      (answer) => {
        worker.waiting.shift()?.(answer as TaskAnswer<Result>)
        this.#dispatch()
      },
      () => this.#end(worker),
    )
    worker.thread?.post({ setup } satisfies TaskMessage<Setup, Task>, [])
    return worker
  }

  async #doThere(worker: Worker<Result>, task: Task): Promise<Result> {
    const answer = await new Promise<TaskAnswer<Result>>((settle) => {
      worker.waiting.push(settle)
      worker.thread?.post({ task } satisfies TaskMessage<Setup, Task>, [])
    })
    return 'result' in answer ? answer.result : this.#doHere(task)
  }

  /** One after the other. */
  #doHere(task: Task): Promise<Result> {
    this.#busyHere++
    const result = this.#here.then(() => {
      if (this.#isClosed) throw new Error('the pool is closed')
      this.#doTask ??= this.#options.open(this.#options.setup)
      return this.#doTask(task)
    })
    const leave = () => {
      this.#busyHere--
      this.#dispatch()
    }
    this.#here = result.then(leave, leave)
    return result
  }
}

/** A promise whose rejection does not count as unhandled before it is awaited. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
