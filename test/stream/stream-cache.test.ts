import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LimitError, SourceError } from '../../source/stream/errors.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { CountingSource, failing, settle, slowly, stalling } from '../support/sources.ts'

const bytes = (...values: number[]) => new Uint8Array(values)

describe('a cache that is written to', () => {
  test('loses nothing before its first cursor', async () => {
    const cache = new StreamCache()
    cache.write('ab')
    cache.write(bytes(0x63))
    expect([cache.start, cache.retained, cache.ended]).toEqual([0, 3, false])
    cache.end()
    expect(new TextDecoder().decode(await cache.cursor().read(9))).toBe('abc')
    expect(cache.ended).toBe(true)
  })

  test('tells the writer when to wait, and for how long', async () => {
    const cache = new StreamCache({ highWaterMark: 10 })
    const cursor = cache.cursor()
    expect(cache.write(new Uint8Array(9))).toBe(true)
    expect(cache.write(new Uint8Array(3))).toBe(false)
    let isReady = false
    const ready = cache.ready().then(() => {
      isReady = true
    })
    cursor.skip(2)
    await settle()
    expect(isReady).toBe(false)
    cursor.skip(1)
    await ready
    expect(cache.retained).toBe(9)
    await cache.ready()
  })

  test('counts from the slowest cursor', async () => {
    const cache = new StreamCache({ highWaterMark: 4 })
    const [slow, fast] = [cache.cursor(), cache.cursor()]
    cache.write(new Uint8Array(4))
    fast.skip(4)
    let isReady = false
    void cache.ready().then(() => {
      isReady = true
    })
    await settle()
    expect(isReady).toBe(false)
    slow.release()
    await settle()
    expect(isReady).toBe(true)
    expect([cache.start, cache.retained]).toEqual([4, 0])
  })

  test('is ready for a cursor that needs more than the mark', async () => {
    const cache = new StreamCache({ highWaterMark: 2, maxRetained: 100 })
    const cursor = cache.cursor()
    expect(cache.write(bytes(1, 2))).toBe(false)
    const ready = cache.ready()
    const read = cursor.read(3)
    await ready
    cache.write(bytes(3))
    expect(await read).toEqual(bytes(1, 2, 3))
  })

  test('refuses what a writer that never waits piles up beyond the limit', () => {
    const cache = new StreamCache({ highWaterMark: 2, maxRetained: 4 })
    cache.write(new Uint8Array(4))
    expect(() => cache.write(bytes(1))).toThrow(LimitError)
  })

  test('refuses writing after the end, and ignores it after a failure', () => {
    const cache = new StreamCache()
    cache.end()
    cache.end()
    expect(() => cache.write('x')).toThrow(expect.objectContaining({ name: 'TypeError', code: 'cache-closed' }))
    const failed = new StreamCache()
    failed.fail(new Error('x'))
    failed.end()
    expect([failed.write('x'), failed.ended]).toEqual([false, false])
  })

  test('tells a writer that nobody reads any more', async () => {
    const cache = new StreamCache({ highWaterMark: 1 })
    const cursor = cache.cursor()
    cache.write('xy')
    const ready = expect(cache.ready()).rejects.toMatchObject({ code: 'source-cancelled' })
    cursor.release()
    await ready
    await expect(cache.ready()).rejects.toBeInstanceOf(SourceError)
  })

  test.each([
    [{ highWaterMark: -1 }, 'highWaterMark'],
    [{ maxRetained: 0 }, 'maxRetained'],
    [{ idleTimeout: Number.NaN }, 'idleTimeout'],
  ])('refuses the options %j', (options, name) => {
    expect(() => new StreamCache(options)).toThrow(
      expect.objectContaining({ name: 'RangeError', code: 'invalid-option' }),
    )
    expect(() => new StreamCache(options)).toThrow(name)
  })
})

