// Whatever the library hands out to be iterated can be left at any moment, also while it waits for a source that never answers.

import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { decompress } from '../source/compression/decompress.ts'
import { RangeReader } from '../source/mediawiki/dump-range.ts'
import { readDump } from '../source/mediawiki/dump-reader.ts'
import { buildIndex } from '../source/mediawiki/multistream/index-builder.ts'
import { readIndex, readPageAt } from '../source/mediawiki/multistream/multistream-index.ts'
import type { Cursor } from '../source/stream/cursor.ts'
import { StreamCache } from '../source/stream/stream-cache.ts'
import { readXmlDocuments } from '../source/xml/documents.ts'
import { editXml, remove } from '../source/xml/edit/index.ts'
import { readXmlRange } from '../source/xml/ranges/index.ts'
import { readXml } from '../source/xml/reader.ts'
import { archives, dump, grammar, log } from './support/beginnings.ts'
import { until } from './support/resources.ts'
import { EndingSource, settle } from './support/sources.ts'

type Source = AsyncIterable<Uint8Array>
type Items = AsyncIterator<unknown, unknown, undefined>

const encode = (text: string) => new TextEncoder().encode(text)
const iterate = (items: AsyncIterable<unknown>) => items[Symbol.asyncIterator]() as Items
const pages = new Uint8Array(gzipSync(dump))

/** Of everything that can be iterated: what stands before the silence, and how it is opened. */
const iterables: [name: string, before: Uint8Array, open: (source: Source) => Items][] = [
  ['the events of a document', encode('<a><b>'), (source) => readXml(source).events()],
  ['batches of events', encode('<a><b>'), (source) => readXml(source).events().batches()],
  ['selected elements', encode('<a><b>'), (source) => readXml(source).select('b')],
  ['batches of selected elements', encode('<a><b>'), (source) => readXml(source).select('b').batches()],
  ['records', encode('<a><b>'), (source) => readXml(source).records('b', { c: 'c' })],
  ['batches of records', encode('<a><b>'), (source) => readXml(source).records('b', { c: 'c' }).batches()],
  ['lines of records', encode('<a><b>'), (source) => readXml(source).write('jsonl', 'b', { c: 'c' })],
  ['columns of records', encode('<a><b>'), (source) => readXml(source).columns('b', { c: 'c' })],
  ['an edited document', encode('<a><b>'), (source) => editXml(source, { b: remove })],
  ['a document that is edited with content', encode('<a><b>'), (source) => editXml(source, { b: () => {} })],
  ['documents that follow each other', encode(' '), (source) => readXmlDocuments(source)],
  ['the nodes of a grammar', encode('abc'), (source) => iterate(grammar.stream(source, { emit: 'line' }))],
  ['batches of nodes', encode('abc'), (source) => grammar.stream(source, { emit: 'line' }).batches()],
  ['the values of a grammar', encode('abc'), (source) => iterate(grammar.values(source, { emit: 'line' }))],
  ['batches of values', encode('abc'), (source) => grammar.values(source, { emit: 'line' }).batches()],
  ['lines of values', encode('abc'), (source) => grammar.lines(source, { emit: 'line' })],
  ['columns of values', encode('abc'), (source) => grammar.columns(source, { emit: 'line' })],
  ['pages', dump, (source) => readDump(source).pages()],
  ['pages of a compressed dump', pages, (source) => readDump(source).pages()],
  ['batches of pages', dump, (source) => readDump(source).pages().batches()],
  ['lines of pages', dump, (source) => readDump(source).pageLines()],
  ['batches of lines of pages', dump, (source) => readDump(source).pageLines().batches()],
  ['revisions', dump, (source) => readDump(source).revisions()],
  ['batches of revisions', dump, (source) => readDump(source).revisions().batches()],
  ['places of pages', dump, (source) => readDump(source).places()],
  ['log items', log, (source) => readDump(source).logItems()],
  ['pages of which faults are listened to', dump, (source) => readDump(source, { onFault: () => {} }).pages()],
  ['pages of a part', encode('</page>'), (source) => readDump(source, { isPart: true }).pages()],
  [
    'pages of a range whose head is waited for',
    encode('<mediawiki'),
    (source) => {
      const parts = { from: (offset: number) => (offset === 0 ? source : dump), size: async () => 1000 }
      return new RangeReader(parts, { codec: 'none', start: 11, end: 1000 }).reader.pages()
    },
  ],
  [
    'records of a range that is searched',
    encode('<a>'),
    (source) => {
      const parts = { from: (offset: number) => (offset === 0 ? encode('<a><b/>') : source), size: async () => 1000 }
      return readXmlRange(parts, { codec: 'none', start: 1, end: 1000, path: ['b'] }).records({ c: 'c' })
    },
  ],
  [
    'records of a range whose head is waited for',
    encode('<a'),
    (source) => {
      const parts = { from: (offset: number) => (offset === 0 ? source : encode('<b/><b/>')), size: async () => 1000 }
      return readXmlRange(parts, { codec: 'none', start: 1, end: 1000, path: ['b'] }).records({ c: 'c' })
    },
  ],
  ['an index that is made', dump, (source) => buildIndex(source)],
  ['an index that is read', encode('1:2:A'), (source) => readIndex(source)],
  ['a cache', new Uint8Array(0), (source) => iterate(StreamCache.from(source))],
  ['a decompressed source of no known format', encode('BZh'), (source) => iterate(decompress(source))],
  ['decompressed gzip', archives.gzip, (source) => iterate(decompress(source))],
  ['decompressed bzip2', archives.bzip2, (source) => iterate(decompress(source))],
  ['decompressed zstd', archives.zstd, (source) => iterate(decompress(source))],
]

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
process.on('unhandledRejection', note)
afterEach(async () => {
  await settle()
  expect(unhandled.splice(0)).toEqual([])
})

