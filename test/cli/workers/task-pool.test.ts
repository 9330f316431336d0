import { describe, expect, test } from 'vitest'
import { TaskPool } from '../../../source/cli/workers/task-pool.ts'

/** A worker that doubles numbers, `setup` more each; it fails at 13, and dies at 666. */
const WORKER = `
import { parentPort } from 'node:worker_threads'
let more = 0
parentPort.on('message', ({ setup, task }) => {
  if (setup !== undefined) more = setup
  else if (task === 666) throw new Error('dead')
  else parentPort.postMessage(task === 13 ? { failed: true } : { result: task * 2 + more })
})`

function makePool(code: string, threads = 2) {
  const here: number[] = []
  const pool = new TaskPool<number, number, number>({
    threads,
    worker: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    setup: 1000,
    open: () => async (task) => {
      here.push(task)
      if (task === 99) throw new Error('not even here')
      return -task
    },
  })
  return { pool, here }
}

describe('tasks of a pool', () => {
  test('are done by workers, and by this thread where those cannot', async () => {
    const { pool, here } = makePool(WORKER)
    const results = await Promise.all([1, 2, 13, 4].map((task) => pool.do(task)))
    expect(results).toEqual([1002, 1004, -13, 1008])
    expect(here).toEqual([13])
    pool.close()
  })

  test('are done when a worker dies, and all workers', async () => {
    const { pool, here } = makePool(WORKER)
    const results = await Promise.all([666, 666, 1, 2, 3].map((task) => pool.do(task)))
    expect(results).toEqual([-666, -666, -1, -2, -3])
    expect(here.sort()).toEqual([1, 2, 3, 666, 666])
    expect(await pool.do(7)).toBe(-7)
    pool.close()
  })

  test('are done where a worker cannot be started', async () => {
    const { pool } = makePool('this is no program')
    expect(await Promise.all([pool.do(1), pool.do(2)])).toEqual([-1, -2])
    pool.close()
  })

  test('are begun as far as workers can be kept busy, and give their results in order', async () => {
    const { pool } = makePool(WORKER)
    let begun = 0
    const tasks = [1, 2, 13, 4, 5, 6, 7, 8]
    pool.do = (task) => {
      begun++
      return Object.getPrototypeOf(pool).do.call(pool, task)
    }
    const results: number[] = []
    for await (const [task, result] of pool.inOrder(tasks, new AbortController().signal)) {
      expect(task).toBe(tasks[results.length])
      results.push(result)
      expect(begun).toBe(Math.min(tasks.length, results.length + 3))
    }
    expect(results).toEqual([1002, 1004, -13, 1008, 1010, 1012, 1014, 1016])
    pool.close()
  })

  test('are not waited for when the signal aborts', async () => {
    const { pool } = makePool('import "node:worker_threads"; setInterval(() => {}, 1000)')
    const controller = new AbortController()
    const pending = pool.inOrder([1], controller.signal).next()
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    pool.close()
  })

  test('are done on this thread, one after the other, where no workers are wanted', async () => {
    const { pool, here } = makePool(WORKER, 0)
    expect(await Promise.all([1, 2, 3].map((task) => pool.do(task)))).toEqual([-1, -2, -3])
    expect(here).toEqual([1, 2, 3])
    pool.close()
  })

  test('fail as they fail on this thread, and when the pool is closed', async () => {
    const { pool } = makePool('this is no program')
    await expect(pool.do(99)).rejects.toThrow('not even here')
    expect(await pool.do(1)).toBe(-1)
    const pending = makePool('import "node:worker_threads"')
    const task = pending.pool.do(1)
    pending.pool.close()
    await expect(task).rejects.toThrow('closed')
    pool.close()
  })
})
