import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { inPieces } from '../../support/collect.ts'
import { settle, slowly, webStream } from '../../support/sources.ts'

const text = 'Wood é 木 🌳 — '.repeat(500)
const bytes = new TextEncoder().encode(text)
const pieces = inPieces(bytes, 1000)
const halves = [text.slice(0, 11), text.slice(11)] // cuts the tree in two

const sources: [string, () => ByteSource][] = [
  ['bytes', () => bytes],
  ['bytes of another realm', () => runInNewContext('Uint8Array.from(bytes)', { bytes })],
  ['a view of a part of some memory', () => new Uint8Array([1, ...bytes, 1]).subarray(1, -1)],
  ['a Node Buffer', () => Buffer.from(bytes)],
  ['a string', () => text],
  ['an array of bytes', () => pieces],
  ['an array of strings', () => halves],
  ['an array of strings and bytes', () => [text.slice(0, 4), new TextEncoder().encode(text.slice(4))]],
  ['a generator', () => pieces.values()],
  ['an async generator', () => slowly(pieces)],
  ['an async generator of strings', () => slowly(halves)],
  ['a web stream', () => webStream(pieces)],
  ['a web stream of strings', () => webStream(halves)],
  ['a Blob', () => new Blob([bytes])],
  ['a Node stream', () => Readable.from(pieces)],
  [
    'a Node stream with an encoding',
    () => Readable.from([Buffer.from(bytes)], { objectMode: false }).setEncoding('utf8'),
  ],
  ['another cache', () => StreamCache.from(pieces)],
]

