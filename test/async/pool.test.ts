import { describe, expect, test } from 'vitest'
import { Pool } from '../../source/async/pool.ts'
import { READY } from '../../source/async/worker.ts'

type Task = number | 'ends' | 'fails here'

/**
 * A worker that gives the numbers up to the task, `setup` more each; it fails at 13, and ends at 'ends'. It says of each message that it heard it, and gives a part
 * only when there is room for it.
 */
const WORKER = `
import { parentPort } from 'node:worker_threads'
let setup = 0, waiting = 0, room = () => {}
let before = Promise.resolve()
const answer = async (task) => {
  if (task === 'ends') process.exit()
  if (task === 13) return parentPort.postMessage({ failed: true })
  for (let i = 1; i <= task; i++) {
    parentPort.postMessage({ part: { n: i + setup }, size: 10 })
    waiting += 10
    if (waiting >= 30) await new Promise((resolve) => { room = resolve })
  }
  parentPort.postMessage({ end: true })
}
parentPort.on('message', (message) => {
  if ('setup' in message) setup = message.setup
  else if ('task' in message) before = before.then(() => answer(message.task))
  else if ('taken' in message) { waiting -= message.taken; if (waiting < 30) room() }
})
parentPort.postMessage('${READY}')`

function makePool(code: string, options: { threads?: number; helps?: 'free' | 'due' } = {}) {
  const here: Task[] = []
  const pool = new Pool<number, Task, { n: number }>({
    threads: 2,
    ...options,
    script: { file: new URL(`data:text/javascript,${encodeURIComponent(code)}`) },
    mostWaiting: 200_000,
    setup: 1000,
    open: (setup) =>
      async function* (task) {
        here.push(task)
        if (task === 'fails here') throw new Error('not even here')
        for (let i = 1; i <= (task === 'ends' ? 1 : task); i++) yield { n: -i - setup }
      },
  })
  const rest = async (task: ReturnType<typeof pool.begin>) => (await pool.rest(task)).map(({ n }) => n)
  return { pool, here, rest, all: (tasks: Task[]) => Promise.all(tasks.map((task) => rest(pool.begin(task)))) }
}

const NO_PROGRAM = 'this is no program'
const SILENT = 'import "node:worker_threads"; setInterval(() => {}, 1000)'

describe('tasks of a pool', () => {
  test('are done by workers, and by this thread where those cannot', async () => {
    const { pool, here, all } = makePool(WORKER)
    const results = await all([1, 2, 13, 3])
    expect(results[2]?.at(-1)).toBe(-1013)
    expect([results[0], results[1], results[3]]).toEqual([[1001], [1001, 1002], [1001, 1002, 1003]])
    expect(here).toEqual([13])
    pool.close()
  })

  test('are done when a worker dies, and all workers', async () => {
    const { pool, here, all } = makePool(WORKER)
    // A worker has two tasks.
    expect(await all(['ends', 'ends', 'ends', 'ends', 1])).toEqual(Array(5).fill([-1001]))
    expect(here).toHaveLength(5)
    expect(await all([1])).toEqual([[-1001]])
    pool.close()
  })

  test('are not repeated from their beginning after some of their parts were taken', async () => {
    // It ends after two parts.
    const code = WORKER.replace('i <= task; i++) {', 'i <= task; i++) { if (i === 3) process.exit();')
    const { pool, rest } = makePool(code, { threads: 1 })
    const task = pool.begin(5)
    expect([await pool.next(task), await rest(task)]).toEqual([{ n: 1001 }, [1002, -1003, -1004, -1005]])
    pool.close()
  })

  test('are done where a worker cannot be started, or is none of ours', async () => {
    for (const code of [NO_PROGRAM, WORKER.replaceAll(READY, 'hello')]) {
      const { pool, all } = makePool(code)
      expect(await all([1, 2])).toEqual([[-1001], [-1001, -1002]])
      pool.close()
    }
  })

  test('are begun as far as workers can be kept busy, and give their results in order', async () => {
    const { pool } = makePool(WORKER)
    let begun = 0
    const tasks = [1, 2, 13, 4, 5, 6, 7, 8]
    pool.begin = (task) => {
      begun++
      return Object.getPrototypeOf(pool).begin.call(pool, task)
    }
    let count = 0
    for await (const [task, parts] of pool.inOrder(tasks, new AbortController().signal)) {
      expect([task, parts.length]).toEqual([tasks[count], tasks[count]])
      count++
      expect(begun).toBe(Math.min(tasks.length, count + 3))
    }
    expect(count).toBe(tasks.length)
    pool.close()
  })

  test('are made ahead of who takes them only as far as their parts may wait', async () => {
    const { pool, here } = makePool(WORKER, { helps: 'free', threads: 0 })
    const [first, second] = [pool.begin(1000), pool.begin(5)]
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Each part counts 64 KiB beside its memory.
    expect([first.arrived.length, second.arrived.length, here]).toEqual([4, 0, [1000]])
    expect([(await pool.rest(first)).length, (await pool.rest(second)).length]).toEqual([1000, 5])
    pool.close()
  })

  test('that are due are done on this thread, where it helps, before workers are there', async () => {
    const { pool, here, rest } = makePool(SILENT, { helps: 'due' })
    const [one, other] = [pool.begin(1), pool.begin(2)]
    expect(await rest(one)).toEqual([-1001])
    expect(here).toEqual([1])
    await pool.leave(other)
    expect(await pool.next(other)).toBeUndefined()
    pool.close()
  })

  test('can be left, and make room for those after them', async () => {
    const { pool, here, rest } = makePool(WORKER, { threads: 1 })
    const [one, other] = [pool.begin(3), pool.begin(4)]
    expect(await pool.next(one)).toEqual({ n: 1001 })
    await pool.leave(one)
    expect(await rest(other)).toEqual([1001, 1002, 1003, 1004])
    expect(here).toEqual([])
    pool.close()
  })

  test('are not waited for when the signal aborts', async () => {
    const { pool } = makePool(SILENT)
    const controller = new AbortController()
    const pending = pool.inOrder([1], controller.signal).next()
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    pool.close()
  })

  test('are done on this thread where no workers are wanted', async () => {
    const { pool, here, all } = makePool(WORKER, { threads: 0 })
    expect(await all([1, 2, 3])).toEqual([[-1001], [-1001, -1002], [-1001, -1002, -1003]])
    expect(here).toEqual([1, 2, 3])
    pool.close()
  })

  test('fail as they fail on this thread, and when the pool is closed', async () => {
    const { pool, all } = makePool(NO_PROGRAM)
    await expect(all(['fails here'])).rejects.toThrow('not even here')
    expect(await all([1])).toEqual([[-1001]])
    pool.close()
    const pending = makePool(SILENT)
    const parts = pending.all([1])
    pending.pool.close()
    await expect(parts).rejects.toThrow('closed')
  })
})
