// The side of the worker of task-pool.ts.

import { parentPort } from 'node:worker_threads'
import type { TaskAnswer, TaskMessage } from './task-pool.ts'

/**
 * Does the tasks that are sent to this worker, one after the other. `open` returns what does them. `buffersOf` returns the parts of a result
 * that need not be copied.
 */
export function serveTasks<Setup, Task, Result>(
  open: (setup: Setup) => (task: Task) => Promise<Result>,
  buffersOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  let work: (task: Task) => Promise<Result>
  let before: Promise<void> = Promise.resolve()
  const answer = async (task: Task): Promise<void> => {
    try {
      const result = await work(task)
      parentPort?.postMessage({ result } satisfies TaskAnswer<Result>, buffersOf(result))
    } catch {
      // It is done once more by those who asked, and they see why.
      parentPort?.postMessage({ failed: true } satisfies TaskAnswer<Result>)
    }
  }
  parentPort?.on('message', (message: TaskMessage<Setup, Task>) => {
    if ('setup' in message) work = open(message.setup)
    else before = before.then(() => answer(message.task))
  })
}
