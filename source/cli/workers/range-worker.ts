// What runs in a worker that reads ranges of a plan.

import type { PlannedRange } from '../plan/plan.ts'
import { type RangeResult, writeRange } from '../plan/range-task.ts'
import { serveTasks } from './task-worker.ts'

// Nobody stops a worker but by ending it.
const { signal } = new AbortController()

serveTasks<string, PlannedRange, RangeResult>((folder) => (range) => writeRange(folder, range, { jobs: 1, signal }))
