// What runs in a worker that reads ranges of a plan.

import { serveTasks } from '../workers/task-worker.ts'
import type { PlannedRange } from './plan.ts'
import { type RangeResult, writeRange } from './range-task.ts'

// Nobody stops a worker but by ending it.
const { signal } = new AbortController()

serveTasks<string, PlannedRange, RangeResult>((folder) => (range) => writeRange(folder, range, { jobs: 1, signal }))
