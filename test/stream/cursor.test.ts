import { describe, expect, test } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { everyCut } from '../support/collect.ts'
import { settle, stalling } from '../support/sources.ts'

const bytes = Uint8Array.from({ length: 23 }, (_, i) => i)
const range = (from: number, to: number) => bytes.slice(from, to)

/** A cursor over chunks that are all there. */
async function cursorOver(chunks: Uint8Array[]): Promise<Cursor> {
  const cache = new StreamCache()
  for (const chunk of chunks) cache.write(chunk)
  cache.end()
  return cache.cursor()
}

describe('peeking', () => {
  test('gives what is asked for across chunks, and fewer only at the end', async () => {
    for (const chunks of everyCut(bytes)) {
      const cursor = await cursorOver(chunks)
      for (const n of [0, 1, 5, 22, 23]) expect(cursor.peek(n)).toEqual(range(0, n))
      expect(cursor.peek(24)).toEqual(bytes)
      expect(cursor.peek(2 ** 40)).toEqual(bytes)
      cursor.skip(20)
      expect(cursor.peek(2)).toEqual(range(20, 22))
      expect(cursor.peek(100)).toEqual(range(20, 23))
      cursor.skip(3)
      expect(cursor.peek(1)).toEqual(new Uint8Array(0))
      expect(cursor.done).toBe(true)
    }
  })

  test('does not move', async () => {
    const cursor = await cursorOver([bytes])
    cursor.peek(10)
    expect([cursor.offset, cursor.available]).toEqual([0, 23])
  })

  test('gives undefined while bytes are missing and may still come', () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    expect(cursor.peek(1)).toBeUndefined()
    expect(cursor.peek(0)).toEqual(new Uint8Array(0))
    cache.write(range(0, 3))
    expect(cursor.peek(4)).toBeUndefined()
    expect(cursor.peek(3)).toEqual(range(0, 3))
    cache.write(range(3, 4))
    expect(cursor.peek(4)).toEqual(range(0, 4))
    expect(cursor.done).toBe(false)
    cache.end()
    expect(cursor.peek(5)).toEqual(range(0, 4))
  })

  test('is a view of the chunk that was taken over', async () => {
    const cursor = await cursorOver([bytes])
    cursor.skip(3)
    const view = cursor.peek(4)
    expect(view?.buffer).toBe(bytes.buffer)
    expect(view?.byteOffset).toBe(3)
  })

  test('joins bytes of several chunks once, also for a clone', async () => {
    const cursor = await cursorOver([range(0, 5), range(5, 9), range(9, 23)])
    const joined = cursor.peek(8)
    expect(cursor.peek(8)?.buffer).toBe(joined?.buffer)
    expect(cursor.clone().peek(12)?.buffer).toBe(joined?.buffer)
  })

  test('gives views that stay as they are when the stream moves on', async () => {
    const cursor = await cursorOver([...everyCut(bytes)][1] as Uint8Array[])
    const early = cursor.peek(10)
    cursor.skip(5)
    const late = cursor.peek(18)
    cursor.skip(18)
    cursor.release()
    expect([early, late]).toEqual([range(0, 10), range(5, 23)])
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3'])('of %s bytes is refused', async (n) => {
    const cursor = await cursorOver([bytes])
    const expected = expect.objectContaining({ name: 'RangeError', code: 'invalid-length' })
    expect(() => cursor.peek(n as number)).toThrow(expected)
    expect(() => cursor.skip(n as number)).toThrow(expected)
    await expect(cursor.fill(n as number)).rejects.toEqual(expected)
    await expect(cursor.read(n as number)).rejects.toEqual(expected)
    expect(cursor.offset).toBe(0)
  })
})

describe('skipping', () => {
  test('moves, also across chunks, by any distance', async () => {
    for (const chunks of everyCut(bytes)) {
      for (const distance of [0, 1, 4, 22, 23]) {
        const cursor = await cursorOver(chunks)
        cursor.skip(distance)
        expect([cursor.offset, cursor.available]).toEqual([distance, 23 - distance])
        expect(cursor.peek(100)).toEqual(range(distance, 23))
      }
    }
  })

  test('past what has arrived is refused, and does not move', () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    cache.write(range(0, 4))
    const expected = expect.objectContaining({ name: 'RangeError', code: 'past-available' })
    expect(() => cursor.skip(5)).toThrow(expected)
    expect(cursor.offset).toBe(0)
    cursor.skip(4)
    expect(() => cursor.skip(1)).toThrow(expected)
    cache.write(range(4, 6))
    cursor.skip(1)
    expect(cursor.peek(1)).toEqual(range(5, 6))
  })
})

