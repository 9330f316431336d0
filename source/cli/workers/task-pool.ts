// Tasks on several threads. What a worker cannot do, for whatever reason, is done on this thread: so errors are those of this thread, and
// nothing depends on workers being to be had.

import { startWorker, type WorkerThread } from '../../async/worker-thread.ts'

/** What a worker is sent: once what all tasks have together, then a task after the other. */
export type TaskMessage<Setup, Task> = { readonly setup: Setup } | { readonly task: Task }

/** What it answers to each task, in their order. */
export type TaskAnswer<Result> = { readonly result: Result } | { readonly failed: true }

/** Tasks that a worker has at most: one that it does, and one that is there when it has done that. */
const TASKS_PER_WORKER = 2

export interface TaskPoolOptions<Setup, Task, Result> {
  /** Workers; with 0 all is done on this thread. */
  readonly threads: number
  /** The module that workers run. */
  readonly worker: URL
  readonly setup: Setup
  /** Does a task on this thread. */
  readonly doHere: (task: Task) => Promise<Result>
  /** Whether the first task is done here: what is small then needs no workers, and what is first does not wait for them. */
  readonly isFirstHere: boolean
}

interface Waiting<Result> {
  readonly settle: (answer: TaskAnswer<Result>) => void
}

interface Worker<Result> {
  thread: WorkerThread | undefined
  readonly waiting: Waiting<Result>[]
}

export class TaskPool<Setup, Task, Result> {
  /** Tasks that are worth having begun. */
  readonly capacity: number
  readonly #options: TaskPoolOptions<Setup, Task, Result>
  #workers: Worker<Result>[] | undefined
  #isFirst: boolean
  #isClosed = false
  #here: Promise<unknown> = Promise.resolve()

  constructor(options: TaskPoolOptions<Setup, Task, Result>) {
    this.#options = options
    this.#isFirst = options.isFirstHere
    this.capacity = Math.max(1, options.threads * TASKS_PER_WORKER)
  }

  /** Does a task, on whichever thread. */
  do(task: Task): Promise<Result> {
    if (this.#isFirst) {
      this.#isFirst = false
      return this.#doHere(task)
    }
    this.#workers ??= Array.from({ length: this.#options.threads }, () => this.#start())
    const [worker] = this.#workers
      .filter(({ thread }) => thread !== undefined)
      .sort((one, two) => one.waiting.length - two.waiting.length)
    return worker ? this.#doThere(worker, task) : this.#doHere(task)
  }

  /** Ends the workers. Tasks that are not done fail. */
  close(): void {
    this.#isClosed = true
    for (const worker of this.#workers ?? []) this.#end(worker)
  }

  #end(worker: Worker<Result>): void {
    worker.thread?.terminate()
    worker.thread = undefined
    for (const { settle } of worker.waiting.splice(0)) settle({ failed: true })
  }

  #start(): Worker<Result> {
    const worker: Worker<Result> = { thread: undefined, waiting: [] }
    const { worker: url, setup } = this.#options
    worker.thread = startWorker(
      url,
      (answer) => worker.waiting.shift()?.settle(answer as TaskAnswer<Result>),
      () => this.#end(worker),
    )
    worker.thread?.post({ setup } satisfies TaskMessage<Setup, Task>, [])
    return worker
  }

  async #doThere(worker: Worker<Result>, task: Task): Promise<Result> {
    const answer = await new Promise<TaskAnswer<Result>>((settle) => {
      worker.waiting.push({ settle })
      worker.thread?.post({ task } satisfies TaskMessage<Setup, Task>, [])
    })
    return 'result' in answer ? answer.result : this.#doHere(task)
  }

  /** One after the other. */
  #doHere(task: Task): Promise<Result> {
    const result = this.#here.then(() => {
      if (this.#isClosed) throw new Error('the pool is closed')
      return this.#options.doHere(task)
    })
    this.#here = result.catch(() => {})
    return result
  }
}
