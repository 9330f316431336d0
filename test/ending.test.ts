// How reading ends before the input does, in all layers alike: whoever aborts by their own signal gets its reason, and a source that fails
// gives a `SourceError` with its error as the cause.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  buildIndex,
  decompress,
  HttpSource,
  RangeReader,
  readDump,
  readIndex,
  readPageAt,
  readXml,
  readXmlDocuments,
  SourceError,
  StreamCache,
  TextCursor,
} from '../source/index.ts'
import { makeTransform, type Transform } from '../source/stream/make-transform.ts'
import { FileSource } from '../source/stream/sources/node.ts'
import type { ByteSource } from '../source/stream/sources/source.ts'
import { editXml, remove } from '../source/xml/edit/index.ts'
import { readXmlRange } from '../source/xml/ranges/index.ts'
import { archives, dump, grammar, log } from './support/beginnings.ts'
import { drain } from './support/collect.ts'
import { until } from './support/resources.ts'
import { EndingSource, settle } from './support/sources.ts'

type Source = AsyncIterable<Uint8Array>
interface Options {
  readonly signal?: AbortSignal
}

const encode = (text: string) => new TextEncoder().encode(text)
const head = encode('<mediawiki><siteinfo><sitename>W')
const xml = encode('<a><b>1</b><b>')

/** A source as a Web stream, which closes it when it is cancelled. */
function streamOf(source: Source): ReadableStream<Uint8Array> {
  const items = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await items.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await items.return?.()
    },
  })
}

/** A dump whose beginning and rest are two sources. */
const partsOf = (beginning: ByteSource, rest: ByteSource) => ({
  from: (offset: number) => (offset === 0 ? beginning : rest),
  size: async () => 1000,
})

