// Workers are files of the built package, so it is what is tested here; in the sources there are none, so there this thread reads.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CompressionError, decompress } from 'xylem/compression'
import { LimitError, readXmlInWorker, SourceError, XmlError } from 'xylem/worker'
import { readXml } from 'xylem/xml'
import { readXmlInWorker as readHere } from '../../source/worker/index.ts'
import { isThorough, sample } from '../support/extent.ts'
import { readFixture } from '../support/fixtures.ts'
import { stalling } from '../support/sources.ts'
import { collect, failure } from '../support/streams.ts'

/** Records of many pieces, and of many messages of a worker. */
const MANY = isThorough ? 200_000 : 10_000

const dump = new Uint8Array(readFixture('mediawiki/small-dump.xml'))
const SHAPE = {
  title: 'title',
  id: { path: 'id', as: 'integer' },
  size: { path: 'revision/text/@bytes', as: 'number' },
  isRedirect: { path: 'redirect', as: 'present' },
  at: { path: '.', as: 'offset' },
  contributor: { of: 'revision/contributor', fields: { name: 'username', ip: 'ip' } },
  texts: ['revision/text'],
  all: { path: 'revision', as: 'children' },
} as const

/** Reads on this thread, at once: a script of this name is refused. That others are tried in vain, worker-reading.test.ts tests. */
const readWithoutWorker = ((source, options) =>
  readHere(source, { workerUrl: 'none', ...options })) as typeof readHere as unknown as typeof readXmlInWorker

const readers = [
  ['a worker', readXmlInWorker],
  // Classes of errors are those of the sources there.
  ['this thread, without workers', readWithoutWorker],
] as const

