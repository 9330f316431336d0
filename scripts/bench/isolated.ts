// A process of its own for each thing that is measured: what one has compiled, allocated and optimised does not affect the others.
//
// Peak memory is that of all of the process, and begins with an idle one, about 80 MB of Node and the TypeScript loader. Linux lets
// a process inherit its parent's peak, so a parent must stay small.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Runs `module` in a process of its own, with `job` as its only argument. Gives what it sends by `answer`. */
export async function runIsolated<Result>(module: URL, job: object): Promise<Result> {
  const child = fork(fileURLToPath(module), [JSON.stringify(job)], { execArgv: process.execArgv })
  let result: { value: Result } | undefined
  child.on('message', (value: Result) => {
    result = { value }
  })
  const [code, signal] = await once(child, 'close')
  if (code === 0 && result) return result.value
  throw new Error(`the process for ${JSON.stringify(job)} ended with ${signal ?? `code ${code}`} and no result`)
}

/** In the child: what it was asked to do. */
export function readJob<Job>(): Job {
  const [, , job] = process.argv
  if (!job || !process.send) throw new Error('this file is run by a benchmark, in a process of its own')
  requireNativeAsync()
  return JSON.parse(job) as Job
}

/** In the child: sends the result, and closes the channel so that the process ends. */
export function answer(result: object): void {
  process.send?.(result, () => process.disconnect())
}

/** Peak memory of this process so far, in MB (2^20 bytes). */
export function peakMemory(): number {
  return process.resourceUsage().maxRSS / 1024
}

/** A loader that compiles async functions to generators would be measured instead of the engine. */
function requireNativeAsync(): void {
  const name = (async () => {}).constructor.name
  if (name !== 'AsyncFunction')
    throw new Error(`async functions were compiled away (to a ${name}): nothing was measured`)
}