/** Everything that reads a source and takes a signal: what stands before the end of reading, and how all of it is read. */
const readers: [name: string, before: Uint8Array, read: (source: Source, options: Options) => Promise<unknown>][] = [
  ['a cache', xml, (source, options) => drain(StreamCache.from(source, options))],
  ['a cursor', xml, (source, options) => StreamCache.from(source, options).cursor().read(1000)],
  ['the chunks of a cursor', xml, (source, options) => drain(StreamCache.from(source, options).cursor().chunks())],
  ['a cursor that takes the signal', xml, (source, options) => StreamCache.from(source).cursor().fill(1000, options)],
  ['a text cursor', xml, (source, options) => new TextCursor(StreamCache.from(source, options)).read(1000)],
  [
    'a text cursor that takes the signal',
    xml,
    (source, options) => new TextCursor(StreamCache.from(source)).read(1000, options),
  ],
  ['a cache of a cache', xml, (source, options) => drain(StreamCache.from(StreamCache.from(source), options))],
  ['a decompressed source of no known format', xml, (source, options) => drain(decompress(source, options))],
  ['decompressed gzip', archives.gzip, (source, options) => drain(decompress(source, options))],
  ['decompressed bzip2', archives.bzip2, (source, options) => drain(decompress(source, options))],
  ['decompressed zstd', archives.zstd, (source, options) => drain(decompress(source, options))],
  [
    'the nodes of a grammar',
    encode('a\nb'),
    (source, options) => drain(grammar.stream(source, { emit: 'line', ...options })),
  ],
  [
    'batches of nodes',
    encode('a\nb'),
    (source, options) => drain(grammar.stream(source, { emit: 'line', ...options }).batches()),
  ],
  [
    'the values of a grammar',
    encode('a\nb'),
    (source, options) => drain(grammar.values(source, { emit: 'line', ...options })),
  ],
  ['lines of values', encode('a\nb'), (source, options) => drain(grammar.lines(source, { emit: 'line', ...options }))],
  [
    'columns of values',
    encode('a\nb'),
    (source, options) => drain(grammar.columns(source, { emit: 'line', ...options })),
  ],
  ['a check by a grammar', encode('a\nb'), (source, options) => grammar.check(source, options)],
  ['events', xml, (source, options) => drain(readXml(source, options).events())],
  ['batches of events', xml, (source, options) => drain(readXml(source, options).events().batches())],
  [
    'events of an unknown encoding',
    encode('<'),
    (source, options) => drain(readXml(source, options).events().batches()),
  ],
  [
    'events of UTF-16',
    Uint8Array.of(0xff, 0xfe, 0x3c, 0),
    (source, options) => drain(readXml(source, options).events().batches()),
  ],
  ['elements', xml, (source, options) => drain(readXml(source, options).select('b'))],
  ['batches of elements', xml, (source, options) => drain(readXml(source, options).select('b').batches())],
  ['records', xml, (source, options) => drain(readXml(source, options).records('b', { c: 'c' }))],
  ['batches of records', xml, (source, options) => drain(readXml(source, options).records('b', { c: 'c' }).batches())],
  [
    'records of a range that is searched',
    encode('<a>'),
    (source, options) => {
      const range = { codec: 'none', start: 1, end: 1000, path: ['b'] } as const
      return drain(readXmlRange(partsOf(xml, source), range, options).records({ c: 'c' }))
    },
  ],
  [
    'records of a range whose head is waited for',
    encode('<a'),
    (source, options) => {
      const range = { codec: 'none', start: 1, end: 1000, path: ['b'] } as const
      return drain(readXmlRange(partsOf(source, encode('<b/><b/>')), range, options).records({ c: 'c' }))
    },
  ],
  ['an edited document', xml, (source, options) => drain(editXml(source, { c: remove }, options))],
  [
    'a document that is edited with content',
    xml,
    (source, options) => drain(editXml(source, { b: () => {} }, options)),
  ],
  ['a check of XML', xml, (source, options) => readXml(source, options).check()],
  ['documents that follow each other', xml, (source, options) => drain(readXmlDocuments(source, options))],
  ['XML of a cursor', xml, (source, options) => readXml(StreamCache.from(source).cursor(), options).check()],
  ['pages', dump, (source, options) => drain(readDump(source, options).pages())],
  ['batches of pages', dump, (source, options) => drain(readDump(source, options).pages().batches())],
  [
    'pages of a compressed dump',
    new Uint8Array(gzipSync(dump)),
    (source, options) => drain(readDump(source, options).pages()),
  ],
  [
    'pages of which errors are reported',
    dump,
    (source, options) => drain(readDump(source, { ...options, onFault: () => {} }).pages()),
  ],
  [
    'pages of a part',
    encode('</page>'),
    (source, options) => drain(readDump(source, { ...options, isPart: true }).pages()),
  ],
  ['lines of pages', dump, (source, options) => drain(readDump(source, options).pageLines())],
  ['revisions', dump, (source, options) => drain(readDump(source, options).revisions())],
  ['places of pages', dump, (source, options) => drain(readDump(source, options).places())],
  ['log items', log, (source, options) => drain(readDump(source, options).logItems())],
  ['the site of a dump', head, (source, options) => readDump(source, options).siteInfo],
  [
    'a page that is looked up',
    dump,
    (source, options) => readPageAt(partsOf(encode('<mediawiki>'), source), { id: 7, title: 'G', offset: 11 }, options),
  ],
  [
    'the head of a dump of which a page is looked up',
    encode('<mediawiki'),
    (source, options) => readPageAt(partsOf(source, dump), { id: 7, title: 'G', offset: 11 }, options),
  ],
  [
    'the head of a dump of which a range is read',
    encode('<mediawiki'),
    (source, options) => {
      const range = { codec: 'none', start: 11, end: 1000 } as const
      return drain(new RangeReader(partsOf(source, dump), range, options).reader.pages())
    },
  ],
  [
    'elements in a pipe',
    xml,
    (source, options) =>
      drain(streamOf(source).pipeThrough(makeTransform((input) => readXml(input, options).select('b'), options))),
  ],
  [
    'events in a pipe',
    xml,
    (source, options) =>
      drain(streamOf(source).pipeThrough(makeTransform((input) => readXml(input).events().batches(), options))),
  ],
  [
    'lines in a pipe',
    xml,
    (source, options) =>
      drain(
        streamOf(source).pipeThrough(
          makeTransform((input) => readXml(input).write('jsonl', 'b', { text: '.' }), options),
        ),
      ),
  ],
  [
    'an edited document in a pipe',
    xml,
    (source, options) =>
      drain(streamOf(source).pipeThrough(makeTransform((input) => editXml(input, { b: () => {} }, options)))),
  ],
  [
    'nodes in a pipe',
    encode('a\nb'),
    (source, options) =>
      drain(streamOf(source).pipeThrough(makeTransform((input) => grammar.stream(input, { emit: 'line' }), options))),
  ],
  [
    'bytes that are decompressed in a pipe',
    archives.gzip,
    (source, options) =>
      drain(streamOf(source).pipeThrough(makeTransform((input) => decompress(input), { type: 'bytes', ...options }))),
  ],
]