/** What a promise comes to, or `nothing` when it comes to nothing. */
async function outcomeOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  let outcome: unknown = 'nothing'
  promise?.then(
    (value) => {
      outcome = value
    },
    (error: unknown) => {
      outcome = error
    },
  )
  await settle()
  await until(() => outcome !== 'nothing', 2000)
  return outcome
}

const done = { done: true, value: undefined }

describe.each(iterables)('%s', (_, before, open) => {
  async function begin() {
    const source = new EndingSource(before)
    const items = open(source)
    // What can be had before the silence is taken.
    let pending = items.next()
    const takeMore = ({ done }: IteratorResult<unknown>) => {
      if (done) return
      pending = items.next()
      pending.then(takeMore)
    }
    pending.then(takeMore)
    await until(() => source.isAsked)
    await settle()
    expect(source.isAsked).toBe(true)
    return { source, items, pending }
  }

  test('end when they are returned from while they wait, and close their source once', async () => {
    const { source, items, pending } = await begin()
    expect(await outcomeOf(items.return?.())).toEqual(done)
    expect(await outcomeOf(pending)).toEqual(done)
    expect(await outcomeOf(items.next())).toEqual(done)
    expect(source.closed).toBe(1)
  })

  test('end when an error is thrown into them while they wait, and close their source once', async () => {
    const { source, items, pending } = await begin()
    const error = new Error('enough')
    if (items.throw) {
      expect(await outcomeOf(items.throw(error))).toBe(error)
      expect(await outcomeOf(pending)).toEqual(done)
      expect(source.closed).toBe(1)
    }
  })

  test('end for all calls that wait', async () => {
    const { items, pending } = await begin()
    const second = items.next()
    const outcomes = [items.return?.(), items.return?.(), pending, second].map(outcomeOf)
    expect(await Promise.all(outcomes)).toEqual([done, done, done, done])
  })

  test('end when they are returned from before they begin', async () => {
    const items = open(new EndingSource(before))
    expect(await outcomeOf(items.return?.())).toEqual(done)
    expect(await outcomeOf(items.next())).toEqual(done)
  })
})

