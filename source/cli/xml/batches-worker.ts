// What runs in a worker that reads ranges of a document of records.

import type { Batch } from '../output/write-batches.ts'
import { serveTasks } from '../workers/task-worker.ts'
import { type BatchesSetup, type FailedRange, openBatches, type RangeBatches, type RangeTask } from './range-batches.ts'

serveTasks<BatchesSetup, RangeTask, RangeBatches | FailedRange>(openBatches, (result) => [
  ...new Set('batches' in result ? result.batches.flatMap(buffersOf) : []),
])

/** The memory of a batch, wherever in it that is: it need not be copied. */
function buffersOf(part: Batch | object): ArrayBuffer[] {
  return Object.values(part).flatMap((value: unknown) => {
    if (ArrayBuffer.isView(value)) return value.buffer as ArrayBuffer
    return typeof value === 'object' && value !== null ? buffersOf(value) : []
  })
}
