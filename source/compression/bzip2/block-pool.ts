// Decoding blocks on several threads. Groups are given out in order, to the worker with least to do, so that the group that is due next
// is with some worker already. Until workers are ready, groups wait for them, and the group that is due is decoded on this thread: so nothing
// ever waits for a worker that starts slowly, or not at all.

import { startScript } from '../../async/worker-script.ts'
import type { WorkerThread } from '../../async/worker-thread.ts'
import { type BlockEngine, type DecodedGroup, LocalEngine } from './block-engine.ts'
import type { BlockResult, CompressedBlock, MorePieces } from './block-group.ts'
import { BLOCK_SCRIPT } from './block-script.ts'
import type { BlockAnswer, BlockRequest } from './block-worker.ts'

/** Groups in flight for each thread: one that is decoded, one that waits for that, and one that waits to be read. */
const GROUPS_PER_THREAD = 3
/** Of these a worker has at most so many that it has not decoded. */
const MOST_AHEAD = 2

/** A group that a worker has, or is to have. */
interface Job {
  readonly blocks: readonly CompressedBlock[]
  worker: Worker | undefined
  readonly settle: (results: readonly BlockResult[]) => void
  readonly fail: (error: unknown) => void
  /** Those who wait for more of a block. */
  readonly waiting: { resolve: (more: MorePieces) => void; reject: (error: unknown) => void }[]
  /** Whether the worker holds blocks of it that are not complete. */
  isHeld: boolean
}

interface Worker {
  /** Undefined where it has failed. */
  thread: WorkerThread | undefined
  isReady: boolean
  /** Groups that it has not decoded, in order. */
  readonly ahead: Job[]
  /** The group that it holds. */
  held: Job | undefined
}

/**
 * An engine with `threads` workers. When a worker cannot be started or dies, its groups are decoded on this thread. `workerUrl`: where the script of
 * the workers is; without it, the one that comes with the library.
 */
export class PoolEngine implements BlockEngine {
  readonly threads: number
  readonly #workerUrl: string | URL | undefined
  /** Groups that no worker has yet, in order. */
  readonly #unassigned: Job[] = []
  /** Undefined until there is a second group: what is small does not need them, and the first group is not to wait for them. */
  #workers: Worker[] | undefined
  #isFirst = true
  #isBegun = false
  readonly #local = new LocalEngine()

  constructor(threads: number, workerUrl: string | URL | undefined) {
    this.threads = threads
    this.#workerUrl = workerUrl
  }

  /** One until that is decoded: starting workers would hold it up. */
  get groups(): number {
    return this.#isBegun ? this.threads * GROUPS_PER_THREAD : 1
  }

  get groupSize(): number {
    return this.#local.groupSize
  }

  decode(blocks: readonly CompressedBlock[]): DecodedGroup {
    if (this.#isFirst) {
      this.#isFirst = false
      const first = this.#decodeHere(blocks)
      const results = async (): Promise<readonly BlockResult[]> => {
        const decoded = await first.results()
        this.#isBegun = true
        return decoded
      }
      return { ...first, results }
    }
    this.#workers ??= Array.from({ length: this.threads }, () => this.#start())
    return this.#workers.some(({ thread }) => thread) ? this.#decodeThere(blocks) : this.#decodeHere(blocks)
  }