describe('leaving', () => {
  test('a web stream cancels it once', async () => {
    let cancelled = 0
    const stream = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled++
      },
    })
    const events = readXml(stream).events().batches()
    const pending = events.next()
    await settle()
    expect(await outcomeOf(events.return())).toEqual(done)
    expect(await outcomeOf(pending)).toEqual(done)
    expect(cancelled).toBe(1)
    expect(stream.locked).toBe(false)
  })

  test('the chunks of a cursor leaves the cursor where it is, and its source open', async () => {
    const source = new EndingSource(encode('abc'))
    const cursor = StreamCache.from(source).cursor()
    const chunks = cursor.chunks()
    expect((await chunks.next()).value).toEqual(encode('abc'))
    const pending = chunks.next()
    expect(await outcomeOf(chunks.return())).toEqual(done)
    expect(await outcomeOf(pending)).toEqual(done)
    expect([cursor.offset, source.closed]).toEqual([3, 0])
    cursor.release()
    await settle()
    expect(source.closed).toBe(1)
  })

  test('what was read from a lent cursor leaves that cursor and its source open', async () => {
    const readers: [string, (cursor: Cursor) => Items][] = [
      ['<', (cursor) => readXml(cursor).events().batches()],
      ['a', (cursor) => grammar.stream(cursor, { emit: 'line' }).batches()],
      ['a', (cursor) => grammar.values(cursor, { emit: 'line' }).batches()],
      ['a', (cursor) => grammar.lines(cursor, { emit: 'line' })],
    ]
    for (const [text, read] of readers) {
      const source = new EndingSource(encode(text))
      const cursor = StreamCache.from(source).cursor()
      const items = read(cursor)
      const pending = items.next()
      await settle()
      expect(await outcomeOf(items.return?.())).toEqual(done)
      expect(await outcomeOf(pending)).toEqual(done)
      expect(source.closed).toBe(0)
      const clone = cursor.clone()
      expect(clone.offset).toBeLessThanOrEqual(1)
      for (const one of [clone, cursor]) one.release()
    }
  })

  test('an element that waits for a resolver that never answers ends the wait, and aborts the resolver', async () => {
    let tell: (signal: AbortSignal | undefined) => void
    const asked = new Promise<AbortSignal | undefined>((resolve) => {
      tell = resolve
    })
    const resolve = ({ signal }: { signal?: AbortSignal }) => {
      tell(signal)
      return new Promise<string>(() => {})
    }
    const text = '<!DOCTYPE a [<!ENTITY e SYSTEM "e">]><a>&e;</a>'
    const elements = readXml([text], { resolve }).select('a')
    const pending = elements.next()
    // What reads entities is loaded first.
    const told = await asked
    expect(told?.aborted).toBe(false)
    expect(await outcomeOf(elements.return())).toEqual(done)
    expect(await outcomeOf(pending)).toEqual(done)
    expect(told?.aborted).toBe(true)
  })

  test('a page that is looked up while its dump is silent closes the dump once', async () => {
    const source = new EndingSource(encode('<page><title>A</title>'))
    const controller = new AbortController()
    const dump = { from: (offset: number) => (offset === 0 ? '<mediawiki>' : source), size: async () => 1000 }
    const options = { signal: controller.signal }
    const page = outcomeOf(readPageAt(dump, { id: 1, title: 'A', offset: 11 }, options))
    await until(() => source.isAsked)
    controller.abort('enough')
    expect(await page).toBe('enough')
    expect(source.closed).toBe(1)
  })

  test('a dump while its site description is waited for rejects that wait', async () => {
    const source = new EndingSource(encode('<mediawiki><siteinfo>'))
    const reader = readDump(source)
    const siteInfo = outcomeOf(reader.siteInfo)
    await settle()
    await reader.close()
    expect(await siteInfo).toMatchObject({ code: 'source-cancelled' })
    expect(source.closed).toBe(1)
  })
})
