import { describe, expect, test } from 'vitest'
import { PromiseQueue } from '../../source/async/promise-queue.ts'
import { settle } from '../support/sources.ts'

describe('waiting', () => {
  test('ends for all who wait when all are woken', async () => {
    const queue = new PromiseQueue()
    const waits = [queue.wait(), queue.wait(), queue.wait()]
    expect(queue.size).toBe(3)
    queue.wakeAll()
    expect(queue.size).toBe(0)
    expect(await Promise.all(waits)).toEqual([undefined, undefined, undefined])
  })

  test('that a woken one begins again lasts until the next call', async () => {
    const queue = new PromiseQueue()
    let wakings = 0
    const loop = async () => {
      for (;;) {
        await queue.wait()
        wakings++
      }
    }
    void loop()
    for (const expected of [1, 2, 3]) {
      queue.wakeAll()
      await settle()
      expect(wakings).toBe(expected)
      expect(queue.size).toBe(1)
    }
  })

  test('fails for all with the same reason when all fail', async () => {
    const queue = new PromiseQueue()
    const reason = new Error('reason')
    const outcomes = Promise.allSettled([queue.wait(), queue.wait()])
    queue.failAll(reason)
    for (const outcome of await outcomes) expect(outcome).toEqual({ status: 'rejected', reason })
    expect(queue.size).toBe(0)
  })

  test('is not touched by calls when nobody waits', async () => {
    const queue = new PromiseQueue()
    queue.wakeAll()
    queue.failAll(new Error('nobody hears this'))
    const wait = queue.wait()
    expect(queue.size).toBe(1)
    queue.wakeAll()
    await wait
  })
})

describe('waiting with a signal', () => {
  test('ends with the reason of the signal, for that one only', async () => {
    const queue = new PromiseQueue()
    const controller = new AbortController()
    const aborted = queue.wait({ signal: controller.signal })
    const other = queue.wait()
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    expect(queue.size).toBe(1)
    queue.wakeAll()
    await other
  })

  test('that has aborted before fails at once', async () => {
    const queue = new PromiseQueue()
    await expect(queue.wait({ signal: AbortSignal.abort('before') })).rejects.toBe('before')
    expect(queue.size).toBe(0)
  })

  test('leaves no listener behind, however it ends', async () => {
    const queue = new PromiseQueue()
    const { signal, listeners } = watchListeners(new AbortController().signal)
    const woken = queue.wait({ signal })
    queue.wakeAll()
    await woken
    const failed = queue.wait({ signal })
    queue.failAll('failed')
    await expect(failed).rejects.toBe('failed')
    await expect(queue.wait({ signal, timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(listeners()).toBe(0)
  })
})

describe('waiting with a time limit', () => {
  test('ends with a DOMException named TimeoutError', async () => {
    const queue = new PromiseQueue()
    const error = await queue.wait({ timeout: 5 }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DOMException)
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(queue.size).toBe(0)
  })

  test('leaves no timer behind when it ends before', async () => {
    const queue = new PromiseQueue()
    const wait = queue.wait({ timeout: 1_000_000 })
    queue.wakeAll()
    await wait
    const before = countTimers()
    const waits = Array.from({ length: 50 }, () => queue.wait({ timeout: 1_000_000 }))
    expect(countTimers()).toBe(before + 50)
    queue.wakeAll()
    await Promise.all(waits)
    expect(countTimers()).toBe(before)
  })

  test('that is infinite, or longer than a timer can be, does not end by itself', async () => {
    const queue = new PromiseQueue()
    const waits = [queue.wait({ timeout: Number.POSITIVE_INFINITY }), queue.wait({ timeout: 2 ** 40 })]
    await settle()
    expect(queue.size).toBe(2)
    queue.wakeAll()
    await Promise.all(waits)
  })

  test.each([-1, Number.NaN])('of %d is refused', async (timeout) => {
    await expect(new PromiseQueue().wait({ timeout })).rejects.toBeInstanceOf(RangeError)
  })
})

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** The signal, and how many listeners it has. */
function watchListeners(signal: AbortSignal): { signal: AbortSignal; listeners: () => number } {
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    count++
    add(...args)
  }) as typeof signal.addEventListener
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    count--
    remove(...args)
  }) as typeof signal.removeEventListener
  return { signal, listeners: () => count }
}
