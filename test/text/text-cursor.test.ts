import { describe, expect, test } from 'vitest'
import { SourceError } from '../../source/stream/errors.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { TextCursor } from '../../source/text/text-cursor.ts'
import { everyCut } from '../support/collect.ts'
import { CountingSource, failing, settle, slowly, stalling } from '../support/sources.ts'
import { countTurns } from '../support/turns.ts'

const text = 'Wé 木\n🌳🌳é, and wood\r\n\u0000 end 🌳'
const bytes = new TextEncoder().encode(text)
const byteLength = (part: string) => new TextEncoder().encode(part).length

/** A cursor over chunks that are all there. */
function cursorOver(chunks: Uint8Array[]): TextCursor {
  const cache = new StreamCache()
  for (const chunk of chunks) cache.write(chunk)
  cache.end()
  return new TextCursor(cache)
}

/** The first `n` units of a text from `start` on, rounded up to a complete code point. */
function expectedSlice(start: number, n: number): string {
  const slice = text.slice(start, start + n)
  return /[\ud800-\udbff]$/.test(slice) ? text.slice(start, start + n + 1) : slice
}

describe('peeking at text', () => {
  test('gives UTF-16 units, rounded up to a complete code point, however the bytes are cut', () => {
    for (const chunks of everyCut(bytes)) {
      const cursor = cursorOver(chunks)
      for (let n = 0; n <= text.length + 3; n++) expect(cursor.peek(n)).toBe(expectedSlice(0, n))
      expect(cursor.offset).toBe(0)
    }
  })

  test('gives undefined while units are missing and may still come', () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    expect(cursor.peek(0)).toBe('')
    expect(cursor.peek(1)).toBeUndefined()
    for (const byte of new TextEncoder().encode('é🌳').subarray(0, 5)) {
      cache.write(new Uint8Array([byte]))
      cursor.peek(1)
    }
    expect([cursor.peek(1), cursor.peek(2), cursor.available]).toEqual(['é', undefined, 1])
    cache.write(new Uint8Array([0xb3]))
    expect([cursor.peek(2), cursor.peek(3), cursor.peek(4)]).toEqual(['é🌳', 'é🌳', undefined])
    cache.end()
    expect(cursor.peek(4)).toBe('é🌳')
  })

  test.each([-1, 0.5, Number.NaN])('at %d units is refused', (n) => {
    const cursor = cursorOver([bytes])
    expect(() => cursor.peek(n)).toThrow(expect.objectContaining({ code: 'invalid-length' }))
    expect(() => cursor.skip(n)).toThrow(expect.objectContaining({ code: 'invalid-length' }))
  })
})

describe('moving over text', () => {
  test('keeps offsets in bytes, and frees what was read', () => {
    for (const chunks of everyCut(bytes)) {
      const cache = new StreamCache()
      for (const chunk of chunks) cache.write(chunk)
      cache.end()
      const cursor = new TextCursor(cache)
      let index = 0
      for (const step of [1, 1, 2, 1, 3, 5, 0, 7]) {
        const skipped = expectedSlice(index, step)
        cursor.skip(step)
        index += skipped.length
        expect(cursor.offset).toBe(byteLength(text.slice(0, index)))
        expect(cache.start).toBe(cursor.offset)
        expect(cursor.peek(4)).toBe(expectedSlice(index, 4))
      }
    }
  })

  test('past what has arrived is refused, and does not move', () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    cache.write('é🌳')
    expect(() => cursor.skip(4)).toThrow(expect.objectContaining({ name: 'RangeError', code: 'past-available' }))
    expect(cursor.offset).toBe(0)
    cursor.skip(3)
    expect(cursor.offset).toBe(6)
  })
})

