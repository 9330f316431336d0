import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PromiseQueue } from '../../source/async/promise-queue.ts'
import { watchSignal, watchTimers } from '../support/resources.ts'
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

  test('leaves no listener, however it ends', async () => {
    const queue = new PromiseQueue()
    const { controller, signal, listeners } = watchSignal()
    const woken = queue.wait({ signal })
    queue.wakeAll()
    await woken
    const failed = queue.wait({ signal })
    queue.failAll('failed')
    await expect(failed).rejects.toBe('failed')
    await expect(queue.wait({ signal, timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(listeners()).toBe(0)
    const aborted = queue.wait({ signal })
    expect(listeners()).toBe(1)
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    await expect(queue.wait({ signal })).rejects.toBe('enough')
    expect(listeners()).toBe(0)
  })

  test('leaves no timer when the signal aborts', async () => {
    await watchTimers(async (left) => {
      const queue = new PromiseQueue()
      const controller = new AbortController()
      const options = { signal: controller.signal, timeout: 1_000_000 }
      const waits = Promise.allSettled(Array.from({ length: 10 }, () => queue.wait(options)))
      expect(left()).toBe(10)
      controller.abort('enough')
      await waits
      expect(left()).toBe(0)
    })
  })

  test('that aborts while others are woken does not disturb them', async () => {
    const queue = new PromiseQueue()
    const controller = new AbortController()
    let later: Promise<void> | undefined
    // A listener of the user's runs between the abort and the end of the wait, and does everything it must not.
    controller.signal.addEventListener('abort', () => {
      queue.wakeAll()
      later = queue.wait()
    })
    const first = queue.wait({ signal: controller.signal })
    const second = queue.wait()
    controller.abort('enough')
    await first
    await second
    expect(queue.size).toBe(1)
    queue.wakeAll()
    await later
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

  test('leaves no timer when it ends early', async () => {
    await watchTimers(async (left) => {
      const queue = new PromiseQueue()
      for (const end of [() => queue.wakeAll(), () => queue.failAll('reason')]) {
        const waits = Promise.allSettled(Array.from({ length: 50 }, () => queue.wait({ timeout: 1_000_000 })))
        expect(left()).toBe(50)
        end()
        await waits
        expect(left()).toBe(0)
      }
      await expect(queue.wait({ signal: AbortSignal.abort('before'), timeout: 1_000_000 })).rejects.toBe('before')
      expect(left()).toBe(0)
    })
  })

  test('that is infinite, or none, sets no timer, so that it does not keep a process', async () => {
    await watchTimers(async (left) => {
      const queue = new PromiseQueue()
      const waits = [
        queue.wait(),
        queue.wait({ timeout: Number.POSITIVE_INFINITY }),
        queue.wait({ timeout: undefined }),
      ]
      expect(left()).toBe(0)
      queue.wakeAll()
      await Promise.all(waits)
    })
  })

  test('that is infinite, or longer than a timer can be, does not end by itself', async () => {
    const queue = new PromiseQueue()
    const waits = [queue.wait({ timeout: Number.POSITIVE_INFINITY }), queue.wait({ timeout: 2 ** 40 })]
    // A timer that cannot hold its time fires after 1 ms.
    await sleep(20)
    expect(queue.size).toBe(2)
    queue.wakeAll()
    await Promise.all(waits)
  })

  test('of nothing ends in a later turn', async () => {
    const queue = new PromiseQueue()
    const wait = queue.wait({ timeout: 0 })
    expect(queue.size).toBe(1)
    await expect(wait).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test.each([-1, Number.NaN, '5', null])('of %j is refused', async (timeout) => {
    const queue = new PromiseQueue()
    const expected = expect.objectContaining({ name: 'RangeError', code: 'invalid-option' })
    await expect(queue.wait({ timeout: timeout as number })).rejects.toEqual(expected)
    expect(queue.size).toBe(0)
  })
})
