import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { SourceError } from '../../source/stream/errors.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { everyCut } from '../support/collect.ts'
import { watchSignal, watchTimers } from '../support/resources.ts'
import { isBun } from '../support/runtime.ts'
import { failing, settle, slowly, stalling } from '../support/sources.ts'

const bytes = (...values: number[]) => new Uint8Array(values)

describe('a source that fails', () => {
  test('wakes everybody with a SourceError each, and what had arrived can be read', async () => {
    const reason = new Error('the disk is gone')
    const cache = StreamCache.from(failing(['abc', 'def'], reason))
    const cursors = [cache.cursor(), cache.cursor(), cache.cursor()]
    const errors = await Promise.all(cursors.map((cursor) => cursor.read(7).catch((error: unknown) => error)))
    for (const error of errors) {
      expect(error).toBeInstanceOf(SourceError)
      expect(error).toMatchObject({ code: 'source-failed', cause: reason, byteOffset: 6 })
      expect((error as Error).message).toBe('the source failed: the disk is gone')
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

  test.skipIf(isBun)('gives everybody who waits a stack of their own, whatever the reason', async () => {
    const stacks: Record<string, string | undefined> = {}
    async function waitsForBytes(name: string, cache: StreamCache, options?: { timeout: number }) {
      const error = await cache
        .cursor()
        .fill(9, options)
        .catch((error: unknown) => error)
      stacks[name] = (error as Error).stack
    }
    const cancelled = new StreamCache()
    const waits = [
      waitsForBytes('stalled', StreamCache.from(stalling(['abc']), { idleTimeout: 5 })),
      waitsForBytes('timed out', StreamCache.from(stalling(['abc'])), { timeout: 5 }),
      waitsForBytes('limited', StreamCache.from(stalling(['abc']), { limits: { maxRetained: 2 } })),
      waitsForBytes('cancelled', cancelled),
    ]
    await settle()
    await cancelled.cancel()
    await Promise.all(waits)
    expect(Object.keys(stacks).sort()).toEqual(['cancelled', 'limited', 'stalled', 'timed out'])
    for (const [name, stack] of Object.entries(stacks)) expect(stack, name).toContain('waitsForBytes')
  })

  test('before it gave anything leaves nothing to read', async () => {
    const cursor = StreamCache.from(failing([], 'reason')).cursor()
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: 'reason', byteOffset: 0 })
    expect([cursor.available, cursor.peekChunk().length, cursor.done]).toEqual([0, 0, false])
  })

  test('at any place leaves what arrived before it, however it was cut', async () => {
    const text = new TextEncoder().encode('0123456789')
    for (const chunks of everyCut(text)) {
      const cursor = StreamCache.from(failing(chunks, 'reason')).cursor()
      await expect(cursor.fill(11)).rejects.toMatchObject({ code: 'source-failed', byteOffset: 10 })
      expect(await cursor.read(4)).toEqual(text.slice(0, 4))
      expect(() => cursor.peek(7)).toThrow(SourceError)
      await expect(cursor.read(7)).rejects.toMatchObject({ code: 'source-failed' })
      expect(await cursor.read(6)).toEqual(text.slice(4))
      cursor.release()
    }
  })

  test('by hand is closed, wakes writers and readers, and stays failed as it failed first', async () => {
    const source = stalling(['abc'])
    const cache = StreamCache.from(source, { highWaterMark: 1 })
    const cursor = cache.cursor()
    const outcomes = Promise.allSettled([cursor.read(9), cursor.clone().fill(9)])
    await settle()
    cache.fail('first')
    cache.fail('second')
    cache.end()
    const later = cache.cursor()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { cause: 'first' } })
    await expect(cache.ready()).rejects.toMatchObject({ code: 'source-failed', cause: 'first' })
    await expect(later.read(4)).rejects.toMatchObject({ message: 'the source failed: first' })
    expect((await later.read(3)).length).toBe(3)
    expect([source.isClosed, cache.ended]).toEqual([true, false])
  })

  test('after the end of the stream changes nothing', async () => {
    const cache = StreamCache.from('abc')
    await cache.cursor().fill(4)
    cache.fail('too late')
    expect((await cache.cursor().read(9)).length).toBe(3)
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
    expect(error).toMatchObject({ code: 'source-stalled', message: 'the source sent nothing for 20 ms' })
    expect((await cursor.read(1)).length).toBe(1)
    expect(source.isClosed).toBe(true)
  })

  test('gets no more time by anything but a chunk: not by cursors that come and go, nor by waits that end', async () => {
    const cache = StreamCache.from(stalling(['abc']), { idleTimeout: 60 })
    const cursor = cache.cursor()
    let released = 0
    const timer = setInterval(() => {
      cache.cursor().release()
      released++
    }, 5)
    await expect(cursor.fill(4)).rejects.toMatchObject({ code: 'source-stalled' })
    clearInterval(timer)
    expect(released).toBeGreaterThan(1)
    cursor.release()
  })

  test('is distinguished from a reader with less patience', async () => {
    const cache = StreamCache.from(stalling(['abc']), { idleTimeout: 60 })
    const [hasty, patient] = [cache.cursor(), cache.cursor()]
    const outcome = expect(patient.fill(4, { timeout: 10_000 })).rejects.toMatchObject({ code: 'source-stalled' })
    await expect(hasty.fill(4, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(hasty.peek(4)).toBeUndefined()
    await outcome
    expect(() => hasty.peek(4)).toThrow(SourceError)
    hasty.release()
    patient.release()
  })

  test('has its time counted from when somebody waits, not from its last chunk', async () => {
    const cache = new StreamCache({ idleTimeout: 150 })
    const cursor = cache.cursor()
    cache.write('a')
    await sleep(200)
    const read = cursor.read(2)
    await settle()
    cache.write('b')
    expect((await read).length).toBe(2)
  })

  test('leaves no timer, and lets the process end', async () => {
    await watchTimers(async (left) => {
      const cache = StreamCache.from(stalling(['abc']), { idleTimeout: 1_000_000 })
      const cursor = cache.cursor()
      const wait = cursor.fill(4, { timeout: 2_000_000 }).catch(() => {})
      await settle()
      expect(left()).toBe(1)
      cursor.release()
      await wait
      await settle()
      expect(left()).toBe(0)
    })
  })

  test('is given the time again with each chunk', async () => {
    async function* steady() {
      for (let i = 0; i < 8; i++) {
        await sleep(50)
        yield 'x'
      }
    }
    // All of it takes longer than the time that is given for each.
    const cursor = StreamCache.from(steady(), { idleTimeout: 300 }).cursor()
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
    const outcome = expect(cursor.read(5)).rejects.toBe('enough')
    await settle()
    controller.abort('enough')
    await outcome
    expect(source.isClosed).toBe(true)
    expect((await cursor.read(3)).length).toBe(3)
  })

  test('before it begins reads nothing, and closes the source', async () => {
    const source = stalling(['abc'])
    const cursor = StreamCache.from(source, { signal: AbortSignal.abort('before') }).cursor()
    await expect(cursor.read(1)).rejects.toBe('before')
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('leaves no listener on the signal, however the stream is over', async () => {
    const { signal, listeners } = watchSignal()
    const open = () => StreamCache.from(stalling(['abc']), { signal })
    const caches = [open(), open(), open(), open()]
    expect(listeners()).toBe(4)
    const [ended, failed, cancelled, released] = caches
    ended?.end()
    failed?.fail('reason')
    await cancelled?.cancel()
    released?.cursor().release()
    expect(() => StreamCache.from(7 as unknown as string, { signal })).toThrow(TypeError)
    expect(listeners()).toBe(0)
  })

  test('from within the source closes it as well', async () => {
    for (const isAsync of [false, true]) {
      const controller = new AbortController()
      let isClosed = false
      function* source() {
        try {
          yield 'abc'
          controller.abort('enough')
          yield 'def'
        } finally {
          isClosed = true
        }
      }
      async function* asyncSource() {
        yield* source()
      }
      const cache = StreamCache.from(isAsync ? asyncSource() : source(), { signal: controller.signal })
      await expect(cache.cursor().read(4)).rejects.toBe('enough')
      await settle()
      expect(isClosed).toBe(true)
    }
  })

  test('after the end changes nothing', async () => {
    const controller = new AbortController()
    const cursor = StreamCache.from('abc', { signal: controller.signal }).cursor()
    await cursor.fill(4)
    controller.abort()
    expect((await cursor.read(9)).length).toBe(3)
  })
})
