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