describe('backpressure', () => {
  test('stops the source at the mark while a cursor stands still', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 100 })
    const cursor = cache.cursor()
    await settle()
    expect([source.bytesRead, cache.retained]).toEqual([100, 100])
    cursor.skip(35)
    await settle()
    expect([source.bytesRead, cache.retained]).toEqual([140, 105])
    cursor.release()
  })

  test('stops it before there is a cursor, too', async () => {
    const source = new CountingSource(10, 1000)
    StreamCache.from(source, { highWaterMark: 50 })
    await settle()
    expect(source.bytesRead).toBe(50)
  })

  test('with a mark of 0 reads only what is waited for', async () => {
    const source = new CountingSource(10, 1000)
    const cursor = StreamCache.from(source, { highWaterMark: 0 }).cursor()
    await settle()
    expect(source.bytesRead).toBe(0)
    await cursor.read(15)
    await settle()
    expect(source.bytesRead).toBe(20)
  })

  test('lets a cursor go further when it must, up to the limit, and then names who holds what', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 20, maxRetained: 100 })
    const [slow, fast] = [cache.cursor(), cache.cursor()]
    await slow.read(5)
    await fast.read(60)
    expect(source.bytesRead).toBe(60)
    const error = await fast.fill(100).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(LimitError)
    expect(error).toMatchObject({ code: 'retained-limit', byteOffset: 60, requested: 100, retainedFrom: 5, limit: 100 })
    expect((error as LimitError).retained).toBe(105)
    expect((error as Error).message).toContain('at byte 60 asks for 100 bytes')
    expect(source.bytesRead).toBe(110)
    // What had arrived can be read, and when the slow one moves, all is well again.
    expect((await fast.read(50)).length).toBe(50)
    await slow.read(100)
    expect((await fast.read(10)).length).toBe(10)
  })

  test('forgets the demand of a cursor that has gone', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 20 })
    const stay = cache.cursor()
    const gone = cache.cursor()
    const read = gone.read(5000).catch(() => {})
    await settle()
    gone.release()
    await read
    await settle()
    const { bytesRead } = source
    await settle()
    expect(source.bytesRead).toBe(bytesRead)
    stay.release()
  })
})

describe('freeing', () => {
  test('follows the slowest cursor exactly, and offsets never change', async () => {
    const cache = StreamCache.from(slowly(['abc', 'defg', 'h', 'ijklmnop']))
    const [slow, fast] = [cache.cursor(), cache.cursor()]
    await fast.read(10)
    expect(cache.start).toBe(0)
    slow.skip(5)
    expect(cache.start).toBe(5)
    const late = cache.cursor()
    expect(late.offset).toBe(5)
    expect(new TextDecoder().decode(await late.read(3))).toBe('fgh')
    slow.release()
    expect(cache.start).toBe(8)
    late.release()
    expect([cache.start, fast.offset]).toEqual([10, 10])
    fast.release()
    expect(cache.retained).toBe(0)
  })

  test('gives the memory of passed chunks back', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    const chunks: WeakRef<Uint8Array>[] = []
    for (let i = 0; i < 20; i++) {
      const chunk = new Uint8Array(100_000).fill(i)
      chunks.push(new WeakRef(chunk))
      cache.write(chunk)
    }
    cursor.peek(150_000) // joined
    cursor.skip(1_000_000)
    await collectGarbage()
    const isAlive = chunks.map((chunk) => chunk.deref() !== undefined)
    expect(isAlive).toEqual(Array.from({ length: 20 }, (_, i) => i >= 10))
    expect(cursor.peek(1)).toEqual(bytes(10))
  })

  test('happens with a warning for a cursor that was forgotten', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => {
      if (warning.message.startsWith('A cursor at byte 3 ')) warnings.push(warning)
    }
    process.on('warning', listen)
    const cache = new StreamCache()
    const kept = cache.cursor()
    cache.write(new Uint8Array(100))
    ;(() => {
      cache.cursor().skip(3)
    })()
    kept.skip(60)
    expect(cache.start).toBe(3)
    for (let i = 0; i < 50 && cache.start === 3; i++) {
      await collectGarbage()
      await sleep(10)
    }
    process.off('warning', listen)
    expect(cache.start).toBe(60)
    expect(warnings).toMatchObject([
      { name: 'XylemWarning', message: expect.stringContaining('collected without release()') },
    ])
  })

  test('works beyond 2^32 bytes', async () => {
    const chunk = new Uint8Array(2 ** 26)
    chunk[5] = 77
    function* repeat() {
      for (let i = 0; i < 66; i++) yield chunk
    }
    const cache = StreamCache.from(repeat())
    const cursor = cache.cursor()
    for (let i = 0; i < 64; i++) {
      await cursor.fill(2 ** 26)
      cursor.skip(2 ** 26)
    }
    await cursor.fill(10)
    const mark = cursor.clone()
    cursor.skip(5)
    expect(cursor.offset).toBe(2 ** 32 + 5)
    expect(cursor.peek(1)).toEqual(bytes(77))
    expect(cache.start).toBe(2 ** 32)
    mark.release()
    expect(cache.start).toBe(2 ** 32 + 5)
    await cursor.fill(2 ** 26)
    cursor.skip(2 ** 26 - 3)
    expect((await cursor.read(3)).length).toBe(3)
    cursor.release()
  })
})

