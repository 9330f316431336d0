import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { CompressionError } from '../../source/compression/errors.ts'
import { decompress } from '../../source/compression/index.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { readXml } from '../../source/xml/index.ts'
import { collect, collectUntilFault, inPieces } from '../support/collect.ts'
import { sample } from '../support/extent.ts'
import { readFixture } from '../support/fixtures.ts'
import { webStream } from '../support/sources.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const text = encode('Sap rises é木🌳. '.repeat(50))
const lines = encode(Array.from({ length: 20_000 }, (_, i) => `line ${i} of the text\n`).join(''))
const gzip = new Uint8Array(gzipSync(text))

describe('bytes come out of a pipe decompressed', () => {
  test.each([
    ['gzip', gzip, text],
    ['bzip2', readFixture('compression/two-streams.bz2'), encode('The first stream. é木🌳\nThe second stream.\n')],
    ['zstd', readFixture('compression/two-frames.zst'), encode('The first frame. é木🌳\nThe second frame.\n')],
    ['what is not compressed', text, text],
    ['bzip2 of many blocks', readFixture('compression/lines.bz2'), lines],
    ['zstd of many blocks', readFixture('compression/lines.zst'), lines],
  ])('from %s, complete and in pieces', async (_, packed, expected) => {
    const sizes = packed.length < 10_000 ? [1, 100] : sample([1000, 1, 100], 1)
    for (const size of [packed.length, ...sizes]) {
      const bytes = await collect(
        webStream(inPieces(packed, size)).pipeThrough(makeTransform(decompress, { type: 'bytes' })),
      )
      expect(Buffer.compare(bytes, expected)).toBe(0)
    }
  })

  test('from gzip at every cut', async () => {
    for (let cut = 1; cut < gzip.length; cut++) {
      const pieces = [gzip.slice(0, cut), gzip.slice(cut)]
      expect(await collect(webStream(pieces).pipeThrough(makeTransform(decompress, { type: 'bytes' })))).toEqual(text)
    }
  })
})

test('an error comes after the bytes before it', async () => {
  const { bytes, error } = await collectUntilFault(
    webStream([gzip, encode('rest')]).pipeThrough(makeTransform(decompress, { type: 'bytes' })),
  )
  expect(bytes).toEqual(text)
  expect(error).toBeInstanceOf(CompressionError)
})

test('what was written is not taken away from its writer', async () => {
  const mine = text.slice()
  await collect(webStream([mine]).pipeThrough(makeTransform(decompress, { type: 'bytes' })))
  expect(mine).toEqual(text)
})

test('invalid options are refused before anything is read', () => {
  expect(() => makeTransform((source) => decompress(source, { thread: 2 } as object), { type: 'bytes' })).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  )
})

/** Reads a byte stream into memory of a few bytes. */
async function readIntoOwnMemory(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader({ mode: 'byob' })
  const pieces: Uint8Array[] = []
  let memory = new ArrayBuffer(13)
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(memory))
    if (done) {
      expect(value?.buffer.byteLength).toBe(13)
      return new Uint8Array(Buffer.concat(pieces))
    }
    expect(value.buffer.byteLength).toBe(13)
    pieces.push(value.slice())
    memory = value.buffer
  }
}

describe('a byte stream gives its bytes into memory of its reader', () => {
  test('of decompressed bytes', async () => {
    expect(
      await readIntoOwnMemory(webStream([gzip]).pipeThrough(makeTransform(decompress, { type: 'bytes' }))),
    ).toEqual(text)
  })

  test('of lines', async () => {
    const document = '<r><p><n>one</n></p><p><n>two</n></p></r>'
    const read = await readIntoOwnMemory(
      webStream([document]).pipeThrough(
        makeTransform((source) => readXml(source).write('jsonl', 'p', { n: 'n' }), { type: 'bytes' }),
      ),
    )
    expect(new TextDecoder().decode(read)).toBe('{"n":"one"}\n{"n":"two"}\n')
  })
})

test('where there are no byte streams, others are used', async () => {
  const Real = globalThis.ReadableStream
  const construct = (Target: typeof Real, [source, strategy]: [{ type?: string }?, QueuingStrategy?]) => {
    if (source?.type === 'bytes') throw new TypeError('no byte streams')
    return new Target(source as object, strategy)
  }
  vi.stubGlobal('ReadableStream', new Proxy(Real, { construct }))
  const { readable, writable } = makeTransform(decompress, { type: 'bytes' })
  vi.unstubAllGlobals()
  const writing = webStream([gzip]).pipeTo(writable)
  expect(await collect(readable)).toEqual(text)
  await writing
})
