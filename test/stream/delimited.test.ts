// Reading up to a delimiter, by lines, and a part of a stream as a source: `readUntil`, `readLine` and `take` of Cursor.

import { describe, expect, test } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { readXml } from '../../source/xml/index.ts'
import { cutPlaces, drain, everyCut, inPieces } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../support/growth.ts'
import { settle, stalling } from '../support/sources.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const LINE_FEED = 0x0a

/** A text in one piece, byte by byte, and at every cut. */
function* waysToCut(text: string): Generator<Uint8Array[]> {
  const bytes = encode(text)
  yield [bytes]
  yield inPieces(bytes, 1)
  yield* everyCut(bytes)
}

/** Cursors over chunks that are there, and over chunks that come one by one when they are waited for. */
function* cursorsOver(text: string): Generator<Cursor> {
  for (const chunks of waysToCut(text)) {
    yield StreamCache.from(chunks).cursor()
    yield StreamCache.from(chunks, { highWaterMark: 0 }).cursor()
    const cache = new StreamCache()
    for (const chunk of chunks) cache.write(chunk)
    cache.end()
    yield cache.cursor()
  }
}

async function readAll(cursor: Cursor, delimiter: number | Uint8Array): Promise<string[]> {
  const all: string[] = []
  for (let bytes = await cursor.readUntil(delimiter); bytes.length > 0; bytes = await cursor.readUntil(delimiter)) {
    all.push(decode(bytes))
  }
  return all
}

