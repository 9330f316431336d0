import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LimitError } from '../../source/stream/errors.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { until } from '../support/resources.ts'
import { CountingSource, settle } from '../support/sources.ts'

/** The same source with a millisecond before each chunk. */
async function* slowed(source: CountingSource) {
  for await (const chunk of source) {
    await sleep(1)
    yield chunk
  }
}

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

  test('begins at 2 MiB when nothing else is said', async () => {
    const source = new CountingSource(64 * 1024, 1000)
    const cursor = StreamCache.from(source).cursor()
    await until(() => source.bytesRead >= 2 * 1024 * 1024)
    await settle()
    expect(source.bytesRead).toBe(2 * 1024 * 1024)
    cursor.release()
  })

  test('has its limit at 256 MiB when nothing else is said', () => {
    const cache = new StreamCache()
    cache.write(new Uint8Array(2 ** 28 - 1))
    cache.write('x')
    expect(() => cache.write('x')).toThrow(expect.objectContaining({ limit: 2 ** 28, retained: 2 ** 28 }))
  })

  test('throws for the limit when it is reached exactly', async () => {
    const source = new CountingSource(10, 1000)
    const cursor = StreamCache.from(source, { highWaterMark: 20, limits: { maxRetained: 100 } }).cursor()
    expect(await cursor.fill(100)).toBe(true)
    await expect(cursor.fill(101)).rejects.toMatchObject({ code: 'retained-limit', retained: 100, requested: 101 })
    expect(source.bytesRead).toBe(100)
    cursor.release()
  })

  test('never reads further ahead than the limit, however high the mark is', async () => {
    const source = new CountingSource(10, 1000)
    const cursor = StreamCache.from(source, { highWaterMark: 500, limits: { maxRetained: 50 } }).cursor()
    await settle()
    expect(source.bytesRead).toBe(50)
    cursor.release()
  })

  test('reads a string and a Blob no further than the mark, too', async () => {
    for (const source of ['x'.repeat(5_000_000), new Blob(['x'.repeat(5_000_000)])]) {
      const cache = StreamCache.from(source, { highWaterMark: 1 })
      const cursor = cache.cursor()
      await cursor.read(1)
      await settle()
      expect(cache.retained).toBeLessThan(1024 * 1024)
      expect((await cursor.read(1e7)).length).toBe(4_999_999)
    }
  })

  test('continues at the moment when the slowest of several cursors has moved far enough', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 100 })
    const cursors = Array.from({ length: 5 }, () => cache.cursor())
    await settle()
    for (const cursor of cursors) {
      expect(source.bytesRead).toBe(100)
      cursor.skip(10)
      await settle()
    }
    expect(source.bytesRead).toBe(110)
    cursors.pop()?.release()
    for (const cursor of cursors) cursor.skip(1)
    await settle()
    expect(source.bytesRead).toBe(120)
    for (const cursor of cursors) cursor.release()
  })

  test('is back when a cursor that waited for more has given up', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(slowed(source), { highWaterMark: 20 })
    const cursor = cache.cursor()
    await expect(cursor.fill(9000, { timeout: 3 })).rejects.toMatchObject({ name: 'TimeoutError' })
    // The chunk that was on its way, and one that the demand still let in.
    const { bytesRead } = source
    await sleep(20)
    expect(source.bytesRead).toBeLessThanOrEqual(bytesRead + 20)
    cursor.release()
  })

  test('stops a source of tiny chunks when there are many, and lets it continue when half of them are read', async () => {
    const source = new CountingSource(1, 100_000)
    const cache = StreamCache.from(source)
    const cursor = cache.cursor()
    await until(() => source.bytesRead >= 8192)
    await settle()
    expect(source.bytesRead).toBe(8192)
    cursor.skip(4095)
    await settle()
    expect(source.bytesRead).toBe(8192)
    cursor.skip(1)
    await until(() => source.bytesRead > 8192)
    await until(() => source.bytesRead === 8192 + 4096)
    await settle()
    expect(source.bytesRead).toBe(8192 + 4096)
    // Who waits for more gets more.
    expect(await cursor.fill(50_000)).toBe(true)
    cursor.release()
  })

  test('lets a cursor go further when it must, up to the limit, and then names who holds what', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 20, limits: { maxRetained: 100 } })
    const [slow, fast] = [cache.cursor(), cache.cursor()]
    await slow.read(5)
    await fast.read(60)
    expect(source.bytesRead).toBe(60)
    const error = await fast.fill(100).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(LimitError)
    expect(error).toMatchObject({ code: 'retained-limit', byteOffset: 60, requested: 100, retainedFrom: 5, limit: 100 })
    expect((error as LimitError).retained).toBe(105)
    expect((error as Error).message).toContain('at byte 60 needs 100 bytes')
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
