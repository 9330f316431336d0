// What a task takes, measured in the same way in a page and in a process of Node.

import type { Answer, Document, Task } from './tasks.ts'

/** What a run took, in milliseconds, and what it found. */
export interface Run {
  readonly milliseconds: number
  readonly answer: Answer
}

/** Runs a task twice, and gives what the second run took: the first one is for warming up. */
export async function measure(task: Task, open: () => Promise<Document>, saxWasm: Uint8Array): Promise<Run> {
  await task.run(await open(), saxWasm)
  const start = performance.now()
  const answer = await task.run(await open(), saxWasm)
  return { milliseconds: performance.now() - start, answer }
}

export async function fetchBody(address: string): Promise<Document> {
  const { ok, status, body } = await fetch(address)
  if (!ok || !body) throw new Error(`${address} was answered by ${status}`)
  return body
}
