// A process of Node that runs a task: `child.ts INDEX FROM SAX_WASM`. It warms up as the page has, and prints what the second run took and found.

import { readFileSync } from 'node:fs'
import type { Run } from './page.ts'
import { type Document, tasks } from './tasks.ts'

const [index = '', from = '', saxWasm = ''] = process.argv.slice(2)
const task = tasks[Number(index)]
if (!task) throw new Error(`there is no task ${index}`)
const bytes = from.startsWith('http:') ? undefined : new Uint8Array(readFileSync(from))
const wasm = new Uint8Array(readFileSync(saxWasm))
let run: Run | undefined
for (let turn = 0; turn < 2; turn++) {
  const start = performance.now()
  const document = bytes ?? (await fetch(from)).body
  const answer = await task.run(document as Document, wasm)
  run = { milliseconds: performance.now() - start, answer }
}
console.log(JSON.stringify(run))