describe('a source that fails', () => {
  test('wakes everybody with a SourceError each, and what had arrived can be read', async () => {
    const reason = new Error('the disk is gone')
    const cache = StreamCache.from(failing(['abc', 'def'], reason))
    const cursors = [cache.cursor(), cache.cursor(), cache.cursor()]
    const errors = await Promise.all(cursors.map((cursor) => cursor.read(7).catch((error: unknown) => error)))
    for (const error of errors) {
      expect(error).toBeInstanceOf(SourceError)
      expect(error).toMatchObject({ code: 'source-failed', cause: reason, byteOffset: 6 })
    }
    expect(new Set(errors).size).toBe(3)
    const [cursor] = cursors
    expect([cursor?.offset, cursor?.available, cursor?.done, cursor?.ended]).toEqual([0, 6, false, false])
    expect((await cursor?.read(6))?.length).toBe(6)
    expect(() => cursor?.peek(1)).toThrow(SourceError)
    expect(cursor?.peek(0)).toEqual(bytes())
    await expect(cursor?.fill(1)).rejects.toBeInstanceOf(SourceError)
    expect(cursor?.done).toBe(false)
  })

  test('gives a stack that names the waiting function, and a cause with that of the source', async () => {
    async function* explodingSource() {
      yield 'abc'
      await settle()
      throw new Error('the disk is gone')
    }
    async function waitingFunction() {
      const cursor = StreamCache.from(explodingSource()).cursor()
      return await cursor.read(10)
    }
    async function callerOfIt() {
      return await waitingFunction()
    }
    const error = (await callerOfIt().catch((error: unknown) => error)) as SourceError
    expect(error.stack).toContain('waitingFunction')
    expect(error.stack).toContain('callerOfIt')
    expect((error.cause as Error).stack).toContain('explodingSource')
  })

  test('that fails with a SourceError of a stream below passes on its code and cause', async () => {
    const below = StreamCache.from(failing(['abc'], 'reason'))
    const above = StreamCache.from(below).cursor()
    await expect(above.read(9)).rejects.toMatchObject({ code: 'source-failed', cause: 'reason' })
  })

  test('that throws in its consumer leaves the consumer its own stack', async () => {
    async function consumer() {
      for await (const chunk of StreamCache.from(slowly(['abc']))) throw new Error(`cannot use ${chunk.length} bytes`)
    }
    const error = (await consumer().catch((error: unknown) => error)) as Error
    expect(error.message).toBe('cannot use 3 bytes')
    expect(error.stack).toContain('consumer')
  })
})

