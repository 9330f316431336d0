// Whatever holds a source can be declared with `await using`, which closes the source when the block is left.

import { readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { decompress, Grammar, HttpSource, readDump, readXml, SourceError, StreamCache } from '../source/index.ts'
import { FileSource } from '../source/stream/sources/node.ts'
import { drain } from './support/collect.ts'
import { until } from './support/resources.ts'
import { settle } from './support/sources.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const grammar = Grammar.from('program ::= line* ; line ::= "a" ;')
const dump = '<mediawiki><siteinfo><sitename>W</sitename></siteinfo><page><title>A</title>'

/** A source that gives a chunk and then nothing, and how often it was closed. */
function silent(text: string) {
  const source = {
    closed: 0,
    isAsked: false,
    stream: new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(encode(text)),
        pull() {
          source.isAsked = true
          return new Promise<void>(() => {})
        },
        cancel() {
          source.closed++
        },
      },
      { highWaterMark: 0 },
    ),
  }
  return source
}

type Holder = AsyncDisposable & { next?(): Promise<unknown> }
/** What holds a source: how it is opened, and how it is read until it waits. */
const holders: [
  name: string,
  open: (source: ReadableStream<Uint8Array>) => Holder,
  read: (holder: never) => Promise<unknown>,
][] = [
  ['a cache', (source) => StreamCache.from(source), (cache: StreamCache) => cache.cursor().read(1e6)],
  ['a decompressed source', (source) => decompress(source), (source: AsyncIterable<unknown>) => drain(source)],
  ['a document', (source) => readXml(source), (reader: ReturnType<typeof readXml>) => drain(reader.select('b'))],
  ['a document that is checked', (source) => readXml(source), (reader: ReturnType<typeof readXml>) => reader.check()],
  ['a dump', (source) => readDump(source), (reader: ReturnType<typeof readDump>) => drain(reader.pages())],
  [
    'a dump of which the site is known',
    (source) => readDump(source),
    async (reader: ReturnType<typeof readDump>) => {
      await reader.siteInfo
      await drain(reader.pages())
    },
  ],
  ['selected elements', (source) => readXml(source).select('b'), (items: AsyncIterable<unknown>) => drain(items)],
  [
    'batches of records',
    (source) => readXml(source).records('b', { c: 'c' }).batches(),
    (items: AsyncIterable<unknown>) => drain(items),
  ],
  ['events', (source) => readXml(source).events().batches(), (items: AsyncIterable<unknown>) => drain(items)],
  ['nodes', (source) => grammar.stream(source, { emit: 'line' }), (items: AsyncIterable<unknown>) => drain(items)],
  [
    'nodes as lines',
    (source) => grammar.lines(source, { emit: 'line' }),
    (items: AsyncIterable<unknown>) => drain(items),
  ],
  ['pages', (source) => readDump(source).pages(), (items: AsyncIterable<unknown>) => drain(items)],
]

describe.each(holders)('%s', (name, open, read) => {
  const text = name.startsWith('nodes') ? 'aa' : dump

  test('closes its source once where it is disposed of while it waits', async () => {
    const source = silent(text)
    let outcome: Promise<unknown>
    {
      await using holder = open(source.stream)
      outcome = read(holder as never).catch((error: unknown) => error)
      await until(() => source.isAsked)
      await settle()
    }
    const error = await outcome
    // Who iterates is done; a check must not seem to have succeeded.
    if (error !== undefined) expect(error).toMatchObject({ code: 'source-cancelled' })
    if (name.endsWith('checked')) expect(error).toBeInstanceOf(SourceError)
    await until(() => source.closed > 0)
    expect(source.closed).toBe(1)
  })

  test.skipIf('next' in open(silent(text).stream))('closes its source once where nothing was read', async () => {
    const source = silent(text)
    {
      await using _ = open(source.stream)
    }
    await until(() => source.closed > 0)
    expect([source.closed, source.stream.locked]).toEqual([1, false])
  })

  test('may be disposed of twice', async () => {
    const source = silent(text)
    const holder = open(source.stream)
    await holder[Symbol.asyncDispose]()
    await holder[Symbol.asyncDispose]()
    expect(source.closed).toBeLessThanOrEqual(1)
  })
})

describe('a document', () => {
  test('that was disposed of is not read any more', async () => {
    const reader = readXml('<a/>')
    await reader[Symbol.asyncDispose]()
    await expect(reader.check()).rejects.toMatchObject({ code: 'stream-read' })
  })

  test('leaves a cursor that it was given, and its source', async () => {
    const source = silent('<a>')
    const cursor = StreamCache.from(source.stream).cursor()
    {
      await using _ = readXml(cursor)
    }
    {
      await using reader = readXml(cursor)
      const pending = reader.events().batches().next()
      await settle()
      void pending
    }
    await settle()
    expect([source.closed, cursor.done]).toEqual([0, false])
    cursor.release()
  })
})

describe('a dump', () => {
  test('that was disposed of is not read any more', async () => {
    const reader = readDump(dump)
    await reader[Symbol.asyncDispose]()
    await expect(reader.pages().next()).rejects.toMatchObject({ code: 'dump-read' })
  })
})

test('a file is closed with all iterations of its source, and can be read again', async () => {
  const path = new URL('../fixtures/mediawiki/small-dump.xml', import.meta.url)
  const countOpen = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('small-dump.xml')
      } catch {
        return false
      }
    }).length
  const source = new FileSource(path, { chunkSize: 10 })
  {
    await using file = source
    const [one, two] = [file[Symbol.asyncIterator](), file[Symbol.asyncIterator]()]
    await Promise.all([one.next(), two.next()])
    if (process.platform === 'linux') expect(countOpen()).toBe(2)
  }
  if (process.platform === 'linux') expect(countOpen()).toBe(0)
  const again = source[Symbol.asyncIterator]()
  expect((await again.next()).value).toHaveLength(10)
  await again.return()
})

test('a request is ended with the source of its URL', async () => {
  let isClosed = false
  const server = createServer((_, response) => {
    response.on('close', () => {
      isClosed = true
    })
    response.write('abc')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    {
      await using source = new HttpSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      const items = source[Symbol.asyncIterator]()
      expect((await items.next()).value).toEqual(encode('abc'))
    }
    await until(() => isClosed)
    expect(isClosed).toBe(true)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
