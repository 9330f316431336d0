import { describe, expect, test } from 'vitest'
import { LimitError, SourceError } from '../../source/stream/errors.ts'
import { StreamCache, type StreamCacheOptions } from '../../source/stream/stream-cache.ts'
import { failing, settle, stalling } from '../support/sources.ts'
import { countTurns } from '../support/turns.ts'

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

  test('shows the writer when to wait, and for how long', async () => {
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
    const cache = new StreamCache({ highWaterMark: 2, limits: { maxRetained: 100 } })
    const cursor = cache.cursor()
    expect(cache.write(bytes(1, 2))).toBe(false)
    const ready = cache.ready()
    const read = cursor.read(3)
    await ready
    cache.write(bytes(3))
    expect(await read).toEqual(bytes(1, 2, 3))
  })

  test('refuses what a writer that never waits piles up beyond the limit', () => {
    const cache = new StreamCache({ highWaterMark: 2, limits: { maxRetained: 4 } })
    cache.write(new Uint8Array(4))
    const write = () => cache.write(bytes(1))
    expect(write).toThrow(LimitError)
    expect(write).toThrow(
      expect.objectContaining({ byteOffset: 4, requested: 1, retainedFrom: 0, retained: 4, limit: 4 }),
    )
    expect(write).toThrow('the writer at byte 4')
    expect(cache.write('')).toBe(false)
    const refuse = () => cache.write(7 as unknown as string)
    expect(refuse).toThrow(expect.objectContaining({ code: 'invalid-chunk' }))
  })

  test('loses nothing of a surrogate pair whose second half was refused and is written again', async () => {
    const cache = new StreamCache({ limits: { maxRetained: 1 } })
    const cursor = cache.cursor()
    cache.write('a\ud83c')
    expect(() => cache.write('\udf33')).toThrow(LimitError)
    cursor.skip(1)
    cache.write('\udf33')
    cache.end()
    expect(new TextDecoder().decode(await cursor.read(9))).toBe('🌳')
  })

  test('gives half a pair at the end as U+FFFD, to those who wait as well', async () => {
    const cache = new StreamCache()
    const read = cache.cursor().read(9)
    cache.write('\ud83c')
    await settle()
    expect(cache.retained).toBe(0)
    cache.end()
    expect(new TextDecoder().decode(await read)).toBe('\ufffd')
  })

  test('wakes who waits for bytes and who waits for room when it ends', async () => {
    const cache = new StreamCache({ highWaterMark: 2 })
    const cursor = cache.cursor()
    cache.write('ab')
    const ready = cache.ready()
    cache.end()
    await ready
    expect(await cursor.fill(3)).toBe(false)
    const empty = new StreamCache()
    const [fill, read] = [empty.cursor().fill(1), empty.cursor().read(1)]
    empty.end()
    expect(await fill).toBe(false)
    expect(await read).toEqual(bytes())
  })

  test('lets a writer give up waiting', async () => {
    const cache = new StreamCache({ highWaterMark: 1 })
    cache.write('ab')
    await expect(cache.ready({ timeout: 2 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cache.ready({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  })

  test('copies chunks only when asked to', () => {
    const chunk = bytes(1, 2, 3)
    const views = [false, true].map((copy) => {
      const cache = new StreamCache({ copy })
      cache.write(chunk)
      return cache.cursor().peek(3)
    })
    chunk.fill(9)
    expect(views).toEqual([bytes(9, 9, 9), bytes(1, 2, 3)])
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

  test('shows a writer that nobody reads any more', async () => {
    const cache = new StreamCache({ highWaterMark: 1 })
    const cursor = cache.cursor()
    cache.write('xy')
    const ready = expect(cache.ready()).rejects.toMatchObject({ code: 'source-cancelled' })
    cursor.release()
    await ready
    await expect(cache.ready()).rejects.toBeInstanceOf(SourceError)
  })

  test.each([
    [{ highWaterMark: -1 }, 'RangeError', 'highWaterMark must be a number of at least 0, not -1'],
    [{ highWaterMark: '9' }, 'TypeError', 'highWaterMark must be a number of at least 0, not "9"'],
    [{ limits: { maxRetained: 0 } }, 'RangeError', 'maxRetained must be a number of at least 1, not 0'],
    [{ idleTimeout: Number.NaN }, 'RangeError', 'idleTimeout must be a number of at least 0, not NaN'],
  ])('refuses the options %j', (options, name, message) => {
    expect(() => new StreamCache(options as StreamCacheOptions)).toThrow(
      expect.objectContaining({ name, code: 'invalid-option', message }),
    )
  })
})

describe('iterating', () => {
  test('gives the chunks as they arrived, to their end', async () => {
    const chunks = ['ab', 'c', 'def'].map((text) => new TextEncoder().encode(text))
    const given: Uint8Array[] = []
    for await (const chunk of StreamCache.from(chunks)) given.push(chunk)
    expect(given).toEqual(chunks)
    expect(given.map(({ buffer }) => buffer)).toEqual(chunks.map(({ buffer }) => buffer))
  })

  test('gives what had arrived before a failure, and throws then', async () => {
    const given: Uint8Array[] = []
    const iterate = async () => {
      for await (const chunk of StreamCache.from(failing(['ab', 'c'], 'reason'))) given.push(chunk)
    }
    await expect(iterate()).rejects.toMatchObject({ code: 'source-failed', cause: 'reason' })
    expect(Buffer.concat(given).toString()).toBe('abc')
  })

  test('gives no empty chunks, whatever the source gives', async () => {
    const chunks = [bytes(), bytes(1), '', bytes(), bytes(2), '\ud83c', '', '\udf33', bytes()]
    const given: number[] = []
    for await (const chunk of StreamCache.from(chunks)) given.push(chunk.length)
    expect(given).toEqual([1, 1, 4])
  })

  test('begins at the first retained byte, and leaves other cursors theirs', async () => {
    const cache = StreamCache.from(['abc', 'def'])
    const cursor = cache.cursor()
    cursor.skip(2)
    const given: Uint8Array[] = []
    for await (const chunk of cache) given.push(chunk)
    expect(Buffer.concat(given).toString()).toBe('cdef')
    expect(cache.start).toBe(2)
    cursor.release()
  })

  test('is refused after the last cursor was released', async () => {
    const cache = StreamCache.from('abc')
    for await (const _ of cache);
    expect(() => cache[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'cache-closed' }))
  })

  test('can be left while it waits, which ends the wait', async () => {
    const source = stalling(['abc'])
    const iterator = StreamCache.from(source)[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = iterator.next()
    await settle()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(source.isClosed).toBe(true)
  })
})

describe('the event loop turns while everything is there', () => {
  const chunks = Array.from({ length: 1000 }, () => bytes(1))
  function* repeat<T>(values: Iterable<T>, isOver: () => boolean) {
    while (!isOver()) yield* values
  }

  test('and a cache is iterated', async () => {
    const { turns, fair } = await countTurns(async (isOver) => {
      for await (const _ of StreamCache.from(repeat(chunks, isOver)));
    })
    expect(turns).toBeGreaterThan(fair)
  })

  test('and a cursor reads', async () => {
    const cursor = StreamCache.from(new Uint8Array(4_000_000)).cursor()
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver() && (await cursor.read(1)).length > 0);
    })
    expect(turns).toBeGreaterThan(fair)
  })

  test('and a cursor is filled', async () => {
    const cursor = StreamCache.from(new Uint8Array(10)).cursor()
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver()) await cursor.fill(1)
    })
    expect(turns).toBeGreaterThan(fair)
  })

  test('and a source gives nothing but empty chunks', async () => {
    const { turns, fair } = await countTurns(async (isOver) => {
      await StreamCache.from(repeat([bytes()], isOver))
        .cursor()
        .read(1)
    })
    expect(turns).toBeGreaterThan(fair)
  })
})
