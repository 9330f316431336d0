// A range of a plan that becomes a part: what `--resume` does again and again, on several threads.

import { PartFolder } from './part-folder.ts'
import type { PlannedRange } from './plan.ts'
import { type RangeJobOptions, type RangeTrailer, readRange } from './range-job.ts'

export interface RangeResult {
  readonly trailer: RangeTrailer
  /** What was reported about errors. */
  readonly told: readonly string[]
  /** Whether its part is from an earlier run. */
  readonly isKept: boolean
}

/** Reads a range, and writes its part to a folder, unless that is there. */
export async function writeRange(
  folder: string,
  range: PlannedRange,
  options: Omit<RangeJobOptions, 'tell'>,
): Promise<RangeResult> {
  const parts = new PartFolder(folder)
  const told: string[] = []
  const kept = await parts.find(range)
  if (kept) return { trailer: kept, told, isKept: true }
  const pieces = readRange(range, { ...options, tell: (text) => told.push(text) })
  return { trailer: await parts.write(range, pieces), told, isKept: false }
}