describe('a source', () => {
  test.each(sources)('may be %s', async (_, make) => {
    const cursor = StreamCache.from(make()).cursor()
    expect(new TextDecoder().decode(await cursor.read(1e6))).toBe(text)
    expect(cursor.done).toBe(true)
    cursor.release()
  })

  test.each(sources)('that is %s can be left early, with any mark', async (_, make) => {
    for (const highWaterMark of [0, 1, 1e6]) {
      const cache = StreamCache.from(make(), { highWaterMark })
      const cursor = cache.cursor()
      expect((await cursor.read(1)).length).toBe(1)
      cursor.release()
      await settle()
      expect(cache.retained).toBe(0)
      const unread = StreamCache.from(make(), { highWaterMark })
      await unread.cancel()
    }
  })

  test.each<[string, ByteSource]>([
    ['bytes', new Uint8Array(0)],
    ['a string', ''],
    ['an array', []],
    ['an array of nothing', ['', new Uint8Array(0)]],
    ['an async generator', slowly([])],
    ['a web stream', webStream([])],
    ['a Blob', new Blob([])],
    ['a Node stream', Readable.from([])],
  ])('may be empty: %s', async (_, source) => {
    const cache = StreamCache.from(source)
    const cursor = cache.cursor()
    expect(await cursor.fill(1)).toBe(false)
    expect([cursor.done, cache.ended, cache.progress.bytesRead]).toEqual([true, true, 0])
  })

  test('that is a long string or a large Blob is read in pieces, wherever these cut it', async () => {
    // Pieces of a string are 64 Ki units: one of them cuts a tree in two.
    const long = `${'x'.repeat(64 * 1024 - 1)}🌳${'é木🌳'.repeat(50_000)}`
    const encoded = new TextEncoder().encode(long)
    for (const source of [long, new Blob([encoded, encoded, encoded])]) {
      const cursor = StreamCache.from(source).cursor()
      const read = await cursor.read(1e8)
      const expected = typeof source === 'string' ? [encoded] : [encoded, encoded, encoded]
      expect(Buffer.compare(read, Buffer.concat(expected))).toBe(0)
    }
  })

  test('in memory can be peeked without waiting', () => {
    expect(StreamCache.from('abc').cursor().peek(2)).toEqual(new Uint8Array([0x61, 0x62]))
    expect(StreamCache.from(bytes).cursor().peek(bytes.length)?.buffer).toBe(bytes.buffer)
  })

  test.each([
    ['null', null, 'null'],
    ['a number', 7, '7'],
    ['a promise', Promise.resolve(bytes), 'await it first'],
    ['a URL', new URL('https://example.org'), 'fetch it'],
    ['a response', new Response('x'), 'pass its body'],
    ['an object', { a: 1 }, 'Object'],
    ['an object without a class', Object.create(null), 'null'],
    ['a generator that was not called', function* neverCalled() {}, 'call it'],
    ['undefined', undefined, 'undefined'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
  ])('that is %s is refused with a hint', (_, source, hint) => {
    const open = () => StreamCache.from(source as unknown as string)
    expect(open).toThrow(expect.objectContaining({ name: 'TypeError', code: 'invalid-source' }))
    expect(open).toThrow(hint)
  })

  test.each<[string, (chunks: unknown[]) => unknown]>([
    ['an array', (chunks) => chunks],
    ['an async generator', (chunks) => slowly(chunks)],
    ['a web stream', (chunks) => webStream(chunks)],
  ])('fails at a chunk that is none, and closes: %s', async (_, make) => {
    // Undefined above all must not be taken for the end.
    for (const chunk of [undefined, null, 7, {}, new Uint16Array(1)]) {
      const source = make(['ab', chunk, 'cd'])
      const cursor = StreamCache.from(source as ByteSource).cursor()
      await expect(cursor.read(9)).rejects.toMatchObject({
        code: 'source-failed',
        cause: { name: 'TypeError', code: 'invalid-chunk' },
      })
      expect((await cursor.read(2)).length).toBe(2)
      if (source instanceof ReadableStream) expect(source.locked).toBe(false)
    }
  })

  test('that cannot even be opened says so at once', () => {
    const source: Iterable<string> = {
      [Symbol.iterator]() {
        throw new Error('cannot begin')
      },
    }
    expect(() => StreamCache.from(source)).toThrow('cannot begin')
  })

  test('is not opened, nor locked, with options that are refused', () => {
    const stream = webStream([bytes])
    expect(() => StreamCache.from(stream, { highWaterMark: -1 })).toThrow(RangeError)
    expect(stream.locked).toBe(false)
  })
})

describe('progress', () => {
  test('of bytes and Blobs knows the total', async () => {
    for (const source of [bytes, new Blob([bytes])]) {
      const cache = StreamCache.from(source)
      await cache.cursor().read(1e6)
      expect(cache.progress).toEqual({ bytesRead: bytes.length, totalBytes: bytes.length })
    }
  })

  test('of others counts what has arrived, and knows the total at the end', async () => {
    const cache = StreamCache.from(slowly(pieces), { highWaterMark: 0 })
    const cursor = cache.cursor()
    await cursor.read(1500)
    expect(cache.progress).toEqual({ bytesRead: 2000, totalBytes: undefined })
    await cursor.read(1e6)
    expect(cache.progress).toEqual({ bytesRead: bytes.length, totalBytes: bytes.length })
  })

  test('does not jump when the stream is stopped', async () => {
    const large = new Uint8Array(3_000_000)
    const blob = StreamCache.from(new Blob([large]), { highWaterMark: 1 })
    await blob.cursor().read(1)
    const { bytesRead } = blob.progress
    expect(bytesRead).toBeLessThan(3_000_000)
    await blob.cancel()
    expect(blob.progress).toEqual({ bytesRead, totalBytes: 3_000_000 })
    const memory = StreamCache.from(large, { highWaterMark: 0 })
    await memory.cancel()
    expect(memory.progress).toEqual({ bytesRead: 0, totalBytes: 3_000_000 })
  })

  test('of a source that reports its own is passed on', async () => {
    const progress = { bytesRead: 5, totalBytes: 50 }
    const source = { progress, [Symbol.asyncIterator]: () => slowly(pieces) }
    const cache = StreamCache.from(source)
    await cache.cursor().read(1)
    expect(cache.progress).toBe(progress)
  })
})
