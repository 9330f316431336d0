// Tasks on several threads. Their results come in parts and in the order of the tasks, and of what is made before somebody takes it only so many bytes wait.
// What no worker has done, for whatever reason, is done on this thread: so errors are those of this thread, and nothing depends on workers being to be had.

import { breathe } from './breathe.ts'
import { type Arrival, arrive, type DoTask, type PoolAnswer } from './pool-worker.ts'
import { PromiseQueue } from './promise-queue.ts'
import { abortable } from './waiting.ts'
import { startWorker, type WorkerScript, type WorkerThread } from './worker.ts'

/** Tasks that a worker has at most: one that it does, and one that is there when it has done that. */
const TASKS_PER_WORKER = 2
/** Tasks that are begun for each thread: a thread that is free must find one. */
const BEGUN_PER_THREAD = 2

export interface PoolOptions<Setup, Task, Part> {
  readonly script: WorkerScript
  /** Where a copy of the script is. */
  readonly workerUrl?: string | URL | undefined
  /** Workers, which are started for the first task; with 0 all is done on this thread. */
  readonly threads: number
  /**
   * Which tasks this thread does although there are workers: one at a time when it is free, or what is wanted and has no worker yet. It has loaded what they
   * need, and no result of its own is copied.
   */
  readonly helps?: 'free' | 'due'
  /** Bytes of results of a worker that wait, about: it makes no more before some are taken. */
  readonly mostWaiting: number
  readonly setup: Setup
  /** Returns what does tasks on this thread. */
  readonly open: (setup: Setup) => DoTask<Task, Part>
  /** What a worker is sent of a task, if that is not the task itself. */
  readonly pack?: (task: Task) => { readonly message: unknown; readonly transfer: Transferable[] }
}

/** A task, and what has come of it. */
export class PooledTask<Task, Part> {
  readonly id: number
  readonly task: Task
  readonly arrived: Arrival<Part>[] = []
  /** The worker that has it, or has had it, and why none does it. */
  worker: PoolWorker<Task, Part> | undefined
  lost: Error | undefined
  /** What does it on this thread, the part that is being made there, and what it has thrown. */
  here: AsyncGenerator<Part | undefined, void, undefined> | undefined
  filling: Promise<void> | undefined
  failure: { readonly error: unknown } | undefined
  /** Parts that have been taken, and those that come once more because it is done anew. */
  taken = 0
  repeated = 0
  isDue = false
  isLeft = false
  /** Whether nothing more arrives. */
  isOver = false

  constructor(id: number, task: Task) {
    this.id = id
    this.task = task
  }

  get waitingBytes(): number {
    return this.arrived.reduce((sum, { size }) => sum + size, 0)
  }
}

interface PoolWorker<Task, Part> {
  readonly thread: WorkerThread
  isReady: boolean
  /** What it has not ended, in order. */
  readonly tasks: PooledTask<Task, Part>[]
}

/** Tasks are to be taken, or left, in the order in which they were begun. */
export class Pool<Setup, Task, Part extends object> {
  readonly #options: PoolOptions<Setup, Task, Part>
  /** Those that have not failed. */
  readonly #workers = new Set<PoolWorker<Task, Part>>()
  /** What no thread has yet, in order. */
  readonly #queue: PooledTask<Task, Part>[] = []
  readonly #changed = new PromiseQueue()
  #doTask: DoTask<Task, Part> | undefined
  /** What this thread does. */
  readonly #here = new Set<PooledTask<Task, Part>>()
  #begun = 0
  #isStarted = false
  #isClosed = false

  constructor(options: PoolOptions<Setup, Task, Part>) {
    this.#options = options
  }