describe('reading text', () => {
  test('sees the same text as peeking and skipping, from a source that is slow', async () => {
    for (const chunks of everyCut(bytes)) {
      const reader = new TextCursor(StreamCache.from(slowly(chunks)))
      const parts: string[] = []
      for (let part = await reader.read(3); part !== ''; part = await reader.read(3)) parts.push(part)
      expect(parts.join('')).toBe(text)
      expect(reader.done).toBe(true)

      const peeker = new TextCursor(StreamCache.from(slowly(chunks)))
      const peeked: string[] = []
      for (;;) {
        const part = peeker.peek(3) ?? ((await peeker.fill(3), peeker.peek(3)) as string)
        if (part === '') break
        peeked.push(part)
        peeker.skip(part.length)
      }
      expect(peeked).toEqual(parts)
    }
  })

  test('twice at once is refused', async () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    const first = cursor.read(2)
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'cursor-busy' })
    cache.write('abc')
    expect(await first).toBe('ab')
  })

  test('continues from where the cursor stands when somebody else has moved it meanwhile', async () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    cache.write('aé')
    const read = cursor.read(3)
    await settle()
    cursor.skip(2)
    cache.write('木b')
    await settle()
    cache.write('🌳')
    expect(await read).toBe('木b🌳')
  })

  test('has one time limit for the complete wait, however often something arrives', async () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    const timer = setInterval(() => cache.write('é'), 2)
    await expect(cursor.fill(100_000, { timeout: 40 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cursor.read(100_000, { timeout: 10 })).rejects.toMatchObject({ name: 'TimeoutError' })
    clearInterval(timer)
    expect(cursor.offset).toBe(0)
  })

  test.each([-1, Number.NaN])('for %d ms is refused, and does not harm the stream', async (timeout) => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    const expected = expect.objectContaining({ name: 'RangeError', code: 'invalid-option' })
    await expect(cursor.fill(1, { timeout })).rejects.toEqual(expected)
    cache.write('a')
    expect(await cursor.read(1)).toBe('a')
  })

  test('wakes for the last byte that is needed, and waits for none beyond', async () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    let isThere = false
    const fill = cursor.fill(3).then(() => {
      isThere = true
    })
    for (const byte of new TextEncoder().encode('é🌳')) {
      await settle()
      expect(isThere).toBe(false)
      cache.write(new Uint8Array([byte]))
    }
    await fill
    expect(cursor.peek(3)).toBe('é🌳')
  })

  test('with a signal that has aborted is refused, though the text is there', async () => {
    const cursor = new TextCursor(StreamCache.from('abc'))
    const signal = AbortSignal.abort('enough')
    await expect(cursor.fill(1, { signal })).rejects.toBe('enough')
    await expect(cursor.read(1, { signal })).rejects.toBe('enough')
    expect(cursor.offset).toBe(0)
  })

  test('can be aborted and timed out', async () => {
    const cursor = new TextCursor(StreamCache.from(stalling(['a'])))
    await expect(cursor.fill(2, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cursor.read(2, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    expect(await cursor.read(1)).toBe('a')
    cursor.release()
  })

  test('of what is there already lets the event loop turn', async () => {
    const cursor = new TextCursor(StreamCache.from('é'.repeat(2_000_000)))
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver() && (await cursor.read(1)) !== '');
    })
    expect(turns).toBeGreaterThan(fair)
    const filling = await countTurns(async (isOver) => {
      while (!isOver()) await cursor.fill(1)
    })
    expect(filling.turns).toBeGreaterThan(filling.fair)
  })

  test('fails when the source does, after what had arrived', async () => {
    const cursor = new TextCursor(StreamCache.from(failing(['a', 'bé'], 'reason')))
    await expect(cursor.read(4)).rejects.toMatchObject({ code: 'source-failed', cause: 'reason' })
    expect(cursor.available).toBe(3)
    expect(await cursor.read(3)).toBe('abé')
    expect(() => cursor.peek(1)).toThrow(SourceError)
  })

  test('gives its available units also when the source failed inside a character', async () => {
    const cursor = new TextCursor(StreamCache.from(failing([new Uint8Array([0x61, 0xc3])], 'reason')))
    await expect(cursor.read(2)).rejects.toBeInstanceOf(SourceError)
    expect(cursor.available).toBe(1)
  })
})

