// A process of Node that runs a task: `child.ts INDEX FROM SAX_WASM`. It prints what the task took and found.

import { readFileSync } from 'node:fs'
import { fetchBody, measure } from './measure.ts'
import { tasks } from './tasks.ts'

const [index = '', from = '', saxWasm = ''] = process.argv.slice(2)
const task = tasks[Number(index)]
if (!task) throw new Error(`there is no task ${index}`)
const bytes = from.startsWith('http:') ? undefined : new Uint8Array(readFileSync(from))
const run = await measure(task, async () => bytes ?? fetchBody(from), new Uint8Array(readFileSync(saxWasm)))
console.log(JSON.stringify(run))