describe('cloning', () => {
  test('gives a cursor that is independent', async () => {
    const cursor = await cursorOver([range(0, 10), range(10, 23)])
    cursor.skip(8)
    const clone = cursor.clone()
    cursor.skip(10)
    expect([clone.offset, cursor.offset]).toEqual([8, 18])
    expect(await clone.read(4)).toEqual(range(8, 12))
    clone.release()
    expect(await cursor.read(9)).toEqual(range(18, 23))
  })

  test('keeps what is joined, and nothing else in common', async () => {
    for (const chunks of everyCut(bytes)) {
      const cursor = await cursorOver(chunks)
      cursor.skip(1)
      const joined = cursor.peek(20)
      const clone = cursor.clone()
      expect(clone.peek(20)?.buffer).toBe(joined?.buffer)
      cursor.skip(15)
      expect(clone.peek(20)?.buffer).toBe(joined?.buffer)
      expect(clone.peek(20)).toEqual(range(1, 21))
      clone.skip(22)
      expect([clone.done, cursor.done, cursor.available]).toEqual([true, false, 7])
    }
  })

  test('works at the end, before more arrives', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    cache.write(range(0, 2))
    cursor.skip(2)
    const clone = cursor.clone()
    cache.write(range(2, 5))
    expect([clone.peek(3), cursor.peek(3)]).toEqual([range(2, 5), range(2, 5)])
  })
})

describe('chunks', () => {
  test('are given as they arrived, from the cursor on, without copying', async () => {
    const cache = new StreamCache()
    const chunks = [range(0, 5), range(5, 9), range(9, 23)]
    for (const chunk of chunks) cache.write(chunk)
    cache.end()
    const cursor = cache.cursor()
    cursor.skip(2)
    expect(cursor.peekChunk()).toEqual(range(2, 5))
    expect(cursor.peekChunk().buffer).toBe(chunks[0]?.buffer)
    const given: Uint8Array[] = []
    for await (const chunk of cursor.chunks()) {
      given.push(chunk)
      if (given.length === 2) break
    }
    expect(given).toEqual([range(2, 5), range(5, 9)])
    // Leaving the loop releases nothing.
    expect(await cursor.read(3)).toEqual(range(9, 12))
  })

  test('are empty when nothing has arrived', () => {
    expect(new StreamCache().cursor().peekChunk()).toEqual(new Uint8Array(0))
  })
})

describe('a released cursor', () => {
  test('refuses everything but being looked at', async () => {
    const cursor = await cursorOver([bytes])
    const other = cursor.clone()
    cursor.skip(7)
    cursor.release()
    cursor.release()
    expect([cursor.offset, cursor.available, cursor.done]).toEqual([7, 0, true])
    const expected = expect.objectContaining({ name: 'TypeError', code: 'cursor-released' })
    for (const n of [0, 1]) {
      expect(() => cursor.peek(n)).toThrow(expected)
      expect(() => cursor.skip(n)).toThrow(expected)
      await expect(cursor.fill(n)).rejects.toEqual(expected)
      await expect(cursor.read(n)).rejects.toEqual(expected)
    }
    expect(() => cursor.clone()).toThrow(expected)
    expect(() => cursor.peekChunk()).toThrow(expected)
    expect(await other.read(3)).toEqual(range(0, 3))
  })

  test('that waits is woken', async () => {
    const cache = StreamCache.from(stalling([range(0, 1)]))
    const [cursor, other] = [cache.cursor(), cache.cursor()]
    const waiting = cursor.read(5)
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'cursor-released' })
    await settle()
    cursor.release()
    await outcome
    other.release()
  })

  test('may be released by the runtime at the end of a block', async () => {
    const first = await cursorOver([bytes])
    {
      using cursor = first
      expect(cursor.done).toBe(false)
    }
    expect(first.done).toBe(true)
  })

  test('can be released while a source is read, and even by its source', async () => {
    let cursor: Cursor | undefined
    let isClosed = false
    function* source() {
      try {
        yield range(0, 1)
        cursor?.release()
        yield range(1, 2)
      } finally {
        isClosed = true
      }
    }
    cursor = StreamCache.from(source(), { highWaterMark: 1 }).cursor()
    await expect(cursor.fill(2)).rejects.toMatchObject({ code: 'cursor-released' })
    await settle()
    expect(isClosed).toBe(true)
  })
})