  close(): void {
    for (const { thread } of this.#workers ?? []) thread?.terminate()
  }

  #start(): Worker {
    const worker: Worker = { thread: undefined, isReady: false, ahead: [], held: undefined }
    let failure: Error | undefined
    const thread = startScript(BLOCK_SCRIPT, this.#workerUrl, {
      onReady: () => {
        worker.isReady = true
        this.#assign()
      },
      onMessage: (message) => this.#receive(worker, message as BlockAnswer),
      onError: (error) => {
        failure = error
        this.#lose(worker, error)
      },
    })
    if (!failure) worker.thread = thread
    return worker
  }

  /** Gives groups to the workers that have least to do. */
  #assign(): void {
    while (this.#unassigned.length > 0) {
      const [worker] = (this.#workers ?? [])
        .filter(({ thread, isReady, ahead }) => thread && isReady && ahead.length < MOST_AHEAD)
        .sort((one, two) => one.ahead.length - two.ahead.length)
      const job = worker && this.#unassigned.shift()
      if (!job) return
      job.worker = worker
      worker.ahead.push(job)
      // Bytes are copied, not transferred: if the worker dies they are decoded here.
      this.#post(worker, { blocks: job.blocks })
    }
  }

  #decodeThere(blocks: readonly CompressedBlock[]): DecodedGroup {
    const { promise, resolve, reject } = withResolvers<readonly BlockResult[]>()
    // Whoever gave up does not ask for it.
    promise.catch(() => {})
    const job: Job = { blocks, worker: undefined, settle: resolve, fail: reject, waiting: [], isHeld: false }
    this.#unassigned.push(job)
    this.#assign()
    const here = this.#decodeHere(blocks)
    let isLost = false
    /** How often more was asked for of each block. */
    const taken = new Map<number, number>()
    const settle = (): Promise<readonly BlockResult[]> => {
      isLost = true
      return here.results()
    }
    return {
      // What is due and has no worker is decoded here.
      results: () => (isLost || this.#withdraw(job) ? settle() : promise.catch(settle)),
      more: async (index) => {
        if (isLost) return here.more(index)
        const count = taken.get(index) ?? 0
        taken.set(index, count + 1)
        try {
          return await this.#more(job, index)
        } catch {
          // The worker has died with the rest of it. Here it is decoded anew, up to what was taken.
          await settle()
          for (let i = 0; i < count; i++) await here.more(index)
          return here.more(index)
        }
      },
      release: () => {
        here.release()
        this.#withdraw(job)
        if (!job.isHeld) return
        job.isHeld = false
        if (job.worker) this.#post(job.worker, { release: true })
      },
    }
  }

  /** Whether the group has no worker, and now will not have one. */
  #withdraw(job: Job): boolean {
    const index = this.#unassigned.indexOf(job)
    if (index !== -1) this.#unassigned.splice(index, 1)
    return index !== -1
  }

  /** Decodes when the results are asked for: one group at a time can be held here, and they are asked for in order. */
  #decodeHere(blocks: readonly CompressedBlock[]): DecodedGroup {
    let group: DecodedGroup | undefined
    const begin = (): DecodedGroup => {
      group ??= this.#local.decode(blocks)
      return group
    }
    return {
      results: () => begin().results(),
      more: (index) => begin().more(index),
      release: () => group?.release(),
    }
  }

  #post({ thread, ahead }: Worker, request: BlockRequest): void {
    thread?.keepAlive(ahead.length > 0 || 'more' in request)
    thread?.post(request, [])
  }

  #receive(worker: Worker, answer: BlockAnswer): void {
    if (!('results' in answer)) {
      worker.held?.waiting.shift()?.resolve(answer)
    } else {
      const job = worker.ahead.shift()
      worker.held = job
      if (job) job.isHeld = answer.results.some(({ isComplete }) => !isComplete)
      job?.settle(answer.results)
    }
    worker.thread?.keepAlive(worker.ahead.length > 0)
    this.#assign()
  }

  #more(job: Job, index: number): Promise<MorePieces> {
    const { worker } = job
    return new Promise((resolve, reject) => {
      if (!worker?.thread) return reject(new Error('the worker has ended'))
      job.waiting.push({ resolve, reject })
      this.#post(worker, { more: index })
    })
  }

  #lose(worker: Worker, error: Error): void {
    worker.thread?.terminate()
    worker.thread = undefined
    for (const job of worker.ahead.splice(0)) job.fail(error)
    for (const { reject } of worker.held?.waiting.splice(0) ?? []) reject(error)
  }
}

function withResolvers<Value>(): {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (error: unknown) => void
} {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