/** A document without an end. */
async function* endless(onClose: () => void): AsyncGenerator<Uint8Array> {
  const piece = Buffer.from('<a n="1">x</a>'.repeat(5000))
  try {
    yield Buffer.from('<r>')
    for (;;) {
      yield piece
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  } finally {
    onClose()
  }
}

describe.each(readers)('a document read by %s', (_, read) => {
  /** Each reading starts a worker: what is decided before anything is sent is tested on this thread alone in `npm test`. */
  const testHere = test.runIf(isThorough || read === readWithoutWorker)

  test.runIf(isThorough)('reports an error, and ends, without waiting for a source that is silent', async () => {
    async function* silent(text: string): AsyncGenerator<string> {
      yield text
      await new Promise(() => {})
    }
    const { items, error } = await failure(read(silent('<r><a>x</a></s>')).records('a', { text: '.' }))
    expect([items, (error as XmlError).code]).toEqual([[{ text: 'x' }], 'tag-mismatch'])
    const reader = read(silent('<r><a>x</a>')).records('a', { text: '.' }).getReader()
    expect(await reader.read()).toEqual({ done: false, value: { text: 'x' } })
    const next = reader.read()
    await reader.cancel()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test.runIf(isThorough)('takes memory that cannot be transferred, and views of the same memory', async () => {
    const bytes = new TextEncoder().encode('<r><a>x</a><a>y</a></r>')
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
    shared.set(bytes)
    const views = [bytes.subarray(0, 8), bytes.subarray(8)]
    const packed = decompress(gzipSync(`<r>${'<a>x</a>'.repeat(MANY)}</r>`))
    for (const source of [shared, shared.buffer, views]) {
      const records = read(source, { transfer: true }).records('a', { text: '.' })
      expect(await collect(records)).toEqual([{ text: 'x' }, { text: 'y' }])
    }
    expect(await collect(read(packed, { transfer: true }).records('a', { text: '.' }))).toHaveLength(MANY)
  })

  test('reports what is not a source, and keeps the cause of a failure', async () => {
    const { error } = await failure(read(Promise.resolve('') as never).records('a', { text: '.' }))
    expect(error).toMatchObject({ name: 'TypeError', code: 'invalid-source' })
    const cause = new RangeError('dry')
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue('<r>'),
      pull: (controller) => controller.error(cause),
    })
    const failed = await failure(read(stream).records('a', { text: '.' }))
    expect((failed.error as SourceError).cause).toBe(cause)
  })

  testHere('refuses options of writing for records', () => {
    const options = { absent: 'null' } as object
    expect(() => read('<r/>').records('a', { text: '.' }, options)).toThrow('unknown option absent')
    expect(() => read('<r/>').records('a', { text: '.' }, options).batches()).toThrow('unknown option absent')
  })

  testHere('refuses formats that it does not write', async () => {
    for (const format of sample(['columns', 'objects', 'yaml'], 1)) {
      const { error } = await failure(read('<r/>').write(format as 'csv', 'a', { n: '@n' }))
      expect(error).toMatchObject({
        code: 'invalid-option',
        message: expect.stringContaining(`unknown format ${format}`),
      })
    }
  })

  testHere('gives batches that end with the document that was disposed before', async () => {
    const document = read('<r><a/></r>')
    const records = document.records('a', { n: '@n' })
    await document[Symbol.asyncDispose]()
    await expect(collect(records.batches())).rejects.toMatchObject({
      code: 'stream-read',
      message: 'the document was closed',
    })
  })

  test('gives the same records', async () => {
    const expected = JSON.parse(JSON.stringify(await collect(readXml(dump).records('page', SHAPE))))
    expect(expected.length).toBeGreaterThan(5)
    const sources = [
      dump,
      dump.buffer.slice(dump.byteOffset, dump.byteOffset + dump.length),
      new Blob([dump]),
      new TextDecoder().decode(dump),
    ]
    const streams = [new Blob([dump]).stream(), [dump.subarray(0, 100), dump.subarray(100)]]
    for (const source of sample([...sources, ...streams], 2)) {
      expect(await collect(read(source as Uint8Array).records('page', SHAPE))).toEqual(expected)
    }
    const batches = await collect(read(dump).records('page', SHAPE).batches())
    expect(batches.flat()).toEqual(expected)
  })

  test('gives dates where the shape has them, and texts that look like dates elsewhere', async () => {
    const day = '2026-11-24T00:00:00.000Z'
    const document = `<r><a on="2026-11-24"><d>${day}</d><d>x</d><b><d>20261124</d></b><c><d>${day}</d></c></a><a/></r>`
    const date = { path: 'd', as: 'date' } as const
    const shape = {
      constructor: { path: '@on', as: 'date' },
      text: 'd',
      all: [date],
      b: { of: 'b', fields: { date } },
      some: [{ of: 'b', fields: { dates: [date] } }],
      one: { of: 'c', oneOf: [{ none: 'none' }, { date, text: 'd' }] },
      r: { outer: '/r', fields: { name: 'name()' } },
    } as const
    const options = { lenient: true } as const
    const records = await collect(read(document).records('a', shape, options))
    const here = await collect(readXml(document).records('a', shape, options))
    expect(here[0]).toMatchObject({ constructor: new Date(day), text: day, b: { date: new Date(day) } })
    // In a list, JSON has null for a value that is not of its kind.
    expect(records).toEqual([
      { ...here[0], all: [new Date(day), null] },
      { all: [], some: [], r: { name: 'r' } },
    ])
  })

  test('gives whole numbers of 64 bits exactly', async () => {
    const document = '<r><e n="9007199254740993"><d>2026-11-24</d></e><e/></r>'
    const shape = { n: { path: '@n', as: 'int64' }, d: { path: 'd', as: 'date' }, all: ['x'] } as const
    const where = { n: { above: 9007199254740992n } }
    const records = await collect(read(document).records('e', shape))
    expect(records).toEqual([{ n: 9007199254740993n, d: new Date('2026-11-24'), all: [] }, { all: [] }])
    expect(Object.keys(records[1] as object)).toEqual(['all'])
    expect(await collect(read(document).records('e', shape, { where }))).toHaveLength(1)
  })

  testHere('compares dates that conditions have', async () => {
    const document = '<r><a>2026-11-23</a><a>2026-11-24</a></r>'
    const where = { d: { from: new Date('2026-11-24T00:00:00Z') } }
    const records = read(document).records('a', { d: { path: '.', as: 'date' } }, { where })
    expect(await collect(records)).toEqual([{ d: new Date('2026-11-24T00:00:00Z') }])
  })

  test('gives records in arrays or one by one, but not both', async () => {
    const refusal = expect.objectContaining({ name: 'TypeError', code: 'stream-read' })
    const records = read('<r><a>x</a><a>y</a></r>').records('a', { text: '.' })
    const reader = records.getReader()
    expect(() => records.batches()).toThrow(refusal)
    await reader.read()
    reader.releaseLock()
    expect(() => records.batches()).toThrow(refusal)
    await records.cancel()
    const others = read('<r><a>x</a><a>y</a></r>').records('a', { text: '.' })
    const batches = others.batches()
    expect(others.locked).toBe(true)
    expect(await collect(batches)).toEqual([[{ text: 'x' }, { text: 'y' }]])
  })

  test('gives batches that a signal or disposing ends', async () => {
    const controller = new AbortController()
    const aborted = read(stalling(['<r>']), { signal: controller.signal })
      .records('a', { text: '.' })
      .batches()
    const waiting = collect(aborted)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    const document = read(stalling(['<r>']))
    const left = collect(document.records('a', { text: '.' }).batches())
    await document[Symbol.asyncDispose]()
    await expect(left).rejects.toMatchObject({ code: 'stream-read' })
  })

  test('gives the same lines, files of columns, and columns', async () => {
    const options = { where: { id: { from: 3 } } } as const
    const text = async (chunks: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) =>
      Buffer.concat(await collect(chunks)).toString()
    const shape = { title: 'title', id: SHAPE.id }
    const expected = await text(readXml(dump).write('tsv', 'page', shape, options))
    expect(expected.split('\n').length).toBeGreaterThan(3)
    expect(await text(read(dump).write('tsv', 'page', shape, options))).toBe(expected)
    for (const format of sample(['arrow', 'arrows', 'parquet'] as const, 1)) {
      const written = Buffer.concat(await collect(readXml(dump).write(format, 'page', SHAPE, options)))
      expect(Buffer.concat(await collect(read(dump).write(format, 'page', SHAPE, options))).equals(written)).toBe(true)
    }
    const columns = await collect(readXml(dump).columns('page', SHAPE, { rows: 3 }))
    expect(columns.length).toBeGreaterThan(1)
    expect(await collect(read(dump).columns('page', SHAPE, { rows: 3 }))).toEqual(columns)
  })

  test('gives many records in their order', async () => {
    const document = `<r>${Array.from({ length: MANY }, (_, i) => `<a n="${i}">\n</a>`).join('')}</r>`
    const records = await collect(read(document).records('a', { n: { path: '@n', as: 'integer' }, text: '.' }))
    expect(records.every(({ n, text }, i) => n === i && text === '\n')).toBe(true)
    expect(records.length).toBe(MANY)
  })

  test.runIf(isThorough)('is decompressed where that is asked for', async () => {
    const expected = await collect(readXml(dump).records('page', { title: 'title' }))
    for (const suffix of ['gz', 'bz2']) {
      const packed = readFixture(`mediawiki/small-dump.xml.${suffix}`)
      expect(await collect(read(packed, { decompress: true }).records('page', { title: 'title' }))).toEqual(expected)
      // In a pool of this thread, the pieces are posted.
      expect(await collect(read(decompress(packed)).records('page', { title: 'title' }))).toEqual(expected)
    }
  })

  test('fails with the reason of its signal, also while nobody reads', async () => {
    const reason = new Error('enough')
    for (const isEarly of [true, false]) {
      const controller = new AbortController()
      if (isEarly) controller.abort(reason)
      let isClosed = false
      const source = endless(() => {
        isClosed = true
      })
      const stream = read(source, { signal: controller.signal }).records('a', { n: '@n' })
      const reader = stream.getReader()
      if (!isEarly) {
        expect((await reader.read()).value).toEqual({ n: '1' })
        controller.abort(reason)
      }
      await expect(reader.closed).rejects.toBe(reason)
      await expect(reader.read()).rejects.toBe(reason)
      if (!isEarly) await expect.poll(() => isClosed).toBe(true)
    }
  })

  test('is closed when the stream is cancelled or the reader is disposed', async () => {
    const ways = [
      (stream: ReadableStream<unknown>) => stream.cancel(),
      (_: unknown, reader: AsyncDisposable) => reader[Symbol.asyncDispose](),
    ]
    for (const end of ways) {
      let isClosed = false
      const source = endless(() => {
        isClosed = true
      })
      const document = read(source)
      const stream = document.records('a', { n: '@n' })
      const reader = stream.getReader()
      await reader.read()
      reader.releaseLock()
      await end(stream, document)
      await expect.poll(() => isClosed).toBe(true)
    }
    let reason: unknown = 'none'
    const unread = new ReadableStream({
      cancel(why) {
        reason = why
      },
    })
    await read(unread)[Symbol.asyncDispose]()
    expect(reason).toBeUndefined()
  })

  test('reads no more of its source than is asked for', async () => {
    let given = 0
    const source = (async function* () {
      yield Buffer.from('<r>')
      for (; ; given++) yield Buffer.from('<a n="1">x</a>'.repeat(5000))
    })()
    const stream = read(source).write('jsonl', 'a', { n: '@n' })
    const reader = stream.getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = given
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(given).toBe(before)
    expect(given).toBeLessThan(60)
    await reader.cancel()
  })

  test('can be read once, and refuses what cannot be sent', () => {
    const document = read(dump)
    document.records('page', { title: 'title' })
    expect(() => document.write('jsonl', 'page', { title: 'title' })).toThrow(
      expect.objectContaining({ code: 'stream-read' }),
    )
    const isInvalid = expect.objectContaining({ name: 'TypeError', code: 'invalid-option' })
    const unknown = { resolve: () => 'x' } as object
    expect(() => read(dump, unknown)).toThrow('resolve is a function, which cannot be sent to a worker')
    const report = { onError: () => {} } as object
    expect(() => read(dump).records('page', {}, report)).toThrow(
      'onError is a function, which cannot be sent to a worker: use skip',
    )
    expect(() => read(dump, { treads: 2 } as object)).toThrow(isInvalid)
    const where = { where: () => true } as object
    expect(() => read(dump).records('page', { title: 'title' }, where)).toThrow('give it as conditions')
  })

  testHere('reports wrong paths, fields and options when it is read', async () => {
    const cases: [ReadableStream<unknown>, string][] = [
      [read('<r/>').records(':::', { a: 'a' }), 'RangeError'],
      [read('<r/>').records('a', { a: { path: 'a', as: 'numeral' as 'number' } }), 'RangeError'],
      [read('<r/>', { encoding: 'klingon' }).records('a', { a: 'a' }), 'RangeError'],
      [read('<r/>').records('a', { a: (() => 1) as unknown as string }), expect.stringMatching(/^(Type|Range)Error$/)],
    ]
    for (const [stream, name] of sample(cases, 2)) {
      const { error } = await failure(stream)
      expect(error).toMatchObject({ name, code: 'invalid-option' })
    }
  })
})

describe('errors of a document that a worker reads', () => {
  test('are those of this thread, after everything before them', async () => {
    const cases: [string | Uint8Array, object][] = [
      ['<r>\n<a>x</a>\n<b></r>', {}],
      ['<r><a>x</a><a>&none;</a></r>', {}],
      ['<r><a>x</a>', {}],
      [`<r><a>x</a>${'<b>'.repeat(30)}`, { limits: { maxDepth: 20 } }],
    ]
    for (const [document, options] of sample(cases, 2)) {
      const here = await failure(readXml(document, options).records('a', { text: '.' }))
      const there = await failure(readXmlInWorker(document, options).records('a', { text: '.' }))
      expect(there.items).toEqual(here.items)
      const [one, other] = [here.error, there.error] as [XmlError, XmlError]
      expect(other).toBeInstanceOf(one instanceof LimitError ? LimitError : XmlError)
      expect(other.toJSON()).toEqual(one.toJSON())
    }
  })

  test('have as their cause what the source has thrown, itself', async () => {
    const thrown = Object.assign(new Error('no more'), { toString: () => 'x' })
    const source = (async function* () {
      yield '<r><a>x</a>'
      throw thrown
    })()
    const { items, error } = await failure(readXmlInWorker(source).records('a', { text: '.' }))
    expect(items).toEqual([{ text: 'x' }])
    expect(error).toBeInstanceOf(SourceError)
    expect((error as SourceError).cause).toBe(thrown)
  })

  test('say that compressed data is damaged', async () => {
    const packed = readFixture('mediawiki/small-dump.xml.gz')
    const { error } = await failure(
      readXmlInWorker(packed.subarray(0, 500), { decompress: true }).records('page', { title: 'title' }),
    )
    expect((error as SourceError).cause ?? error).toMatchObject({ name: 'CompressionError', code: 'truncated' })
    expect([error, (error as SourceError).cause].some((each) => each instanceof CompressionError)).toBe(true)
  })
})
