// What runs in a worker: decodes the groups of blocks that it is sent.

import { serveTasks } from '../../async/pool-worker.ts'
import { makeKernelDecoder } from './block-decoder.ts'
import { openGroups } from './block-group.ts'

const decoder = makeKernelDecoder()
// The twin is not part of the script, which all would fetch for the few that need it. A worker that fails is done without.
if (!decoder) throw new Error('WebAssembly is refused')
// A worker has one task at a time.
serveTasks(() => openGroups(() => decoder))