/** Those that end a wait, and leave the stream and its source as they are. */
const lent: readonly unknown[] = [
  'a cursor that takes the signal',
  'a text cursor that takes the signal',
  'XML of a cursor',
]

/** What reads a source and takes no signal. */
const others: typeof readers = [
  ['an index that is made', dump, (source) => drain(buildIndex(source))],
  ['an index that is read', encode('1:2:A'), (source) => drain(readIndex(source))],
]

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )

describe.each(readers)('%s', (name, before, read) => {
  test('throws the reason of a signal that was aborted before', async () => {
    const reason = new Error('never mind')
    expect(await reasonOf(read(new EndingSource(before), { signal: AbortSignal.abort(reason) }))).toBe(reason)
  })

  test('throws the reason of a signal that is aborted while it waits, and closes its source', async () => {
    const reason = { why: 'enough' }
    const controller = new AbortController()
    const source = new EndingSource(before)
    const outcome = reasonOf(read(source, { signal: controller.signal }))
    await until(() => source.isAsked)
    await settle()
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    await settle()
    const isLent = lent.includes(name)
    await until(() => isLent || source.closed > 0, 2000)
    expect(source.closed).toBe(isLent ? 0 : 1)
  })
})

describe.each([...readers, ...others])('%s', (_, before, read) => {
  test('throws a SourceError where the source fails, with its error as the cause', async () => {
    const cause = new Error('broken')
    const error = await reasonOf(read(new EndingSource(before, cause), {}))
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', cause })
    expect((error as SourceError).cause).toBe(cause)
  })

  test('throws a SourceError where a file is not there', async () => {
    const error = await reasonOf(read(new FileSource('/nowhere/at/all'), {}))
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
  })
})

describe.each([
  ['elements', () => makeTransform((source) => readXml(source).select('b'))],
  ['records', () => makeTransform((source) => readXml(source).records('b', { text: '.' }))],
  ['lines', () => makeTransform((source) => readXml(source).write('jsonl', 'b', { text: '.' }), { type: 'bytes' })],
  ['columns', () => makeTransform((source) => readXml(source).columns('b', { text: '.' }))],
  ['events', () => makeTransform((source) => readXml(source).events().batches())],
  ['an edited document', () => makeTransform((source) => editXml(source, { b: () => {} }), { type: 'bytes' })],
  ['nodes', () => makeTransform((source) => grammar.stream(source, { emit: 'line' })), encode('a\nb')],
  ['decompressed bytes', () => makeTransform(decompress, { type: 'bytes' })],
] as [string, () => Transform<Uint8Array, unknown>, Uint8Array?][])('a pipe of %s', (_, open, before = xml) => {
  test('that its writer aborts throws a SourceError with the reason of the writer as the cause', async () => {
    const reason = new Error('no more')
    const { readable, writable } = open()
    const writer = writable.getWriter()
    const outcome = reasonOf(drain(readable))
    await writer.write(before)
    await writer.abort(reason)
    const error = await outcome
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', message: expect.stringContaining('no more') })
    expect((error as SourceError).cause).toBe(reason)
  })
})

describe('what is at a URL', () => {
  const fetch = (_: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_, reject) => {
      if (signal?.aborted) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason))
    })

  test('throws the reason of its signal', async () => {
    const reason = new Error('enough')
    const before = new HttpSource('http://x', { fetch, signal: AbortSignal.abort(reason) })
    expect(await reasonOf(drain(before))).toBe(reason)
    expect(await reasonOf(before.size())).toBe(reason)
    const controller = new AbortController()
    const outcome = reasonOf(drain(new HttpSource('http://x', { fetch, signal: controller.signal })))
    await settle()
    controller.abort(reason)
    expect(await outcome).toBe(reason)
  })

  test('is a source like others for those who read it', async () => {
    const reason = new Error('enough')
    const source = new HttpSource('http://x', { fetch, signal: AbortSignal.abort(reason) })
    const error = await reasonOf(readXml(source).check())
    expect(error).toBeInstanceOf(SourceError)
    expect((error as SourceError).cause).toBe(reason)
  })
})
