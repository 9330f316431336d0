import { createReadStream, readdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '../../source/stream/source.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { inPieces } from '../support/collect.ts'
import { fixturePath } from '../support/fixtures.ts'
import { settle, slowly } from '../support/sources.ts'

const text = 'Wood é 木 🌳 — '.repeat(500)
const bytes = new TextEncoder().encode(text)
const pieces = inPieces(bytes, 1000)
const halves = [text.slice(0, 11), text.slice(11)] // cuts the tree in two

const webStream = <T>(chunks: Iterable<T>) =>
  new ReadableStream<T>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

const sources: [string, () => ByteSource][] = [
  ['bytes', () => bytes],
  ['a Node Buffer', () => Buffer.from(bytes)],
  ['a string', () => text],
  ['an array of bytes', () => pieces],
  ['an array of strings', () => halves],
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

  test.each(sources)('that is %s is not lost when it is empty or left early', async (_, make) => {
    const cursor = StreamCache.from(make()).cursor()
    expect((await cursor.read(1)).length).toBe(1)
    cursor.release()
    await settle()
  })

  test('in memory can be peeked without waiting', () => {
    expect(StreamCache.from('abc').cursor().peek(2)).toEqual(new Uint8Array([0x61, 0x62]))
    expect(StreamCache.from(bytes).cursor().peek(bytes.length)?.buffer).toBe(bytes.buffer)
  })

  test.each([
    ['null', null, 'null'],
    ['a number', 7, '7'],
    ['an ArrayBuffer', new ArrayBuffer(3), 'new Uint8Array(buffer)'],
    ['a promise', Promise.resolve(bytes), 'await it first'],
    ['a URL', new URL('https://example.org'), 'fetch it'],
    ['a response', new Response('x'), 'give its body'],
    ['an object', { a: 1 }, 'Object'],
  ])('that is %s is refused with a hint', (_, source, hint) => {
    const open = () => StreamCache.from(source as unknown as string)
    expect(open).toThrow(expect.objectContaining({ name: 'TypeError', code: 'invalid-source' }))
    expect(open).toThrow(hint)
  })

  test('whose chunks are none fails', async () => {
    const cursor = StreamCache.from([1, 2] as unknown as string[]).cursor()
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'invalid-chunk' } })
  })
})

describe('a web stream', () => {
  test('is read only as far as there is room, and is unlocked and cancelled when it is left', async () => {
    let pulled = 0
    let reason: unknown
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(10))
        },
        cancel(why) {
          reason = why
        },
      },
      { highWaterMark: 0 },
    )
    const cache = StreamCache.from(stream, { highWaterMark: 30 })
    await settle()
    expect(pulled).toBe(3)
    await cache.cancel('enough')
    expect(reason).toBe('enough')
    expect(stream.locked).toBe(false)
  })

  test('is unlocked at its end', async () => {
    const stream = webStream([bytes])
    const cache = StreamCache.from(stream)
    await cache.cursor().read(1e6)
    expect(stream.locked).toBe(false)
    await cache.cancel()
  })

  test('that fails is a failed source, and can be cancelled then', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error('no network')
      },
    })
    const cache = StreamCache.from(stream)
    await expect(cache.cursor().read(1)).rejects.toMatchObject({
      code: 'source-failed',
      cause: { message: 'no network' },
    })
    await cache.cancel()
  })

  test('that is locked is refused', () => {
    const stream = webStream([bytes])
    stream.getReader()
    expect(() => StreamCache.from(stream)).toThrow(TypeError)
  })
})

describe('a Node stream', () => {
  test('that fails before anybody reads is a failed source', async () => {
    const cache = StreamCache.from(createReadStream(fixturePath('no such file')))
    await settle()
    await expect(cache.cursor().read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
  })

  test('is destroyed when it is left, also while it is silent', async () => {
    const stream = new PassThrough()
    const cache = StreamCache.from(stream)
    const read = expect(cache.cursor().read(1)).rejects.toMatchObject({ code: 'source-cancelled' })
    await settle()
    await cache.cancel()
    await read
    expect(stream.destroyed).toBe(true)
  })

  test('closes its file when it is left', async () => {
    const before = readdirSync('/proc/self/fd').length
    const cursor = StreamCache.from(
      createReadStream(fixturePath('mediawiki/small-dump.xml'), { highWaterMark: 16 }),
    ).cursor()
    await cursor.read(20)
    cursor.release()
    for (let i = 0; i < 100 && readdirSync('/proc/self/fd').length > before; i++) await settle()
    expect(readdirSync('/proc/self/fd').length).toBe(before)
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

  test('of a source that tells its own is passed on', async () => {
    const progress = { bytesRead: 5, totalBytes: 50 }
    const source = { progress, [Symbol.asyncIterator]: () => slowly(pieces) }
    const cache = StreamCache.from(source)
    await cache.cursor().read(1)
    expect(cache.progress).toBe(progress)
  })
})
