import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { watchTimers } from '../support/resources.ts'
import { CountingSource, settle, slowly, stalling } from '../support/sources.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('closing', () => {
  test('happens when the last cursor is released, and not before', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 30 })
    const [first, second] = [cache.cursor(), cache.cursor()]
    await first.read(10)
    first.release()
    await settle()
    expect(source.isClosed).toBe(false)
    second.release()
    await settle()
    expect(source.isClosed).toBe(true)
    expect(() => cache.cursor()).toThrow(expect.objectContaining({ name: 'TypeError', code: 'cache-closed' }))
  })

  test('happens when a loop over the cache is left', async () => {
    const source = new CountingSource(10, 1000)
    let length = 0
    for await (const chunk of StreamCache.from(source)) {
      length += chunk.length
      if (length >= 50) break
    }
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('happens on cancel, which wakes who waits with the reason', async () => {
    const source = stalling(['abc'])
    const cache = StreamCache.from(source)
    const cursor = cache.cursor()
    const outcome = expect(cursor.read(5)).rejects.toMatchObject({ code: 'source-cancelled', cause: 'enough' })
    await settle()
    await cache.cancel('enough')
    await outcome
    expect(source.isClosed).toBe(true)
    await cache.cancel()
  })

  test('does not wait for ever for a generator that is stuck, and leaves no timer', async () => {
    async function* stuck(): AsyncGenerator<string> {
      yield 'abc'
      await new Promise(() => {})
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await watchTimers(async (left) => {
      const cache = StreamCache.from(stuck())
      const outcome = expect(cache.cursor().read(4)).rejects.toMatchObject({ code: 'source-cancelled' })
      await settle()
      const cancelled = cache.cancel()
      await outcome // at once: only the canceller is made to wait for the source
      expect(left()).toBe(1)
      await vi.advanceTimersByTimeAsync(1000)
      await cancelled
      expect(left()).toBe(0)
    })
  })

  test('of a source that answers, or ends by itself, leaves no timer', async () => {
    await watchTimers(async (left) => {
      const cursor = StreamCache.from('abc').cursor()
      await cursor.read(9)
      const cache = StreamCache.from(stalling(['abc']))
      await cache.cancel()
      StreamCache.from(stalling(['abc']))
        .cursor()
        .release()
      await settle()
      expect(left()).toBe(0)
    })
  })

  test('runs the finally of a generator, whoever stops it', async () => {
    const stops: ((cache: StreamCache, cursor: Cursor) => unknown)[] = [
      (cache) => cache.cancel(),
      (_, cursor) => cursor.release(),
      (cache) => cache.fail('reason'),
      (cache) => cache.end(),
    ]
    for (const stop of stops) {
      for (const isAsync of [false, true]) {
        const source = new CountingSource(10, 1000)
        const cache = StreamCache.from(isAsync ? source : source.chunks(), { highWaterMark: 30 })
        const cursor = cache.cursor()
        await cursor.read(10)
        await settle()
        await stop(cache, cursor)
        await settle()
        expect(source.isClosed).toBe(true)
        const { bytesRead } = source
        cursor.release()
        await settle()
        expect(source.bytesRead).toBe(bytesRead)
      }
    }
  })

  test('happens at the end by hand also while the source is silent, and what it says later is ignored', async () => {
    let say: ((result: IteratorResult<string>) => void) | undefined
    let isClosed = false
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => (say = resolve)),
        async return() {
          isClosed = true
          return { done: true, value: undefined }
        },
      }),
    }
    const cache = StreamCache.from(source)
    const cursor = cache.cursor()
    say?.({ done: false, value: 'abc' })
    expect((await cursor.read(1)).length).toBe(1)
    cache.end()
    expect(isClosed).toBe(true)
    say?.({ done: false, value: 'def' })
    await settle()
    expect((await cursor.read(9)).length).toBe(2)
    expect(cursor.done).toBe(true)
  })

  test('is not asked of a source that has ended by itself', async () => {
    for (const make of [() => [][Symbol.iterator](), () => slowly([])]) {
      const iterator = make() as unknown as Iterator<string> & AsyncIterator<string>
      let wasAsked = false
      const watched = {
        next: () => iterator.next(),
        return: () => {
          wasAsked = true
          return { done: true, value: undefined }
        },
      }
      const symbol = Symbol.asyncIterator in iterator ? Symbol.asyncIterator : Symbol.iterator
      const cursor = StreamCache.from({ [symbol]: () => watched } as unknown as Iterable<string>).cursor()
      await cursor.fill(1)
      cursor.release()
      await settle()
      expect(wasAsked).toBe(false)
    }
  })

  test('reaches through a cache that is read by a cache, whether it waits, stands or has not begun', async () => {
    for (const [highWaterMark, wanted] of [
      [100, 9],
      [1, 1],
      [0, 0],
    ] as const) {
      const source = stalling(['abc'])
      const above = StreamCache.from(StreamCache.from(source), { highWaterMark })
      const cursor = above.cursor()
      const read = cursor.read(wanted).catch(() => {})
      await settle()
      cursor.release()
      await read
      await settle()
      expect(source.isClosed, `mark ${highWaterMark}`).toBe(true)
    }
  })

  test('by cancel, of a cache above a silent one, is a matter of no time', async () => {
    const source = stalling(['abc'])
    const above = StreamCache.from(StreamCache.from(source))
    await settle()
    let isCancelled = false
    void above.cancel().then(() => {
      isCancelled = true
    })
    await settle()
    expect([source.isClosed, isCancelled]).toEqual([true, true])
  })

  test('on cancel leaves what had arrived to its cursors, and can be asked for again', async () => {
    const cache = StreamCache.from(stalling(['abc']))
    const cursor = cache.cursor()
    await cursor.fill(3)
    await Promise.all([cache.cancel('first'), cache.cancel('second')])
    await cache.cancel('third')
    expect((await cursor.read(3)).length).toBe(3)
    await expect(cursor.read(1)).rejects.toMatchObject({ cause: 'first' })
    const late = cache.cursor()
    expect(late.offset).toBe(3)
    const ended = StreamCache.from('abc')
    await ended.cursor().fill(4)
    await ended.cancel()
    expect((await ended.cursor().read(9)).length).toBe(3)
  })

  test('ends every wait: for bytes, for room, in a loop', async () => {
    const cache = StreamCache.from(stalling(['abc']), { highWaterMark: 2 })
    const cursor = cache.cursor()
    await cursor.fill(3)
    const full = new StreamCache({ highWaterMark: 1 })
    full.write('abc')
    const loop = async () => {
      for await (const _ of cache);
    }
    const waits = [cursor.read(9), cursor.clone().fill(9), loop(), full.ready()]
    const outcomes = Promise.allSettled(waits)
    await settle()
    await Promise.all([cache.cancel(), full.cancel()])
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'source-cancelled' } })
    }
  })

  test('rejects the cancellation with what closing the source throws', async () => {
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => Promise.reject(new Error('cannot close')),
      }),
    }
    await expect(StreamCache.from(source).cancel()).rejects.toThrow('cannot close')
    // Releasing has nobody to report it to, and must not end the process.
    StreamCache.from(source).cursor().release()
    await settle()
  })
})
