// A range of a plan that becomes a part: what `--resume` does again and again, on several threads.

import { PartFolder } from './part-folder.ts'
import type { PlannedRange } from './plan.ts'
import { type RangeTrailer, readRange } from './range-job.ts'

export interface RangeResult {
  readonly trailer: RangeTrailer
  /** What was reported about errors. */
  readonly told: readonly string[]
  /** Whether its part is from an earlier run. */
  readonly isKept: boolean
}

export interface PartsSetup {
  readonly kind: 'parts'
  readonly folder: string
  /** Threads that decompress a range. */
  readonly jobs: number
}

/** Returns what reads ranges, and writes their parts to a folder, unless they are there. */
export function open({ folder, jobs }: PartsSetup, signal: AbortSignal) {
  const parts = new PartFolder(folder)
  return async function* (range: PlannedRange): AsyncGenerator<RangeResult, void, undefined> {
    const told: string[] = []
    const kept = await parts.find(range)
    const tell = (text: string): unknown => told.push(text)
    const trailer = kept ?? (await parts.write(range, readRange(range, { jobs, signal, tell })))
    yield { trailer, told, isKept: kept !== undefined }
  }
}
