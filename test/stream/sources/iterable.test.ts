import { createReadStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { countOpen, until } from '../../support/resources.ts'
import { isDeno } from '../../support/runtime.ts'
import { settle } from '../../support/sources.ts'

describe('a Node stream', () => {
  test('that fails before anybody reads is a failed source', async () => {
    const cache = StreamCache.from(createReadStream(fixturePath('no such file')))
    await settle()
    await expect(cache.cursor().read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
  })

  test('that fails while nobody reads it does not end the process', async () => {
    const open = () => createReadStream(fixturePath('no such file'))
    const cursor = StreamCache.from(open(), { highWaterMark: 0 }).cursor()
    StreamCache.from(open(), { signal: AbortSignal.abort() })
    StreamCache.from(open()).cursor().release()
    await until(() => false, 20)
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
  })

  test('that fails in the middle, or is closed too early, is a failed source after what it gave', async () => {
    for (const reason of [new Error('no network'), undefined]) {
      const stream = new PassThrough()
      const cursor = StreamCache.from(stream).cursor()
      stream.write('abc')
      await cursor.fill(1)
      stream.destroy(reason)
      const error = await cursor.read(4).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: 'source-failed' })
      expect((error as Error).cause).toMatchObject(reason ?? { code: 'ERR_STREAM_PREMATURE_CLOSE' })
      expect((await cursor.read(3)).length).toBe(3)
    }
  })

  test('is read no further than the mark', async () => {
    let given = 0
    const stream = new Readable({
      highWaterMark: 10,
      read() {
        given += 10
        this.push(Buffer.alloc(10))
      },
    })
    const cursor = StreamCache.from(stream, { highWaterMark: 100 }).cursor()
    await settle()
    expect(given).toBeLessThan(150)
    cursor.release()
    await settle()
    expect(stream.destroyed).toBe(true)
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

  test.skipIf(isDeno)('closes its file when it is left', async () => {
    const path = fixturePath('mediawiki/small-dump.xml')
    const cursor = StreamCache.from(createReadStream(path, { highWaterMark: 16 }), { highWaterMark: 100 }).cursor()
    await cursor.read(20)
    expect(countOpen(path)).toBe(1)
    cursor.release()
    await until(() => countOpen(path) === 0)
    expect(countOpen(path)).toBe(0)
  })
})
