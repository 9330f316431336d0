import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADDED_FORMATS, decompress } from '../../source/compression/decompress.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { collect, collectUntilFault, everyCut } from '../support/collect.ts'
import { failing } from '../support/sources.ts'

describe('a source that is not compressed', () => {
  test('is passed on as it is, from complete input, byte by byte and at every cut', async () => {
    const bytes = new TextEncoder().encode('BZ, but no bzip2: é')
    for (const chunks of everyCut(bytes)) expect(await collect(decompress(chunks))).toEqual(bytes)
  })

  test('may be empty', async () => {
    expect(await collect(decompress(''))).toHaveLength(0)
  })

  test('is not copied', async () => {
    const bytes = new Uint8Array(5000)
    for await (const chunk of decompress(bytes)) expect(chunk.buffer).toBe(bytes.buffer)
  })

  test('is not retained once it is read', async () => {
    async function* chunks() {
      for (let i = 0; i < 1000; i++) yield new Uint8Array(1024)
    }
    let length = 0
    for await (const chunk of decompress(chunks(), { highWaterMark: 2048, limits: { maxRetained: 8192 } }))
      length += chunk.length
    expect(length).toBe(1024_000)
  })
})

test('a source that fails before its format is known gives what had arrived', async () => {
  const { bytes, error } = await collectUntilFault(decompress(failing(['hello'], 'reason')))
  expect(new TextDecoder().decode(bytes)).toBe('hello')
  expect(error).toMatchObject({ code: 'source-failed', cause: 'reason' })
})

describe('a format that is only recognised', () => {
  // Tests of the command line in the same process may have added formats.
  const added = [...ADDED_FORMATS]
  beforeAll(() => ADDED_FORMATS.clear())
  afterAll(() => {
    for (const [format, read] of added) ADDED_FORMATS.set(format, read)
  })

  test.each([
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
    ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
    ['zip', [0x50, 0x4b, 0x03, 0x04]],
    ['lz4', [0x04, 0x22, 0x4d, 0x18]],
    ['lzma', [0x5d, 0, 0, 0x80, 0]],
  ])('%s is an error that says what to do', async (format, signature) => {
    const { error } = await collectUntilFault(decompress(new Uint8Array([...signature, 1, 2, 3, 4, 5, 6])))
    expect(error).toMatchObject({ code: 'unsupported', format, byteOffset: 0 })
    expect((error as Error).message).toContain('decompress it first')
  })
})

describe('the progress of a compressed source', () => {
  test('counts compressed bytes, also through the cache that reads it', async () => {
    const compressed = gzipSync('x'.repeat(100_000))
    const cache = StreamCache.from(decompress(compressed))
    const cursor = cache.cursor()
    while ((await cursor.read(1000)).length > 0);
    expect(cache.progress).toEqual({ bytesRead: compressed.length, totalBytes: compressed.length })
    cursor.release()
  })
})

describe('leaving a compressed source', () => {
  test('closes what it reads from', async () => {
    let isClosed = false
    async function* source() {
      try {
        for (;;) yield new Uint8Array(gzipSync('x'.repeat(1000)))
      } finally {
        isClosed = true
      }
    }
    for await (const _ of decompress(source())) break
    expect(isClosed).toBe(true)
  })

  test('ends a read that waits for ever', async () => {
    let isCancelled = false
    const silent = new ReadableStream<Uint8Array>({
      cancel() {
        isCancelled = true
      },
    })
    const cache = StreamCache.from(decompress(silent))
    const cursor = cache.cursor()
    const waiting = cursor.read(1)
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'source-cancelled' })
    await cache.cancel()
    await outcome
    expect(isCancelled).toBe(true)
  })
})

describe('a signal', () => {
  test.for([
    ['gzip', gzipSync(Buffer.alloc(5_000_000, 'sap and wood\n'))],
    ['bzip2', readFileSync(new URL('../../fixtures/compression/zeros.bz2', import.meta.url))],
  ] as const)('ends the decompression of %s, also when all of the input is there', async ([, packed]) => {
    const abort = new AbortController()
    let pieces = 0
    const read = async () => {
      for await (const _ of decompress(packed, { signal: abort.signal })) {
        pieces++
        abort.abort('enough')
      }
    }
    await expect(read()).rejects.toBe('enough')
    expect(pieces).toBe(1)
  })
})
