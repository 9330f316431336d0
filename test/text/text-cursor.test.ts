import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SourceError } from '../../source/stream/errors.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { TextCursor } from '../../source/text/text-cursor.ts'
import { everyCut } from '../support/collect.ts'
import { parameters } from '../support/property.ts'
import { failing, settle, slowly, stalling } from '../support/sources.ts'

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

/** The first `n` units of a text from `start` on, rounded up to a whole code point. */
function expectedSlice(start: number, n: number): string {
  const slice = text.slice(start, start + n)
  return /[\ud800-\udbff]$/.test(slice) ? text.slice(start, start + n + 1) : slice
}

describe('peeking at text', () => {
  test('gives UTF-16 units, rounded up to a whole code point, however the bytes are cut', () => {
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
  test('keeps offsets in bytes, and frees what lies behind', () => {
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

  test('can be aborted and timed out', async () => {
    const cursor = new TextCursor(StreamCache.from(stalling(['a'])))
    await expect(cursor.fill(2, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cursor.read(2, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    expect(await cursor.read(1)).toBe('a')
    cursor.release()
  })

  test('of what is there already lets the event loop turn', async () => {
    const cursor = new TextCursor(StreamCache.from('x'.repeat(300_000)))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    while ((await cursor.read(1)) !== '');
    const elapsed = performance.now() - start
    clearInterval(timer)
    expect(turns).toBeGreaterThan(elapsed / 60)
  })

  test('fails when the source does, after what had arrived', async () => {
    const cursor = new TextCursor(StreamCache.from(failing(['a', 'bé'], 'reason')))
    await expect(cursor.read(4)).rejects.toMatchObject({ code: 'source-failed', cause: 'reason' })
    expect(cursor.available).toBe(3)
    expect(await cursor.read(3)).toBe('abé')
    expect(() => cursor.peek(1)).toThrow(SourceError)
  })

  test('tells its available units also when the source failed inside a character', async () => {
    const cursor = new TextCursor(StreamCache.from(failing([new Uint8Array([0x61, 0xc3])], 'reason')))
    await expect(cursor.read(2)).rejects.toBeInstanceOf(SourceError)
    expect(cursor.available).toBe(1)
  })
})

describe('text that is not UTF-8', () => {
  test('can be read up to the first wrong byte, wherever that is and however the bytes are cut', async () => {
    const wrong = new Uint8Array([...bytes.slice(0, 12), 0xff, ...bytes.slice(12)]) // between two code points
    const before = new TextDecoder().decode(bytes.slice(0, 12))
    const expected = { name: 'ParseError', code: 'malformed-utf8', byteOffset: 12 }
    for (const chunks of everyCut(wrong)) {
      const cursor = new TextCursor(StreamCache.from(slowly(chunks)))
      await expect(cursor.fill(before.length + 1)).rejects.toMatchObject(expected)
      expect(() => cursor.peek(before.length + 1)).toThrow(expect.objectContaining(expected))
      expect(() => cursor.skip(before.length + 1)).toThrow(expect.objectContaining(expected))
      await expect(cursor.read(before.length + 1)).rejects.toMatchObject(expected)
      expect(cursor.available).toBe(before.length)
      expect(await cursor.read(before.length)).toBe(before)
      expect([cursor.offset, cursor.done]).toEqual([12, false])
      cursor.release()
    }
  })

  test('is one that ends inside a character, too', async () => {
    for (const chunks of everyCut(new Uint8Array([0x61, 0xf0, 0x9f, 0x8c]))) {
      const cursor = new TextCursor(StreamCache.from(slowly(chunks)))
      expect(await cursor.read(1)).toBe('a')
      const error = await cursor.read(1).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: 'malformed-utf8', byteOffset: 1 })
      expect((error as Error).message).toContain('ends inside')
    }
  })
})

describe('a text cursor', () => {
  test('goes on from a byte cursor, which it takes over', async () => {
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
  })

  test('reads a byte-order mark as a character', async () => {
    const cursor = new TextCursor(StreamCache.from('\ufeffa'))
    expect(await cursor.read(1)).toBe('\ufeff')
    expect(cursor.offset).toBe(3)
  })

  test('behaves like a string with an index, whatever is done with it', async () => {
    const acts = fc.array(fc.record({ act: fc.constantFrom('peek', 'skip', 'read', 'clone'), n: fc.nat(12) }), {
      maxLength: 20,
    })
    const texts = fc
      .array(fc.constantFrom('a', 'é', '木', '🌳', 'word', '\n'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    const property = fc.asyncProperty(texts, fc.nat(7), acts, async (whole, size, acts) => {
      const encoded = new TextEncoder().encode(whole)
      const pieces = Array.from({ length: encoded.length }, (_, i) => encoded.slice(i, i + 1))
      const chunks = size === 0 ? [encoded] : pieces.map((_, i) => encoded.slice(i * size, (i + 1) * size))
      let cursor = new TextCursor(StreamCache.from(slowly(chunks)))
      let index = 0
      for (const { act, n } of acts) {
        const cut = whole.slice(index, index + n)
        const slice = /[\ud800-\udbff]$/.test(cut) ? whole.slice(index, index + n + 1) : cut
        if (act === 'peek') {
          await cursor.fill(n)
          expect(cursor.peek(n)).toBe(slice)
        } else if (act === 'read') {
          expect(await cursor.read(n)).toBe(slice)
          index += slice.length
        } else if (act === 'skip') {
          if (!(await cursor.fill(n))) continue
          cursor.skip(n)
          index += slice.length
        } else {
          const clone = cursor.clone()
          cursor.release()
          cursor = clone
        }
        expect(cursor.offset).toBe(byteLength(whole.slice(0, index)))
      }
      cursor.release()
    })
    await fc.assert(property, parameters(150))
  })
})