  /** Begins a task, on the thread that is free first. */
  begin(given: Task): PooledTask<Task, Part> {
    if (!this.#isStarted) for (let i = 0; i < this.#options.threads; i++) this.#start()
    this.#isStarted = true
    const task = new PooledTask<Task, Part>(this.#begun++, given)
    this.#queue.push(task)
    this.#dispatch()
    return task
  }

  /** Begins a task on this thread, whatever its turn is. */
  beginHere(given: Task): PooledTask<Task, Part> {
    const task = new PooledTask<Task, Part>(this.#begun++, given)
    this.#beginHere(task)
    return task
  }

  /** The next part of a task; undefined at the end. Throws what it throws on this thread. */
  async next(task: PooledTask<Task, Part>): Promise<Part | undefined> {
    task.isDue = true
    for (;;) {
      const arrival = task.arrived.shift()
      if (arrival) {
        task.taken++
        task.worker?.thread.post({ taken: arrival.size })
        return arrival.part
      }
      if (task.failure) throw task.failure.error
      if (task.isOver) return undefined
      if (this.#isClosed) throw new Error('the pool is closed')
      this.#dispatch()
      if (task.lost && !task.here) this.#beginHere(task)
      if (task.here) await this.#fill(task)
      else await this.#wait()
    }
  }

  /** All parts of a task that are not taken yet. */
  async rest(task: PooledTask<Task, Part>): Promise<Part[]> {
    const parts: Part[] = []
    for (let part = await this.next(task); part !== undefined; part = await this.next(task)) parts.push(part)
    return parts
  }

  /** Says that no more of a task is wanted. */
  async leave(task: PooledTask<Task, Part>): Promise<void> {
    const { worker, waitingBytes, id, isOver, here } = task
    task.isLeft = true
    task.arrived.length = 0
    if (this.#queue.includes(task)) this.#queue.splice(this.#queue.indexOf(task), 1)
    if (waitingBytes > 0) worker?.thread.post({ taken: waitingBytes })
    if (isOver) return
    worker?.thread.post({ left: id })
    this.#end(task)
    await here?.return()
  }

  /**
   * Does tasks, and yields each with all of its parts. No more are begun than keep the threads busy, so few results wait for an earlier one. Throws what a
   * task throws on this thread, and the reason of the signal.
   */
  async *inOrder(
    tasks: readonly Task[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [Task, Part[]], void, undefined> {
    const { threads, helps } = this.#options
    const most = Math.max(1, BEGUN_PER_THREAD * (threads + (helps ? 1 : 0)))
    const begun: PooledTask<Task, Part>[] = []
    for (const [i, task] of tasks.entries()) {
      for (const next of tasks.slice(i + begun.length, i + most)) begun.push(this.begin(next))
      yield [task, await abortable(this.rest(begun.shift() as PooledTask<Task, Part>), signal)]
    }
  }

  /** Ends the workers. Whoever waits for parts gets an error. */
  close(): void {
    this.#isClosed = true
    for (const { thread } of this.#workers) thread.terminate()
    this.#workers.clear()
    for (const { here } of this.#here) here?.return().catch(() => {})
    this.#changed.wakeAll()
  }

  #start(): void {
    const { script, workerUrl, setup, mostWaiting } = this.#options
    const thread = startWorker(script, workerUrl, {
      onReady: () => {
        thread.post({ setup, mostWaiting })
        worker.isReady = true
        this.#dispatch()
      },
      onMessage: (message) => this.#receive(worker, message as PoolAnswer<Part>),
      onError: (error) => this.#lose(worker, error),
    })
    const worker: PoolWorker<Task, Part> = { thread, isReady: false, tasks: [] }
    this.#workers.add(worker)
  }

  /** Gives what waits to threads that are free. */
  #dispatch(): void {
    for (let task = this.#queue[0]; task; task = this.#queue[0]) {
      const [least] = [...this.#workers]
        .filter(({ isReady, tasks }) => isReady && tasks.length < TASKS_PER_WORKER)
        .sort((one, other) => one.tasks.length - other.tasks.length)
      // A worker that has nothing to do comes first, then this thread, then a worker that will have nothing to do soon.
      const isForHere = least?.tasks.length !== 0 && this.#isForHere(task)
      if (!isForHere && !least) return
      this.#queue.shift()
      if (!isForHere) this.#give(task, least as PoolWorker<Task, Part>)
      else if (task.isDue) this.#beginHere(task)
      else void this.#help(task)
    }
  }

  #isForHere({ isDue }: PooledTask<Task, Part>): boolean {
    const { helps } = this.#options
    if (isDue) return helps !== undefined || this.#workers.size === 0
    return helps === 'free' && this.#here.size === 0
  }

  #give(task: PooledTask<Task, Part>, worker: PoolWorker<Task, Part>): void {
    try {
      const { message = task.task, transfer } = this.#options.pack?.(task.task) ?? {}
      worker.thread.post({ task: message, id: task.id }, transfer)
      task.worker = worker
      worker.tasks.push(task)
    } catch (error) {
      task.lost = error as Error
      this.#changed.wakeAll()
    }
  }

  #receive(worker: PoolWorker<Task, Part>, answer: PoolAnswer<Part>): void {
    const task = worker.tasks[0] as PooledTask<Task, Part>
    if ('part' in answer) {
      if (task.isLeft) worker.thread.post({ taken: answer.size })
      else task.arrived.push(answer)
    } else {
      worker.tasks.shift()
      if ('end' in answer) task.isOver = true
      else task.lost = new Error('the worker could not do it')
      this.#dispatch()
    }
    this.#changed.wakeAll()
  }

  #lose(worker: PoolWorker<Task, Part>, error: Error): void {
    this.#workers.delete(worker)
    for (const task of worker.tasks) task.lost = error
    this.#dispatch()
    this.#changed.wakeAll()
  }

  /** Waits until a worker has sent something, is ready, or is lost. */
  async #wait(): Promise<void> {
    for (const { thread } of this.#workers) thread.keepAlive(true)
    await this.#changed.wait()
    for (const { thread } of this.#workers) thread.keepAlive(this.#changed.size > 0)
  }

  #beginHere(task: PooledTask<Task, Part>): void {
    this.#doTask ??= this.#options.open(this.#options.setup)
    const parts = this.#doTask(task.task, task.lost)
    task.repeated = task.taken + task.arrived.length
    task.here = (async function* () {
      yield* parts
    })()
    this.#here.add(task)
  }

  /** Does a task on this thread before it is wanted, as far as its parts may wait. */
  async #help(task: PooledTask<Task, Part>): Promise<void> {
    this.#beginHere(task)
    while (!task.isOver && !this.#isClosed && task.waitingBytes < this.#options.mostWaiting) await this.#fill(task)
  }

  /** Makes one more part on this thread, for all who wait for it. */
  #fill(task: PooledTask<Task, Part>): Promise<void> {
    task.filling ??= this.#advance(task).finally(() => {
      task.filling = undefined
    })
    return task.filling
  }

  async #advance(task: PooledTask<Task, Part>): Promise<void> {
    try {
      const { done, value } = await (task.here as AsyncGenerator<Part | undefined, void, undefined>).next()
      if (done) this.#end(task)
      else if (value !== undefined && task.repeated-- <= 0) task.arrived.push(arrive(value))
    } catch (error) {
      task.failure = { error }
      this.#end(task)
    }
    const turn = breathe()
    if (turn) await turn
  }

  #end(task: PooledTask<Task, Part>): void {
    task.isOver = true
    if (this.#here.delete(task)) this.#dispatch()
  }
}