describe('reading until a delimiter', () => {
  test.each([
    ['a;bc;;d', ';', ['a;', 'bc;', ';', 'd']],
    ['a;', ';', ['a;']],
    ['abc', ';', ['abc']],
    ['', ';', []],
    ['aXabXababXX', 'abX', ['aXabX', 'ababX', 'X']],
    ['aaaab', 'aab', ['aaaab']],
    ['--\r\n-\r\n\r\nbody', '\r\n\r\n', ['--\r\n-\r\n\r\n', 'body']],
    [`${'x'.repeat(500)};${'y'.repeat(300)}`, ';', [`${'x'.repeat(500)};`, 'y'.repeat(300)]],
  ])('%j by %j gives all up to it, with it, and then what is left, at any cut', async (text, delimiter, expected) => {
    for (const cursor of cursorsOver(text)) {
      expect(await readAll(cursor, encode(delimiter))).toEqual(expected)
      expect([cursor.offset, cursor.done]).toEqual([encode(text).length, true])
      expect(await cursor.readUntil(encode(delimiter))).toEqual(new Uint8Array(0))
      cursor.release()
    }
  })

  test('moves to after the delimiter and no further', async () => {
    for (const cursor of cursorsOver('ab\ncd\nef')) {
      await cursor.readUntil(LINE_FEED)
      expect(cursor.offset).toBe(3)
      expect(decode(await cursor.read(2))).toBe('cd')
      cursor.release()
    }
  })

  test('finds a byte of any value', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    for (const byte of cutPlaces(255)) {
      const cursor = StreamCache.from([bytes]).cursor()
      expect((await cursor.readUntil(byte)).at(-1)).toBe(byte)
      expect(cursor.offset).toBe(byte + 1)
      cursor.release()
    }
  })

  test.each([[-1], [256], [1.5], [Number.NaN], [new Uint8Array(0)], ['\n'], [undefined]])(
    '%j is refused',
    async (delimiter) => {
      const cursor = StreamCache.from(['a']).cursor()
      await expect(cursor.readUntil(delimiter as number)).rejects.toMatchObject({
        name: 'RangeError',
        code: 'invalid-option',
        message: expect.stringContaining('a delimiter must be a byte or bytes, not '),
      })
      expect(cursor.offset).toBe(0)
      cursor.release()
    },
  )

  test('without a delimiter is a LimitError when as much as the limit is retained, and does not move', async () => {
    const cache = StreamCache.from(inPieces(encode('x'.repeat(5_000)), 100), { limits: { maxRetained: 1_000 } })
    const cursor = cache.cursor()
    await expect(cursor.readUntil(LINE_FEED)).rejects.toMatchObject({ name: 'LimitError', code: 'retained-limit' })
    expect(cursor.offset).toBe(0)
    expect((await cursor.read(1_000)).length).toBe(1_000)
    cursor.release()
  })

  test('what arrived is kept when the source fails, and can be read', async () => {
    async function* failing() {
      yield encode('a\nrest')
      throw new Error('broken')
    }
    const cursor = StreamCache.from(failing()).cursor()
    expect(decode(await cursor.readUntil(LINE_FEED))).toBe('a\n')
    await expect(cursor.readUntil(LINE_FEED)).rejects.toMatchObject({ name: 'SourceError', code: 'source-failed' })
    expect(cursor.offset).toBe(2)
    expect(decode(await cursor.read(4))).toBe('rest')
    cursor.release()
  })

  test('a wait can be cancelled and has a time limit; the cursor does not move and can continue', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    cache.write(encode('be'))
    const controller = new AbortController()
    const aborted = cursor.readUntil(LINE_FEED, { signal: controller.signal })
    await settle()
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await expect(cursor.readUntil(LINE_FEED, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(cursor.readUntil(LINE_FEED, { signal: controller.signal })).rejects.toThrow('enough')
    expect(cursor.offset).toBe(0)
    cache.write(encode('gun\n'))
    expect(decode(await cursor.readUntil(LINE_FEED))).toBe('begun\n')
    cursor.release()
  })

  test('a time limit is that of the complete read, however often bytes arrive', async () => {
    const trickle = async function* () {
      for (let i = 0; i < 200; i++) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        yield 'a'
      }
    }
    const cursor = StreamCache.from(trickle()).cursor()
    await expect(cursor.readLine({ timeout: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(cursor.offset).toBe(0)
    await expect(cursor.readUntil(LINE_FEED, { timeout: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    cursor.release()
  })

  test('one read waits at a time, and a release ends it', async () => {
    const cursor = StreamCache.from(stalling([encode('a')])).cursor()
    const waiting = cursor.readUntil(LINE_FEED)
    for (const read of [() => cursor.readUntil(LINE_FEED), () => cursor.readLine(), () => cursor.read(1)]) {
      await expect(read()).rejects.toMatchObject({ code: 'cursor-busy' })
    }
    cursor.release()
    await expect(waiting).rejects.toMatchObject({ code: 'cursor-released' })
    await expect(cursor.readUntil(LINE_FEED)).rejects.toMatchObject({ code: 'cursor-released' })
  })

  test.runIf(isThorough)('joins a long line of small chunks in time that grows as it does', async () => {
    const make = (size: number) => {
      const pieces = inPieces(encode(`${'x'.repeat(size)}\n`), 10)
      return async () => {
        const cursor = StreamCache.from(pieces).cursor()
        expect((await cursor.readUntil(LINE_FEED)).length).toBe(size + 1)
        cursor.release()
      }
    }
    expect(await growthOf({ count: 200_000, make })).toBeLessThan(MOST_GROWTH)
  })
})

describe('reading lines', () => {
  test.each([
    ['a\nbc\n\nd', ['a', 'bc', '', 'd']],
    ['a\r\n\r\nb\r\n', ['a', '', 'b']],
    ['a\rb\r\r\nc\r', ['a\rb\r', 'c\r']],
    ['\n', ['']],
    ['', []],
    ['é木\n🌳', ['é木', '🌳']],
    ['\ufeffa\n\ufeffb', ['\ufeffa', '\ufeffb']],
  ])('of %j gives them without their ends, at any cut', async (text, expected) => {
    for (const cursor of cursorsOver(text)) {
      const lines: string[] = []
      for (let line = await cursor.readLine(); line !== undefined; line = await cursor.readLine()) lines.push(line)
      expect(lines).toEqual(expected)
      expect(await cursor.readLine()).toBeUndefined()
      expect(cursor.offset).toBe(encode(text).length)
      cursor.release()
    }
  })

  test('that are not UTF-8 have replacement characters', async () => {
    const cursor = StreamCache.from([Uint8Array.of(0x61, 0xff, 0x0a, 0xc3)]).cursor()
    expect([await cursor.readLine(), await cursor.readLine()]).toEqual(['a\ufffd', '\ufffd'])
    cursor.release()
  })

  test('waits for a line that has not arrived, with a time limit', async () => {
    const cursor = StreamCache.from(stalling([encode('a\nb')])).cursor()
    expect(await cursor.readLine()).toBe('a')
    await expect(cursor.readLine({ timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(cursor.offset).toBe(2)
    cursor.release()
  })
})

describe('taking a part', () => {
  async function text(source: AsyncIterable<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder()
    let all = ''
    for await (const chunk of source) {
      expect(chunk.length).toBeGreaterThan(0)
      all += decoder.decode(chunk, { stream: true })
    }
    return all
  }

  test.each([0, 1, 3, 8, 9, 100])('of %i bytes gives so many, or what there is, at any cut', async (n) => {
    for (const cursor of cursorsOver('abcdefghi')) {
      await cursor.read(1)
      expect(await text(cursor.take(n))).toBe('bcdefghi'.slice(0, n))
      expect(cursor.offset).toBe(Math.min(9, 1 + n))
      cursor.release()
    }
  })

  test('is a source for other readers, after which the next part can be read', async () => {
    const parts = ['<a>1</a>', '<b>é</b>', '<c/>']
    const stream = parts.map((part) => `${encode(part).length}\r\n${part}\n`).join('')
    for (const cursor of cursorsOver(stream)) {
      const names: string[] = []
      for (let length = await cursor.readLine(); length !== undefined; length = await cursor.readLine()) {
        for await (const { name } of readXml(cursor.take(Number(length))).select('*')) names.push(name)
        expect(await cursor.readLine()).toBe('')
      }
      expect(names).toEqual(['a', 'b', 'c'])
      cursor.release()
    }
  })

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('of %s bytes is refused', (n) => {
    const cursor = StreamCache.from(['a']).cursor()
    expect(() => cursor.take(n)).toThrow(expect.objectContaining({ name: 'RangeError', code: 'invalid-length' }))
    cursor.release()
  })

  test('can be left while it waits, and the cursor continues', async () => {
    const cache = new StreamCache()
    const cursor = cache.cursor()
    cache.write(encode('ab'))
    const part = cursor.take(5)
    expect(decode((await part.next()).value as Uint8Array)).toBe('ab')
    const waiting = part.next()
    await settle()
    expect(await part.return()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
    cache.write(encode('cdef'))
    cache.end()
    expect(cursor.offset).toBe(2)
    await drain(cursor.take(3))
    expect(cursor.offset).toBe(5)
    cursor.release()
  })
})
