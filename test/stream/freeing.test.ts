import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { TextCursor } from '../../source/text/text-cursor.ts'
import { isThorough, sample } from '../support/extent.ts'
import { collectGarbage, until } from '../support/resources.ts'
import { isBun } from '../support/runtime.ts'
import { CountingSource, settle, slowly } from '../support/sources.ts'

const bytes = (...values: number[]) => new Uint8Array(values)

afterEach(() => vi.restoreAllMocks())

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

  test.runIf(isThorough)('gives the memory of passed chunks back', async () => {
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
    cursor.release()
  })

  test.skipIf(isBun)('keeps a passed chunk for as long as a view of it is held, and no longer', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    const write = (value: number) => {
      const chunk = new Uint8Array(100_000).fill(value)
      cache.write(chunk)
      return new WeakRef(chunk.buffer)
    }
    const buffers = [write(0), write(1), write(2)]
    let view = cursor.peek(10)
    cursor.skip(200_000)
    await collectGarbage()
    expect(buffers.map((buffer) => buffer.deref() !== undefined)).toEqual([true, false, true])
    expect(view).toEqual(new Uint8Array(10))
    view = undefined
    await collectGarbage()
    expect(buffers.map((buffer) => buffer.deref() !== undefined)).toEqual([false, false, true])
    cursor.release()
  })

  test('gives everything back on release, joined bytes included, though the cursor is held', async () => {
    const cache = new StreamCache()
    const [cursor, other] = [cache.cursor(), cache.cursor()]
    cache.write(new Uint8Array(100_000))
    cache.write(new Uint8Array(100_000))
    const joined = (() => new WeakRef((cursor.peek(150_000) as Uint8Array).buffer))()
    other.skip(200_000)
    cursor.release()
    await collectGarbage()
    expect(joined.deref()).toBeUndefined()
    expect([cursor.offset, cache.start]).toEqual([0, 200_000])
    other.release()
  })

  test.runIf(isThorough)(
    'happens without a warning for a cursor that was released, or has read everything',
    async () => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      const refs = await (async () => {
        const ended = StreamCache.from(slowly(['0123456', '78'])).cursor()
        await ended.read(100)
        const released = StreamCache.from(slowly(['01234567', '89'])).cursor()
        await released.read(4)
        released.release()
        return [new WeakRef(ended), new WeakRef(released)]
      })()
      for (let i = 0; i < 50 && refs.some((ref) => ref.deref()); i++) await collectGarbage()
      await sleep(20)
      expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined])
      // Cursors of other tests may be among those collected now: these two would have stood at 9 and 4.
      expect(warn.mock.calls.filter(([message]) => /at byte (9|4) /.test(String(message)))).toEqual([])
    },
  )

  test.each(
    sample(
      [
        ['at the end of what had arrived, but not of the stream', 1234, false],
        ['before the end of a stream that has ended', 1111, true],
      ] as const,
      1,
    ),
  )('happens with a warning for a cursor that was forgotten %s', async (_, offset, isEnded) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const isAbout = ([message]: readonly unknown[]) => String(message).includes(`at byte ${offset} `)
    const cache = new StreamCache()
    cache.write(new Uint8Array(1234))
    if (isEnded) cache.end()
    const kept = cache.cursor()
    const forgotten = (() => {
      const cursor = cache.cursor()
      cursor.skip(offset)
      return new WeakRef(cursor)
    })()
    for (let i = 0; i < 50 && forgotten.deref(); i++) await collectGarbage()
    await until(() => warn.mock.calls.some(isAbout), 1000)
    expect(warn.mock.calls.filter(isAbout)).toHaveLength(1)
    kept.release()
  })

  test.runIf(isThorough)('closes the source when the last cursor was forgotten', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const source = new CountingSource(10, 1000)
    ;(() => {
      StreamCache.from(source, { highWaterMark: 30 }).cursor()
    })()
    await settle()
    expect(source.isClosed).toBe(false)
    for (let i = 0; i < 50 && !source.isClosed; i++) {
      await collectGarbage()
      await sleep(10)
    }
    expect(source.isClosed).toBe(true)
    expect(warn).toHaveBeenCalled()
  })

  test.runIf(isThorough)('happens with a warning for a cursor that was forgotten', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
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
    expect(cache.start).toBe(60)
    const calls = warn.mock.calls.filter(([message]) => String(message).startsWith('A cursor at byte 3 '))
    expect(calls).toEqual([[expect.stringContaining('collected without release()'), 'XylemWarning']])
    kept.release()
  })

  test.runIf(isThorough)('works beyond 2^32 bytes', async () => {
    const chunk = new Uint8Array(2 ** 26)
    chunk[5] = 0xff
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
    expect(cursor.available).toBe(cache.retained - 5)
    expect(cursor.peek(1)).toEqual(bytes(0xff))
    expect(cache.start).toBe(2 ** 32)
    mark.release()
    expect(cache.start).toBe(2 ** 32 + 5)
    await cursor.fill(2 ** 26)
    cursor.skip(2 ** 26 - 10)
    expect((await cursor.read(8)).length).toBe(8) // across two chunks
    const text = new TextCursor(cursor)
    await expect(text.read(7)).rejects.toMatchObject({ code: 'malformed-utf8', byteOffset: 2 ** 32 + 2 ** 26 + 5 })
    expect(await text.read(2)).toBe('\0\0')
    expect([text.offset, cache.start]).toEqual([2 ** 32 + 2 ** 26 + 5, 2 ** 32 + 2 ** 26 + 5])
    text.release()
  })
})
