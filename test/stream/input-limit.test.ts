// The limit for all of an input: what comes before it is delivered, and the first byte too many is the error, in every way of reading.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decompress } from '../../source/compression/index.ts'
import { Grammar } from '../../source/grammar/index.ts'
import { readDump } from '../../source/mediawiki/index.ts'
import { LimitError } from '../../source/stream/errors.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { readXmlInWorker } from '../../source/worker/index.ts'
import { parseXml, readXml, readXmlDocuments } from '../../source/xml/index.ts'
import { everyCut } from '../support/collect.ts'
import { stalling } from '../support/sources.ts'

const encoder = new TextEncoder()
type Limits = { maxInput: number }
type Way = (source: ByteSource, limits: Limits) => AsyncIterable<unknown>

//           0  3   7   11  15  19  23
const XML = '<a><b/><b/><b/><b/></a>'
const LINES = Grammar.from('program ::= line* ; line ::= [a-z]* [\\n] ;')
const TEXT = 'abc\ndef\nghi\njkl\nmno\n'
const DUMP = `<mediawiki>${Array.from({ length: 3 }, (_, id) => `<page><title>${id}</title><ns>0</ns><id>${id + 1}</id></page>`).join('')}</mediawiki>`

function streamOf(source: ByteSource): ReadableStream<Uint8Array> {
  const chunks = [...(source as Iterable<Uint8Array>)]
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

/** Ways of reading a text, and how many items there are before each limit. */
const WAYS: Record<string, [text: string, counts: readonly (readonly [limit: number, items: number])[], way: Way]> = {
  select: [
    XML,
    [
      [7, 1],
      [10, 1],
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(source, { limits }).select('b'),
  ],
  records: [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(source, { limits }).records('b', { n: '@n' }),
  ],
  columns: [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(source, { limits }).columns('b', { n: '@n' }, { rows: 1 }),
  ],
  'select of a lent cursor': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(StreamCache.from(source).cursor(), { limits }).select('b'),
  ],
  'select of a cache that has the limit': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(StreamCache.from(source, { limits })).select('b'),
  ],
  'select of what decompress gives': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) => readXml(decompress(source, { limits })).select('b'),
  ],
  'select in UTF-16': [
    XML,
    [
      [2 + 22, 2],
      [2 + 45, 4],
    ],
    (source, limits) => readXml(inUtf16(source), { limits }).select('b'),
  ],
  documents: [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    async function* (source, limits) {
      for await (const document of readXmlDocuments(source, { limits })) yield* document.select('b')
    },
  ],
  'a pipe of records': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) =>
      streamOf(source).pipeThrough(makeTransform((input) => readXml(input, { limits }).records('b', { n: '@n' }))),
  ],
  'a pipe of columns': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    (source, limits) =>
      streamOf(source).pipeThrough(
        makeTransform((input) => readXml(input, { limits }).columns('b', { n: '@n' }, { rows: 1 })),
      ),
  ],
  'a worker': [
    XML,
    [
      [11, 2],
      [22, 4],
    ],
    // A script that is not there: this thread reads.
    (source, limits) => readXmlInWorker(source, { limits, workerUrl: 'none' }).records('b', { n: '@n' }),
  ],
  'Grammar.stream': [
    TEXT,
    [
      [3, 0],
      [8, 2],
      [19, 4],
    ],
    (source, limits) => LINES.stream(source, { emit: 'line', limits }),
  ],
  'Grammar.stream of a lent cursor': [
    TEXT,
    [
      [8, 2],
      [19, 4],
    ],
    (source, limits) => LINES.stream(StreamCache.from(source).cursor(), { emit: 'line', limits }),
  ],
  'a pipe of nodes': [
    TEXT,
    [
      [8, 2],
      [19, 4],
    ],
    (source, limits) =>
      streamOf(source).pipeThrough(makeTransform((input) => LINES.stream(input, { emit: 'line', limits }))),
  ],
  readDump: [
    DUMP,
    [
      [11 + 52, 1],
      [DUMP.length - 1, 3],
    ],
    (source, limits) => readDump(source, { limits }).pages(),
  ],
}

function inUtf16(source: ByteSource): Uint8Array[] {
  const text = Buffer.concat([...(source as Iterable<Uint8Array>)]).toString()
  return [Buffer.from(`\ufeff${text}`, 'utf16le')]
}

/** How many items there are, and the error. */
async function read(items: AsyncIterable<unknown>): Promise<{ count: number; error: unknown }> {
  let count = 0
  try {
    for await (const _ of items) count++
    return { count, error: undefined }
  } catch (error) {
    return { count, error }
  }
}

