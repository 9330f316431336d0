import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { until } from '../../support/resources.ts'
import { settle, webStream } from '../../support/sources.ts'

const bytes = new TextEncoder().encode('Wood é 木 🌳 — '.repeat(500))

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

  test('is not cancelled when it is left, if it is iterated without that', async () => {
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        isCancelled = true
      },
    })
    const cursor = StreamCache.from(stream.values({ preventCancel: true })).cursor()
    await cursor.read(15)
    cursor.release()
    await settle()
    expect([isCancelled, stream.locked]).toEqual([false, false])
    await stream.cancel()
    expect(isCancelled).toBe(true)
  })

  test('of bytes may be closed without an answer to the read that waits', async () => {
    for (const [bytesAtOnce, isLate] of [
      [bytes.length, false],
      [100, false],
      [100, true],
    ] as const) {
      let position = 0
      const stream = new ReadableStream<Uint8Array>({
        type: 'bytes',
        async pull(controller) {
          if (isLate) await settle()
          if (position === bytes.length) return controller.close()
          const end = Math.min(position + bytesAtOnce, bytes.length)
          controller.enqueue(bytes.slice(position, end))
          position = end
        },
      })
      const cursor = StreamCache.from(stream).cursor()
      expect(await cursor.read(1e6)).toEqual(bytes)
      expect(stream.locked).toBe(false)
      cursor.release()
    }
    // All that it has, and its end, at once.
    const full = new ReadableStream<Uint8Array>({
      type: 'bytes',
      start(controller) {
        controller.enqueue(bytes.slice())
        controller.close()
      },
    })
    const cursor = StreamCache.from(full).cursor()
    expect(await cursor.read(1e6)).toEqual(bytes)
    cursor.release()
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
    expect(stream.locked).toBe(false)
    await cache.cancel()
  })

  test('whose cancelling fails rejects the cancellation, and is unlocked', async () => {
    const stream = new ReadableStream<Uint8Array>({
      cancel() {
        throw new Error('cannot hang up')
      },
    })
    await expect(StreamCache.from(stream, { highWaterMark: 0 }).cancel()).rejects.toThrow('cannot hang up')
    expect(stream.locked).toBe(false)
  })

  test('at the end of a chain of transforms stops the complete chain', async () => {
    let pulled = 0
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(bytes)
      },
      cancel() {
        isCancelled = true
      },
    })
    const cursor = StreamCache.from(stream.pipeThrough(new TransformStream()), { highWaterMark: 10 }).cursor()
    await cursor.read(5)
    await settle()
    const before = pulled
    await settle()
    expect(pulled).toBe(before)
    cursor.release()
    await until(() => isCancelled)
    expect(isCancelled).toBe(true)
  })

  test('that is locked is refused', () => {
    const stream = webStream([bytes])
    stream.getReader()
    expect(() => StreamCache.from(stream)).toThrow(TypeError)
  })
})

function openByteStream(source: UnderlyingByteSource): ReadableStream<Uint8Array> {
  return new ReadableStream(source)
}

describe('a byte stream', () => {
  const inPiecesOf = (size: number) => {
    let at = 0
    return openByteStream({
      type: 'bytes',
      pull(controller) {
        const piece = bytes.slice(at, at + size)
        at += size
        if (piece.length > 0) return controller.enqueue(piece)
        controller.close()
        controller.byobRequest?.respond(0)
      },
    })
  }

  test.each([1, 7, 1000, 100_000])('is read as others are, in pieces of %i', async (size) => {
    const stream = inPiecesOf(size)
    const cursor = StreamCache.from(stream).cursor()
    expect(await cursor.read(1e6)).toEqual(bytes)
    expect(stream.locked).toBe(false)
    cursor.release()
  })

  test('of small pieces does not keep the memory of large ones', async () => {
    const cache = StreamCache.from(inPiecesOf(10))
    const cursor = cache.cursor()
    await cursor.fill(10)
    expect(cursor.peekChunk().buffer.byteLength).toBeLessThan(1000)
    cursor.release()
    await cache.cancel()
  })

  test('is read into memory that is used again, where nobody keeps views of it', async () => {
    const size = 900_000
    const memories = new Set<ArrayBufferLike>()
    let filled = 0
    const stream = openByteStream({
      type: 'bytes',
      pull(controller) {
        const { byobRequest } = controller
        const view = byobRequest?.view as Uint8Array
        new Uint8Array(view.buffer, view.byteOffset, size).fill(++filled)
        if (filled > 20) {
          controller.close()
          byobRequest?.respond(0)
        } else byobRequest?.respond(size)
      },
    })
    const cursor = StreamCache.reusing(stream, undefined).cursor()
    for (let i = 1; i <= 20; i++) {
      await cursor.fill(size)
      const chunk = cursor.peekChunk()
      memories.add(chunk.buffer)
      expect([chunk[0], chunk[size - 1]]).toEqual([i, i])
      cursor.skip(size)
    }
    cursor.release()
    expect(filled).toBeGreaterThanOrEqual(20)
    expect(memories.size).toBeLessThanOrEqual(20)
  })

  test('that is left while it waits is cancelled and unlocked', async () => {
    let reason: unknown
    const stream = openByteStream({
      type: 'bytes',
      cancel(why) {
        reason = why
      },
    })
    const cache = StreamCache.from(stream)
    const waiting = cache.cursor().read(1)
    await settle()
    await cache.cancel('enough')
    await expect(waiting).rejects.toMatchObject({ code: 'source-cancelled' })
    expect(reason).toBe('enough')
    expect(stream.locked).toBe(false)
  })

  test('that fails is a failed source', async () => {
    const stream = openByteStream({
      type: 'bytes',
      pull() {
        throw new Error('no network')
      },
    })
    const reading = StreamCache.from(stream).cursor().read(1)
    await expect(reading).rejects.toMatchObject({ code: 'source-failed', cause: { message: 'no network' } })
    expect(stream.locked).toBe(false)
  })
})
