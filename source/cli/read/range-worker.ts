// What runs in a worker that reads ranges.

import { serveTasks } from '../../async/pool-worker.ts'
import { openRanges, type RangeSetup } from './range-pool.ts'

serveTasks((setup: RangeSetup) => openRanges(setup))