describe('the limit for all of an input', () => {
  test.each(Object.entries(WAYS))('is an error at the first byte too many: %s', async (name, [text, counts, way]) => {
    const bytes = encoder.encode(text)
    const size = name === 'select in UTF-16' ? 2 + 2 * bytes.length : bytes.length
    for (const pieces of everyCut(bytes)) {
      expect((await read(way(pieces, { maxInput: size }))).error).toBeUndefined()
      for (const [maxInput, items] of counts) {
        const { count, error } = await read(way(pieces, { maxInput }))
        expect(error).toBeInstanceOf(LimitError)
        expect(error).toMatchObject({ code: 'input-limit', limit: maxInput, byteOffset: maxInput })
        expect((error as LimitError).message).toContain(`more than ${maxInput} bytes, the limit (maxInput)`)
        expect([maxInput, count]).toEqual([maxInput, items])
      }
    }
  })

  test('has a line and a column in XML', async () => {
    for (const pieces of everyCut(encoder.encode('<a>\n  <b/>\n  <b/></a>'))) {
      const error = await readXml(pieces, { limits: { maxInput: 13 } })
        .check()
        .catch((thrown) => thrown)
      expect(error.message).toBe('the input has more than 13 bytes, the limit (maxInput) (line 3, column 3, byte 13)')
      expect(error).toMatchObject({ line: 3, column: 3, byteOffset: 13 })
    }
  })

  test('is known at once where the input is at hand', () => {
    const error = {
      code: 'input-limit',
      limit: 4,
      message: 'the input has 5 bytes, more than the limit of 4 (maxInput)',
    }
    const options = { limits: { maxInput: 4 } }
    expect(() => parseXml('<ö/>', options)).toThrow(expect.objectContaining(error))
    expect(() => parseXml('<a />', options)).toThrow(expect.objectContaining(error))
    expect(() => LINES.parse('abcd\n', options)).toThrow(expect.objectContaining(error))
    expect(() => LINES.test(encoder.encode('abcd\n'), options)).toThrow(expect.objectContaining(error))
    expect(parseXml('<a/>', options).root.name).toBe('a')
    expect(LINES.parse('abc\n', options).text).toBe('abc\n')
  })

  test('counts bytes after decompression', async () => {
    const text = `<a>${'<b/>'.repeat(10_000)}</a>`
    const packed = gzipSync(text)
    const collect = async (source: AsyncIterable<Uint8Array>) => {
      let length = 0
      try {
        for await (const bytes of source) length += bytes.length
        return [length]
      } catch (error) {
        return [length, (error as LimitError).code]
      }
    }
    for (const pieces of everyCut(packed)) {
      expect(await collect(decompress(pieces, { limits: { maxInput: 30_001 } }))).toEqual([30_001, 'input-limit'])
      expect(await collect(decompress(pieces, { limits: { maxInput: text.length } }))).toEqual([text.length])
      const limited = { limits: { maxInput: packed.length } }
      expect(
        await collect(
          streamOf(pieces).pipeThrough(makeTransform((source) => decompress(source, limited), { type: 'bytes' })),
        ),
      ).toEqual([packed.length, 'input-limit'])
    }
    const dump = readDump(gzipSync(DUMP), { limits: { maxInput: DUMP.length } })
    expect((await read(dump.pages())).count).toBe(3)
  })

  test('is that of a cache for those who read it by hand, or write to it', async () => {
    const cursor = StreamCache.from(['abc', 'def'], { limits: { maxInput: 4 } }).cursor()
    expect(new TextDecoder().decode(await cursor.read(4))).toBe('abcd')
    await expect(cursor.read(1)).rejects.toMatchObject({ code: 'input-limit', byteOffset: 4 })
    cursor.release()
    const cache = new StreamCache({ limits: { maxInput: 4 } })
    cache.write('abc')
    expect(() => cache.write('de')).toThrow(expect.objectContaining({ code: 'input-limit' }))
    expect(cache.retained).toBe(4)
  })

  test('does not wait for more when the input is exactly as long, nor hide an error before it', async () => {
    const source = stalling([encoder.encode(XML)])
    const { count } = await read(
      (async function* () {
        for await (const document of readXmlDocuments(source, { limits: { maxInput: XML.length } })) {
          yield* document.select('b')
          return
        }
      })(),
    )
    expect(count).toBe(4)
    for (const pieces of everyCut(encoder.encode(`<a></b>${'x'.repeat(100)}`))) {
      const error = await readXml(pieces, { limits: { maxInput: 8 } })
        .check()
        .catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'tag-mismatch', byteOffset: 5 })
    }
  })

  test('is refused where it is not a number', () => {
    for (const act of [
      (limits: Limits) => readXml('', { limits }),
      (limits: Limits) => LINES.stream('', { limits }),
      (limits: Limits) => decompress('', { limits }),
      (limits: Limits) => readDump('', { limits }),
      (limits: Limits) => new StreamCache({ limits }),
    ]) {
      expect(() => act({ maxInput: -1 })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
      expect(() => act({ maxInput: '5' as unknown as number })).toThrow(/maxInput must be a number/)
    }
  })
})
