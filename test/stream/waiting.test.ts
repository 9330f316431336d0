// How a cursor waits: filling, and reading, which is filling and moving.

import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { everyCut } from '../support/collect.ts'
import { settle, slowly } from '../support/sources.ts'

const bytes = Uint8Array.from({ length: 23 }, (_, i) => i)
const range = (from: number, to: number) => bytes.slice(from, to)

describe('filling', () => {
  test('waits until enough is there', async () => {
    for (const chunks of everyCut(bytes)) {
      const cursor = StreamCache.from(slowly(chunks)).cursor()
      for (const n of [1, 7, 23]) {
        expect(await cursor.fill(n)).toBe(true)
        expect(cursor.peek(n)).toEqual(range(0, n))
      }
      expect(await cursor.fill(24)).toBe(false)
      expect(cursor.peek(24)).toEqual(bytes)
      expect(cursor.offset).toBe(0)
      cursor.release()
    }
  })

  test('of an empty stream is false, and of nothing is true', async () => {
    const cursor = StreamCache.from('').cursor()
    expect(await cursor.fill(0)).toBe(true)
    expect(await cursor.fill(1)).toBe(false)
    expect(cursor.done).toBe(true)
  })

  test('and reading have one time limit for the complete wait, however often something arrives', async () => {
    const cache = new StreamCache()
    const [filling, reading] = [cache.cursor(), cache.cursor()]
    const timer = setInterval(() => cache.write(bytes), 2)
    const expected = { name: 'TimeoutError', message: '100000 bytes at byte 0 did not arrive within 40 ms' }
    await Promise.all([
      expect(filling.fill(100_000, { timeout: 40 })).rejects.toMatchObject(expected),
      expect(reading.read(100_000, { timeout: 40 })).rejects.toMatchObject(expected),
    ])
    clearInterval(timer)
    expect([filling.offset, reading.offset]).toEqual([0, 0])
  })

  test.each([-1, Number.NaN, '5'])('for %j ms is refused, and does not harm the stream', async (timeout) => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    const expected = expect.objectContaining({ name: 'RangeError', code: 'invalid-option' })
    await expect(cursor.fill(1, { timeout: timeout as number })).rejects.toEqual(expected)
    await expect(cursor.read(1, { timeout: timeout as number })).rejects.toEqual(expected)
    cache.write(range(0, 1))
    expect(await cursor.read(1)).toEqual(range(0, 1))
  })

  test('with a signal that has aborted is refused, though the bytes are there', async () => {
    const cursor = StreamCache.from(bytes).cursor()
    const signal = AbortSignal.abort('enough')
    await expect(cursor.fill(1, { signal })).rejects.toBe('enough')
    await expect(cursor.read(1, { signal })).rejects.toBe('enough')
    expect(cursor.offset).toBe(0)
  })

  test('several times at once wakes each when its bytes are there', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    const done: number[] = []
    const fills = [3, 1, 2].map((n) => cursor.fill(n).then(() => done.push(n)))
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      cache.write(range(0, 1))
      await settle()
      expect(done).toEqual(expected)
    }
    await Promise.all(fills)
  })

  test('can be aborted and timed out by itself, without harm to the stream', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    await expect(cursor.fill(1, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    const controller = new AbortController()
    const aborted = cursor.fill(1, { signal: controller.signal })
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    await expect(cursor.read(1, { signal: controller.signal })).rejects.toBe('enough')
    cache.write(range(0, 1))
    expect(await cursor.fill(1, { timeout: 5 })).toBe(true)
  })
})

describe('reading', () => {
  test('sees the same bytes as peeking and skipping', async () => {
    for (const chunks of everyCut(bytes)) {
      const reading: Uint8Array[] = []
      const reader = StreamCache.from(slowly(chunks)).cursor()
      for (let piece = await reader.read(4); piece.length > 0; piece = await reader.read(4)) reading.push(piece)
      const peeking: Uint8Array[] = []
      const peeker = StreamCache.from(slowly(chunks)).cursor()
      for (;;) {
        const piece = peeker.peek(4) ?? ((await peeker.fill(4), peeker.peek(4)) as Uint8Array)
        if (piece.length === 0) break
        peeking.push(piece)
        peeker.skip(piece.length)
      }
      expect(peeking).toEqual(reading)
      expect(reading.map((piece) => piece.length)).toEqual([4, 4, 4, 4, 4, 3])
      expect(reader.done && peeker.done).toBe(true)
    }
  })

  test('continues from where the cursor stands when somebody else has moved it meanwhile', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    cache.write(range(0, 2))
    const read = cursor.read(3)
    await settle()
    cursor.skip(2)
    cache.write(range(2, 4))
    await settle()
    cache.write(range(4, 9))
    expect(await read).toEqual(range(2, 5))
    expect(cursor.offset).toBe(5)
  })

  test('that has failed or was given up does not keep the cursor busy', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    await expect(cursor.read(1, { timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cursor.read(-1)).rejects.toMatchObject({ code: 'invalid-length' })
    cache.write(range(0, 1))
    expect(await cursor.read(1)).toEqual(range(0, 1))
  })

  test('twice at once is refused, and the first continues', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    const first = cursor.read(2)
    await expect(cursor.read(1)).rejects.toEqual(expect.objectContaining({ name: 'TypeError', code: 'cursor-busy' }))
    cache.write(range(0, 3))
    expect(await first).toEqual(range(0, 2))
    expect(await cursor.read(1)).toEqual(range(2, 3))
  })
})