describe('a source that is silent', () => {
  test('fails when a cursor has waited longer than the idle timeout, and is closed', async () => {
    const source = stalling(['abc'])
    const cursor = StreamCache.from(source, { idleTimeout: 20 }).cursor()
    expect((await cursor.read(2)).length).toBe(2)
    const error = await cursor.read(2).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'source-stalled', message: 'the source was silent for 20 ms' })
    expect((await cursor.read(1)).length).toBe(1)
    expect(source.isClosed).toBe(true)
  })

  test('is given the time again with each chunk', async () => {
    async function* steady() {
      for (let i = 0; i < 8; i++) {
        await sleep(15)
        yield 'x'
      }
    }
    const cursor = StreamCache.from(steady(), { idleTimeout: 2000 }).cursor()
    expect((await cursor.read(100)).length).toBe(8)
  })

  test('may be silent for any time while nobody waits', async () => {
    const cache = StreamCache.from(stalling(['abc']), { idleTimeout: 5 })
    const cursor = cache.cursor()
    await cursor.read(3)
    await sleep(20)
    expect(() => cursor.peek(1)).not.toThrow()
    cursor.release()
  })
})

describe('aborting', () => {
  test('wakes who waits, closes the source, and leaves what had arrived', async () => {
    const source = stalling(['abc'])
    const controller = new AbortController()
    const cursor = StreamCache.from(source, { signal: controller.signal }).cursor()
    const outcome = expect(cursor.read(5)).rejects.toMatchObject({ code: 'source-aborted', cause: 'enough' })
    await settle()
    controller.abort('enough')
    await outcome
    expect(source.isClosed).toBe(true)
    expect((await cursor.read(3)).length).toBe(3)
  })

  test('before it begins reads nothing, and closes the source', async () => {
    const source = stalling(['abc'])
    const cursor = StreamCache.from(source, { signal: AbortSignal.abort('before') }).cursor()
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'source-aborted', cause: 'before' })
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('after the end changes nothing', async () => {
    const controller = new AbortController()
    const cursor = StreamCache.from('abc', { signal: controller.signal }).cursor()
    await cursor.fill(4)
    controller.abort()
    expect((await cursor.read(9)).length).toBe(3)
  })
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
    async function* stuck() {
      yield 'abc'
      await new Promise(() => {})
    }
    const cache = StreamCache.from(stuck())
    await settle()
    await cache.cancel()
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(timersOfTheRunner)
  })

  test('tells what closing the source throws to who cancels', async () => {
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => Promise.reject(new Error('cannot close')),
      }),
    }
    await expect(StreamCache.from(source).cancel()).rejects.toThrow('cannot close')
    // Releasing has nobody to tell it to, and must not end the process.
    StreamCache.from(source).cursor().release()
    await settle()
  })
})

describe('iterating', () => {
  test('gives the chunks as they are, and lets the loop turn while everything is there', async () => {
    const chunks = Array.from({ length: 200_000 }, () => bytes(1))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    let length = 0
    for await (const chunk of StreamCache.from(chunks)) length += chunk.length
    const elapsed = performance.now() - start
    clearInterval(timer)
    expect(length).toBe(200_000)
    expect(turns).toBeGreaterThan(elapsed / 60)
  })

  test('by awaited reads lets the loop turn, too', async () => {
    const cursor = StreamCache.from(new Uint8Array(300_000)).cursor()
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    while ((await cursor.read(1)).length > 0);
    const elapsed = performance.now() - start
    clearInterval(timer)
    expect(turns).toBeGreaterThan(elapsed / 60)
  })
})

const timersOfTheRunner = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

async function collectGarbage(): Promise<void> {
  await settle()
  if (!global.gc) throw new Error('the tests need --expose-gc')
  global.gc()
  await settle()
}
