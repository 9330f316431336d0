// A source may write to a chunk again as soon as it is asked for the next one, and who writes to a pipe as soon as the write has resolved.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  type ByteSource,
  decompress,
  Grammar,
  readDump,
  readXml,
  readXmlDocuments,
  StreamCache,
  type SyntaxNode,
} from '../source/index.ts'
import type { TextOrBytes } from '../source/stream/chunk-encoder.ts'
import { makeTransform, type Transform } from '../source/stream/make-transform.ts'
import { editXml } from '../source/xml/edit/index.ts'
import { collect, collectAll } from './support/collect.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const numbers = Array.from({ length: 600 }, (_, i) => String(i).padStart(5, '0'))
const xml = encode(`<r>${numbers.map((n) => `<a>${n}</a>`).join('')}</r>`)
const lines = encode(numbers.map((n) => `${n}\n`).join(''))
const archive = new Uint8Array(gzipSync(xml))
const pages = numbers.slice(0, 100).map((n) => `<page><title>${n}</title><ns>0</ns><id>1${n}</id></page>`)
const dump = encode(`<mediawiki>${pages.join('')}</mediawiki>`)
const grammar = Grammar.from('program ::= line* ; line ::= [0-9]+ "\\n" ;')

/** Gives its bytes in one buffer, which is cleared before the next ones are put into it. */
function* reusing(bytes: Uint8Array, size: number): Generator<Uint8Array, void, undefined> {
  const buffer = new Uint8Array(size)
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    buffer.fill(0)
    buffer.set(piece)
    yield buffer.subarray(0, piece.length)
  }
  buffer.fill(0)
}

async function* reusingLater(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (const chunk of reusing(bytes, size)) yield chunk
}

function webStream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const chunks = reusing(bytes, size)
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    // With more, the stream itself asks for the next chunk before it has given this one.
    { highWaterMark: 0 },
  )
}

/** Fills the memory that it is given, and that of its own is taken away from it. */
function byteStream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const piece = bytes.subarray(at, at + size)
      at += piece.length
      const memory = controller.byobRequest?.view
      if (piece.length === 0) controller.close()
      if (memory) new Uint8Array(memory.buffer, memory.byteOffset).set(piece)
      if (memory) controller.byobRequest?.respond(piece.length)
      else if (piece.length > 0) controller.enqueue(piece.slice())
    },
  })
}

const joined = async (chunks: AsyncIterable<Uint8Array>) => text(await collect(chunks))
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

const readers: [name: string, bytes: Uint8Array, read: (source: ByteSource) => Promise<unknown>, expected: unknown][] =
  [
    ['a cache', xml, (source) => joined(StreamCache.from(source)), text(xml)],
    [
      'a cursor whose views are kept',
      lines,
      async (source) => {
        const cursor = StreamCache.from(source).cursor()
        const views: Uint8Array[] = []
        while (await cursor.fill(1)) views.push(await cursor.read(6))
        return views.map((view) => text(view).trim())
      },
      numbers,
    ],
    ['decompressed bytes', archive, (source) => joined(decompress(source)), text(xml)],
    ['bytes that are not compressed', xml, (source) => joined(decompress(source)), text(xml)],
    ['elements', xml, async (source) => (await collectAll(readXml(source).select('a'))).map((a) => a.text), numbers],
    [
      'records of what is decompressed',
      archive,
      async (source) => (await collectAll(readXml(decompress(source)).records('a', { n: '.' }))).map(({ n }) => n),
      numbers,
    ],
    [
      'documents that follow each other',
      xml,
      async (source) => {
        const counts: number[] = []
        for await (const one of readXmlDocuments(source)) counts.push((await collectAll(one.select('a'))).length)
        return counts
      },
      [600],
    ],
    ['an edited document', xml, (source) => joined(editXml(source, { a: () => {} })), text(xml)],
    [
      'pages',
      dump,
      async (source) => (await collectAll(readDump(source).pages())).map(({ title }) => title),
      numbers.slice(0, 100),
    ],
    [
      'nodes of a grammar',
      lines,
      async (source) => (await collectAll(grammar.stream(source, { emit: 'line' }))).map((node) => node.text.trim()),
      numbers,
    ],
  ]

describe.each([
  ['an iterable', reusing],
  ['an async iterable', reusingLater],
  ['a Web stream', webStream],
  ['a byte stream', byteStream],
] as [string, (bytes: Uint8Array, size: number) => ByteSource][])('%s that uses its buffer again', (_, open) => {
  // The length of a line and of an element are divisors of some of these, so that what was overwritten would be well-formed.
  test.each(readers)('gives %s as they were', async (_, bytes, read, expected) => {
    for (const size of [7, 60, 720]) expect(await read(open(bytes, size))).toEqual(expected)
  })
})

test('chunks are taken over where nobody writes to them, or the user says so', async () => {
  const chunk = encode('ab')
  const sources: [ByteSource, copy?: boolean][] = [
    [[chunk]],
    [new Set([chunk])],
    [new Set([chunk]), false],
    [[chunk], true],
  ]
  const views = sources.map(([source, copy]) => StreamCache.from(source, { copy }).cursor().peek(2))
  chunk.fill(0x63)
  expect(views.map((view) => view && text(view))).toEqual(['cc', 'ab', 'cc', 'ab'])
  const later = (async function* () {
    yield chunk
  })()
  const first = (
    await StreamCache.from(StreamCache.from(later, { copy: false }))
      .cursor()
      .read(2)
  ).buffer
  expect(first).toBe(chunk.buffer)
})

describe.each([
  [
    'records',
    () => makeTransform((source) => readXml(source).records('a', { n: '.' })),
    xml,
    (record: unknown) => (record as { n: string }).n,
  ],
  [
    'nodes',
    () => makeTransform((source) => grammar.stream(source, { emit: 'line' })),
    lines,
    (node: unknown) => (node as SyntaxNode).text.trim(),
  ],
  [
    'an edited document',
    () => makeTransform((source) => editXml(source, { a: () => {} }), { type: 'bytes' }),
    xml,
    (bytes: unknown) => text(bytes as Uint8Array),
  ],
] as [string, () => Transform<TextOrBytes, unknown>, Uint8Array, (item: unknown) => string][])(
  'a pipe of %s',
  (...row) => {
    const [name, open, bytes, describeItem] = row
    test('has taken a chunk when its write has resolved', async () => {
      const { readable, writable } = open()
      const items = collectAll(readable)
      const writer = writable.getWriter()
      for (const chunk of reusing(bytes, 720)) await writer.write(chunk)
      await writer.close()
      expect((await items).map(describeItem).join('')).toBe(
        name === 'an edited document' ? text(xml) : numbers.join(''),
      )
    })
  },
)