describe('a text cursor', () => {
  test('continues from a byte cursor, which it takes over', async () => {
    const cache = StreamCache.from([bytes])
    const start = cache.cursor()
    start.skip(2)
    const cursor = new TextCursor(start)
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'malformed-utf8', byteOffset: 2 })
    cursor.release()
    expect(cache.retained).toBe(0)
  })

  test('has clones that are independent', async () => {
    for (const chunks of everyCut(bytes)) {
      const cache = StreamCache.from(chunks)
      const cursor = new TextCursor(cache)
      await cursor.fill(text.length)
      cursor.skip(3)
      const clone = cursor.clone()
      cursor.skip(6)
      expect(clone.offset).toBe(byteLength(text.slice(0, 3)))
      expect(await clone.read(100)).toBe(text.slice(3))
      expect(await cursor.read(100)).toBe(text.slice(9))
      clone.release()
      cursor.release()
      expect(cache.retained).toBe(0)
    }
  })

  test('that is released refuses to be used, and closes the stream with the last one', async () => {
    const source = stalling(['abc'])
    const cursor = new TextCursor(StreamCache.from(source))
    cursor[Symbol.dispose]()
    await settle()
    expect(source.isClosed).toBe(true)
    for (const use of [() => cursor.peek(1), () => cursor.skip(1), () => cursor.clone()]) {
      expect(use).toThrow(expect.objectContaining({ code: 'cursor-released' }))
    }
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'cursor-released' })
    await expect(cursor.fill(0)).rejects.toMatchObject({ code: 'cursor-released' })
    for (const use of [() => cursor.peek(0), () => cursor.skip(0)]) {
      expect(use).toThrow(expect.objectContaining({ code: 'cursor-released' }))
    }
    expect([cursor.available, cursor.offset, cursor.done]).toEqual([0, 0, true])
  })

  test('that is released while it waits ends the wait, and leaves its clone as it is', async () => {
    const cache = new StreamCache()
    const cursor = new TextCursor(cache)
    cache.write(new Uint8Array([0x61, 0xc3]))
    const outcome = expect(cursor.read(2)).rejects.toMatchObject({ code: 'cursor-released' })
    await settle()
    const clone = cursor.clone()
    cursor.release()
    await outcome
    cache.write(new Uint8Array([0xa9]))
    expect(await clone.read(2)).toBe('aé')
  })

  test('retains the stream from where it stands, not from where it has decoded', async () => {
    const cache = new StreamCache({ highWaterMark: 10 })
    const cursor = new TextCursor(cache)
    cache.write('éééééé')
    expect([cursor.available, cache.start, cache.retained]).toEqual([6, 0, 12])
    const ready = cache.ready()
    cursor.skip(2)
    await ready
    expect([cache.start, cache.retained]).toEqual([4, 8])
    const other = cache.cursor()
    expect(other.offset).toBe(4)
    other.release()
    cursor.release()
    expect(cache.retained).toBe(0)
  })

  test('needs more than the mark as a byte cursor does, and gets the error of the limit', async () => {
    const source = new CountingSource(10, 1000)
    const cache = StreamCache.from(source, { highWaterMark: 20, limits: { maxRetained: 100 } })
    const cursor = new TextCursor(cache)
    expect(await cursor.fill(60)).toBe(true)
    expect(source.bytesRead).toBe(60)
    await expect(cursor.read(101)).rejects.toMatchObject({ code: 'retained-limit', retainedFrom: 0, limit: 100 })
    expect(cursor.available).toBe(100)
    cursor.release()
  })

  test('clones in the middle of what is decoded, and both continue over the same bytes', async () => {
    const large = 'aé木🌳'.repeat(30_000)
    const cursor = new TextCursor(StreamCache.from(large))
    await cursor.fill(4)
    cursor.skip(2)
    const clone = cursor.clone()
    expect(await cursor.read(1e6)).toBe(large.slice(2))
    expect(clone.offset).toBe(3)
    expect(await clone.read(1e6)).toBe(large.slice(2))
    expect(clone.done && cursor.done).toBe(true)
  })

  test('reads a byte-order mark as a character', async () => {
    const cursor = new TextCursor(StreamCache.from('\ufeffa'))
    expect(await cursor.read(1)).toBe('\ufeff')
    expect(cursor.offset).toBe(3)
  })
})
