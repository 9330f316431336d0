// What runs in a worker that reads ranges of a dump as batches of a format.

import type { DumpRange } from '../../mediawiki/dump-range.ts'
import { serveTasks } from '../workers/task-worker.ts'
import { type LinesSetup, openLines, type RangeLines } from './range-lines.ts'

serveTasks<LinesSetup, DumpRange, RangeLines | undefined>(openLines, (result) => [
  ...new Set(buffersIn(result?.batches)),
])

/** The memory of lines and of columns. */
function* buffersIn(value: unknown): Generator<ArrayBuffer, void, undefined> {
  if (ArrayBuffer.isView(value)) yield value.buffer as ArrayBuffer
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* buffersIn(one)
}
