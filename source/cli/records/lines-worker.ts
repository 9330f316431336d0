// What runs in a worker that reads ranges of a dump as lines.

import type { DumpRange } from '../../mediawiki/dump-range.ts'
import { serveTasks } from '../workers/task-worker.ts'
import { type LinesSetup, openLines, type RangeLines } from './range-lines.ts'

serveTasks<LinesSetup, DumpRange, RangeLines | undefined>(openLines, (result) => [
  ...new Set(result?.lines.map(({ bytes }) => bytes.buffer as ArrayBuffer)),
])
