// Decoding blocks on several threads. Groups are given out in order, to the worker with least to do, so that the group that is due next
// is always with some worker already.

import { startWorker, type WorkerThread } from '../async/worker-thread.ts'
import { type BlockEngine, type DecodedGroup, LocalEngine } from './block-engine.ts'
import type { BlockResult, CompressedBlock, MorePieces } from './block-group.ts'
import type { BlockAnswer, BlockRequest } from './block-worker.ts'

/** Groups in flight for each thread: one that is decoded, one that waits for that, and one that waits to be read. */
const GROUPS_PER_THREAD = 3

/** A group that a worker has. */
interface Job {
  readonly settle: (results: readonly BlockResult[]) => void
  readonly fail: (error: unknown) => void
  /** Those who wait for more of a block. */
  readonly waiting: { resolve: (more: MorePieces) => void; reject: (error: unknown) => void }[]
  /** Whether the worker holds blocks of it that are not complete. */
  isHeld: boolean
}

interface Worker {
  thread: WorkerThread | undefined
  /** Groups that it has not decoded, in order. */
  readonly ahead: Job[]
  /** The group that it holds. */
  held: Job | undefined
}

/**
 * An engine with `threads` workers, or one on this thread where workers are not to be had. When a worker cannot be started or dies, its
 * groups are decoded on this thread.
 */
export function makeEngine(threads: number): BlockEngine {
  return threads > 1 ? new PoolEngine(threads) : new LocalEngine()
}

class PoolEngine implements BlockEngine {
  readonly threads: number
  /** Undefined until there is a second group: what is small does not need them, and the first group is not to wait for them. */
  #workers: Worker[] | undefined
  #isFirst = true
  #isBegun = false
  readonly #local = new LocalEngine()

  constructor(threads: number) {
    this.threads = threads
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
    const [worker] = this.#workers
      .filter(({ thread }) => thread !== undefined)
      .sort((one, two) => one.ahead.length - two.ahead.length)
    return worker ? this.#decodeThere(worker, blocks) : this.#decodeHere(blocks)
  }

  close(): void {
    for (const { thread } of this.#workers ?? []) thread?.terminate()
  }

  #start(): Worker {
    const worker: Worker = { thread: undefined, ahead: [], held: undefined }
    worker.thread = startWorker(
      new URL('./block-worker.js', import.meta.url),
      (message) => this.#receive(worker, message as BlockAnswer),
      (error) => this.#lose(worker, error),
    )
    worker.thread?.keepAlive(false)
    return worker
  }

  #decodeThere(worker: Worker, blocks: readonly CompressedBlock[]): DecodedGroup {
    const { promise, resolve, reject } = withResolvers<readonly BlockResult[]>()
    // Whoever gave up does not ask for it.
    promise.catch(() => {})
    const job: Job = { settle: resolve, fail: reject, waiting: [], isHeld: false }
    worker.ahead.push(job)
    // Bytes are copied, not transferred: if the worker dies they are decoded here.
    this.#post(worker, { blocks })
    const here = this.#decodeHere(blocks)
    let isLost = false
    const settle = (): Promise<readonly BlockResult[]> => {
      isLost = true
      return here.results()
    }
    return {
      results: () => promise.catch(settle),
      more: (index) => (isLost ? here.more(index) : this.#more(worker, job, index)),
      release: () => {
        here.release()
        if (!job.isHeld) return
        job.isHeld = false
        this.#post(worker, { release: true })
      },
    }
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
  }

  #more(worker: Worker, job: Job, index: number): Promise<MorePieces> {
    return new Promise((resolve, reject) => {
      job.waiting.push({ resolve, reject })
      this.#post(worker, { more: index })
    })
  }

  #lose(worker: Worker, error: Error): void {
    worker.thread?.terminate()
    worker.thread = undefined
    for (const job of worker.ahead.splice(0)) job.fail(error)
    for (const { reject } of worker.held?.waiting ?? []) reject(error)
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
