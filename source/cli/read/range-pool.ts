// Ranges of files on several threads: what these do, and where their script is.

import { Pool } from '../../async/pool.ts'
import { type DoTask, sizeOf } from '../../async/pool-worker.ts'

/** What ranges are read for. */
const MODULES = {
  batches: () => import('./range-batches.ts'),
  parts: () => import('../plan/range-task.ts'),
}

/** What all ranges of a pool have together: plain data, of which each module knows its own. */
export interface RangeSetup {
  readonly kind: keyof typeof MODULES
}

/** Bytes of results of a worker that wait for those of ranges before. */
const MOST_WAITING = 8 * 1024 * 1024
/** Bytes of results that are sent together: of these, little is copied. */
const PIECE = 2 * 1024 * 1024

export interface RangePoolOptions {
  readonly threads: number
  readonly signal: AbortSignal
  /** Whether this thread reads ranges as well when it is free. */
  readonly helps?: boolean
}

/** The parts of a range come in arrays. */
export function makeRangePool<Task, Part extends object>(
  setup: RangeSetup,
  { threads, signal, helps = false }: RangePoolOptions,
): Pool<RangeSetup, Task, Part[]> {
  return new Pool({
    script: { file: new URL('./cli-worker.js', import.meta.url) },
    threads,
    ...(helps && { helps: 'free' }),
    mostWaiting: MOST_WAITING,
    setup,
    open: () => openRanges(setup, signal),
  })
}

/** Returns what reads ranges. Nobody stops a worker but by ending it. */
export function openRanges<Task, Part extends object>(
  setup: RangeSetup,
  signal: AbortSignal = new AbortController().signal,
): DoTask<Task, Part[]> {
  let work: DoTask<Task, Part> | undefined
  return async function* (range) {
    const { open } = await MODULES[setup.kind]()
    work ??= open(setup as never, signal) as DoTask<unknown, unknown> as DoTask<Task, Part>
    let parts: Part[] = []
    let size = 0
    for await (const part of work(range)) {
      parts.push(part as Part)
      size += sizeOf(part as Part)
      if (size < PIECE) continue
      yield parts
      parts = []
      size = 0
    }
    yield parts
  }
}
