import { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SourceError } from '../../source/stream/errors.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { readXml, XmlError, type XmlOptions } from '../../source/xml/index.ts'
import { collectAll } from '../support/collect.ts'
import { until, watchSignal } from '../support/resources.ts'
import { settle, slowly, stalling } from '../support/sources.ts'

/** A source that makes a chunk when it is asked for one, and knows how many were made and why it was cancelled. */
class Watched {
  pulled = 0
  /** Undefined as long as it is not cancelled. */
  cancelled: { reason: unknown } | undefined
  readonly stream: ReadableStream<string>

  constructor(chunks: Iterable<string>, error?: Error) {
    const iterator = chunks[Symbol.iterator]()
    this.stream = new ReadableStream<string>(
      {
        pull: (controller) => {
          this.pulled++
          const { done, value } = iterator.next()
          if (!done) controller.enqueue(value)
          else if (error) controller.error(error)
          else controller.close()
        },
        cancel: (reason) => {
          this.cancelled = { reason }
        },
      },
      { highWaterMark: 0 },
    )
  }

  async isCancelled(): Promise<void> {
    await until(() => this.cancelled !== undefined)
  }
}

/** A document that does not end, one element of a kilobyte in a chunk; with an error instead of chunk `faultAt`. */
function* elements(faultAt = Number.POSITIVE_INFINITY): Generator<string, void, undefined> {
  yield '<r>'
  for (let i = 1; ; i++) yield i === faultAt ? '</q>' : `<a>${'x'.repeat(1024)}</a>`
}

/** The texts of elements, and the error after them. */
async function readAll(stream: ReadableStream<{ text: string }>): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = []
  try {
    for await (const { text } of stream) texts.push(text)
    return { texts, error: undefined }
  } catch (error) {
    return { texts, error }
  }
}

/** What a promise rejects with; a message when it does not. */
function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'it does not reject',
    (reason: unknown) => reason,
  )
}

/** The beginning of a document that takes all the room in front of the parser, so that the next write waits. */
const FULL = `<r><!--${'x'.repeat(64 * 1024)}-->`

const unhandled: unknown[] = []
const note = (reason: unknown): number => unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  await settle()
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

test('records come as their shape says', async () => {
  const stream = makeTransform((input) =>
    readXml(input).records('b', { id: { path: '@id', as: 'integer' }, text: '.' }, { where: { id: { from: 2 } } }),
  )
  const records: unknown[] = []
  const text = '<a><b id="1">one</b><b id="2">two</b><b id="3">three</b></a>'
  for await (const record of new Blob([text]).stream().pipeThrough(stream)) records.push(record)
  expect(records).toEqual([
    { id: 2, text: 'two' },
    { id: 3, text: 'three' },
  ])
  expect(() => makeTransform((input) => readXml(input).records('b', [] as never))).toThrow(TypeError)
  expect(() =>
    makeTransform((input) => readXml(input).records('b', { a: 'a' }, { were: () => true } as object)),
  ).toThrow(/did you mean where/)
})

test('prefixes stand for namespaces in the paths of elements', async () => {
  const stream = makeTransform((input) => readXml(input).select('x:b', { prefixes: { x: 'urn:x' } }))
  const texts: string[] = []
  const document = '<a xmlns:y="urn:x"><y:b>1</y:b><b>2</b></a>'
  for await (const { text } of new Blob([document]).stream().pipeThrough(stream)) texts.push(text)
  expect(texts).toEqual(['1'])
})

describe('an error in the document', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('errors both sides with the same error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    const reading = readAll(readable)
    await writer.write('<r><a>1</a></q>')
    await settle()
    // It waits a second for what follows the error.
    await vi.advanceTimersByTimeAsync(1000)
    const { texts, error } = await reading
    expect(texts).toEqual(['1'])
    expect(error).toBeInstanceOf(XmlError)
    expect(await reasonOf(writer.write('x'))).toBe(error)
    expect(await reasonOf(writer.closed)).toBe(error)
    expect(await reasonOf(writer.ready)).toBe(error)
  })

  test('rejects a write that waits', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    const writing = [`${FULL}</q>\n`, FULL, FULL, 'x'].map((chunk) => reasonOf(writer.write(chunk)))
    const closing = reasonOf(writer.close())
    const { error } = await readAll(readable)
    expect(error).toBeInstanceOf(XmlError)
    // There is room for the second when the parser takes the first.
    expect((await Promise.all(writing)).slice(2)).toEqual([error, error])
    expect(await closing).toBe(error)
  })

  test('rejects a pipe, and cancels its source', async () => {
    for (const stream of [
      makeTransform((input) => readXml(input).select('a')),
      makeTransform((input) => readXml(input).events().batches()),
    ]) {
      const source = new Watched(elements(3))
      const piping = reasonOf(source.stream.pipeTo(stream.writable))
      const read = async (): Promise<void> => {
        for await (const _ of stream.readable as ReadableStream<unknown>) {
          // Only the error is wanted.
        }
      }
      const error = await reasonOf(read())
      expect(error).toBeInstanceOf(XmlError)
      expect(await piping).toBe(error)
      expect(source.cancelled).toEqual({ reason: error })
    }
  })

  test('at its end rejects the close', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const piping = reasonOf(new Watched(['<r><a>1</a>', '<a>2</a>']).stream.pipeTo(writable))
    const { texts, error } = await readAll(readable)
    expect(texts).toEqual(['1', '2'])
    expect(error).toBeInstanceOf(XmlError)
    expect(await piping).toBe(error)
  })

  test('is thrown only in a loop if a pipe is not waited for', async () => {
    const source = new Watched(elements(3))
    const { texts, error } = await readAll(
      source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))),
    )
    expect(texts).toHaveLength(2)
    expect(error).toBeInstanceOf(XmlError)
    await source.isCancelled()
    expect(source.cancelled).toEqual({ reason: error })
  })
})

describe('leaving a stream', () => {
  test('by a loop that is left cancels the source for no reason', async () => {
    for (const stream of [
      makeTransform((input) => readXml(input).select('a')),
      makeTransform((input) => readXml(input).events().batches()),
    ]) {
      const source = new Watched(elements())
      for await (const _ of source.stream.pipeThrough<unknown>(stream)) break
      await source.isCancelled()
      expect(source.cancelled).toEqual({ reason: undefined })
    }
  })

  test('by an error in the body of a loop cancels the source for no reason', async () => {
    const source = new Watched(elements())
    const read = async (): Promise<void> => {
      for await (const _ of source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))))
        throw new Error('in the body')
    }
    await expect(read()).rejects.toThrow('in the body')
    await source.isCancelled()
    expect(source.cancelled).toEqual({ reason: undefined })
  })

  test('passes the reason on to the source, also before anything was read', async () => {
    for (const count of [0, 1, 3]) {
      const source = new Watched(elements())
      const reader = source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))).getReader()
      for (let i = 0; i < count; i++) await reader.read()
      await reader.cancel('bye')
      await source.isCancelled()
      expect(source.cancelled).toEqual({ reason: 'bye' })
    }
  })

  test('rejects writes with the reason: one that waits, and those to come', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    await writer.write(FULL)
    const writing = reasonOf(writer.write('x'))
    await readable.cancel('bye')
    expect(await writing).toBe('bye')
    expect(await reasonOf(writer.write('x'))).toBe('bye')
    expect(await reasonOf(writer.closed)).toBe('bye')
  })

  test('ends a read that waits', async () => {
    const { readable } = makeTransform((input) => readXml(input).select('a'))
    const reader = readable.getReader()
    const reading = reader.read()
    await settle()
    await reader.cancel('bye')
    expect(await reading).toEqual({ done: true, value: undefined })
  })

  test('by the signal of the options passes its reason on to both sides', async () => {
    const { controller, signal, listeners } = watchSignal()
    const source = new Watched(elements())
    const stream = source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'), { signal }))
    const reader = stream.getReader()
    await reader.read()
    const reason = new Error('no more')
    controller.abort(reason)
    await source.isCancelled()
    expect(source.cancelled).toEqual({ reason })
    expect(await reasonOf(reader.read())).toBe(reason)
    expect(listeners()).toBe(0)
  })

  test('by a signal that was aborted before passes its reason on to both sides', async () => {
    const source = new Watched(elements())
    const stream = source.stream.pipeThrough(
      makeTransform((input) => readXml(input).select('a'), { signal: AbortSignal.abort('bye') }),
    )
    await source.isCancelled()
    expect(source.cancelled).toEqual({ reason: 'bye' })
    expect((await readAll(stream)).error).toBe('bye')
  })
})

test('no listener is left on a signal at the end', async () => {
  const { signal, listeners } = watchSignal()
  const source = new Watched(['<r><a>1</a></r>'])
  expect(
    (await readAll(source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'), { signal })))).texts,
  ).toEqual(['1'])
  await settle()
  expect(listeners()).toBe(0)
})

describe('aborting', () => {
  test('the writable side gives the readable one the reason', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    const reader = readable.getReader()
    const reading = reader.read()
    await writer.write('<r><a>1</a>')
    expect((await reading).value?.text).toBe('1')
    const next = reasonOf(reader.read())
    await writer.abort('enough')
    const error = await next
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', cause: 'enough' })
    expect(await reasonOf(writer.write('x'))).toBe('enough')
  })

  test('does not wait for a write that waits', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    await writer.write(FULL)
    const writing = reasonOf(writer.write('x'))
    await settle()
    await writer.abort('enough')
    expect(await writing).toBe('enough')
    expect((await readAll(readable)).error).toMatchObject({ cause: 'enough' })
  })

  test('does not wait for a close that waits, and takes nothing back', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    const reader = readable.getReader()
    const reading = reader.read()
    await writer.write('<r><a>1</a></r>')
    const closing = writer.close()
    await writer.abort('enough')
    await closing
    expect((await reading).value?.text).toBe('1')
    expect((await reader.read()).done).toBe(true)
  })

  test('a pipe by its signal ends both sides', async () => {
    const controller = new AbortController()
    const source = new Watched(elements())
    const stream = source.stream.pipeThrough(
      makeTransform((input) => readXml(input).select('a')),
      { signal: controller.signal },
    )
    const reader = stream.getReader()
    await reader.read()
    const cause = new Error('no more')
    controller.abort(cause)
    let error: unknown
    // What had arrived is read before.
    while (error === undefined) {
      await reader.read().catch((reason: unknown) => {
        error = reason
      })
    }
    expect(error).toMatchObject({ code: 'source-failed', cause })
    await source.isCancelled()
    expect(source.cancelled).toEqual({ reason: cause })
  })
})

test('a source that fails errors the readable side, after what came before', async () => {
  const cause = new Error('no network')
  const source = new Watched(['<r><a>1</a>', '<a>2</a>'], cause)
  const { texts, error } = await readAll(
    source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))),
  )
  expect(texts).toEqual(['1', '2'])
  expect(error).toMatchObject({ name: 'SourceError', code: 'source-failed', cause })
})

test('what is neither bytes nor text errors both sides when it is read as XML', async () => {
  const { readable, writable } = makeTransform((source) => readXml(source).select('a'))
  const writer = writable.getWriter()
  const reading = readAll(readable)
  writer.write(undefined as unknown as string).catch(() => {})
  const { error } = await reading
  expect(error).toMatchObject({ code: 'source-failed', cause: { name: 'TypeError', code: 'invalid-chunk' } })
  expect(await reasonOf(writer.closed)).toBe(error)
})

describe('a function of any kind', () => {
  const source = (...items: number[]) =>
    new ReadableStream<number>({ start: (to) => [...items.map((item) => to.enqueue(item)), to.close()] })
  async function* doubled(items: AsyncIterable<number>): AsyncGenerator<number> {
    for await (const item of items) yield 2 * item
  }

  test('gets the chunks that are written, and what it yields can be read', async () => {
    expect(await collectAll(source(1, 2, 3).pipeThrough(makeTransform(doubled)))).toEqual([2, 4, 6])
  })

  test('of chunks that are neither bytes nor text, one is read ahead', async () => {
    const { readable, writable } = makeTransform(doubled)
    const writer = writable.getWriter()
    let written = 0
    for (let i = 0; i < 5; i++)
      writer
        .write(i)
        .then(() => written++)
        .catch(() => {})
    await settle()
    expect(written).toBe(1)
    await readable.cancel()
  })

  test('may end before its source, whose later chunks are refused', async () => {
    async function* firstOf(items: AsyncIterable<number>): AsyncGenerator<number> {
      for await (const item of items) {
        yield item
        return
      }
    }
    const endless = new Watched(elements())
    async function* nothing(): AsyncGenerator<never> {}
    expect(await collectAll(source(1, 2, 3).pipeThrough(makeTransform(firstOf)))).toEqual([1])
    expect(await collectAll(endless.stream.pipeThrough(makeTransform(nothing)))).toEqual([])
    await endless.isCancelled()
    expect(endless.cancelled).toMatchObject({ reason: { name: 'AbortError' } })
    const { readable, writable } = makeTransform(nothing)
    const writer = writable.getWriter()
    const reading = collectAll(readable)
    await writer.close()
    expect(await reading).toEqual([])
  })

  test('throws at once what it throws, and is refused if it does not return an async iterable', () => {
    const cause = new Error('no')
    const fail = (): never => {
      throw cause
    }
    expect(() => makeTransform(fail)).toThrow(cause)
    const refused = expect.objectContaining({ name: 'TypeError', code: 'invalid-option' })
    for (const read of [() => undefined, async () => [], () => [1]])
      expect(() => makeTransform(read as never)).toThrow(refused)
  })

  test('gets the reason of an abort after the chunks before it', async () => {
    const seen: unknown[] = []
    async function* watch(items: AsyncIterable<number>): AsyncGenerator<number> {
      try {
        for await (const item of items) {
          seen.push(item)
          yield item
        }
      } catch (error) {
        seen.push(error)
        throw error
      }
    }
    const { readable, writable } = makeTransform(watch)
    const reading = reasonOf(collectAll(readable))
    const writer = writable.getWriter()
    await writer.write(1)
    const reason = new Error('given up')
    await writer.abort(reason)
    expect(await reading).toBe(reason)
    expect(seen).toEqual([1, reason])
  })

  test('is left when its items are not wanted any more, also while it waits', async () => {
    let isLeft = false
    async function* watch(items: AsyncIterable<string>): AsyncGenerator<string> {
      try {
        yield* items
      } finally {
        isLeft = true
      }
    }
    const { readable, writable } = makeTransform(watch)
    const reader = readable.getReader()
    const reading = reader.read()
    await settle()
    await reader.cancel('bye')
    expect(await reading).toEqual({ done: true, value: undefined })
    expect(isLeft).toBe(true)
    expect(await reasonOf(writable.getWriter().closed)).toBe('bye')
  })
})

test('an invalid path is refused at once', () => {
  for (const path of ['a[1]', '', ['a', 'b[']]) {
    expect(() => makeTransform((input) => readXml(input).select(path))).toThrow(
      expect.objectContaining({ name: 'RangeError', code: 'invalid-option' }),
    )
  }
})

test('options that cannot be are refused at once', () => {
  for (const options of [null, { maxText: -1 }, { engine: 'steam' }]) {
    expect(() =>
      makeTransform((input) =>
        readXml(input, options as XmlOptions)
          .events()
          .batches(),
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  }
})

describe('reading ahead', () => {
  /** Elements of a kilobyte (the last may exceed the mark), and the chunk that waits. */
  const most = 64 + 2

  test('is bounded before anybody asks', async () => {
    for (const stream of [
      makeTransform((input) => readXml(input).select('a')),
      makeTransform((input) => readXml(input).events().batches()),
    ]) {
      const source = new Watched(elements())
      const readable = source.stream.pipeThrough<unknown>(stream)
      await settle()
      await settle()
      expect(source.pulled).toBeLessThanOrEqual(most)
      await readable.cancel()
    }
  })

  test('is bounded after what was asked for', async () => {
    const source = new Watched(elements())
    const reader = source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))).getReader()
    for (let count = 1; count <= 200; count++) {
      await reader.read()
      await settle()
      expect(source.pulled).toBeLessThanOrEqual(count + 1 + most)
    }
    expect(source.pulled).toBeGreaterThan(200)
    await reader.cancel()
  })

  test('ends with a write that waits until somebody reads', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    const writer = writable.getWriter()
    let written = 0
    const chunks = [FULL, '<a>1</a>', FULL.replace('<r>', ''), '<a>2</a></r>']
    const writing = chunks.map(async (chunk) => {
      await writer.write(chunk)
      written++
    })
    const closing = writer.close()
    await settle()
    expect(written).toBe(1)
    const reader = readable.getReader()
    expect((await reader.read()).value?.text).toBe('1')
    await settle()
    expect(written).toBe(3)
    expect((await reader.read()).value?.text).toBe('2')
    expect((await reader.read()).done).toBe(true)
    await Promise.all([...writing, closing])
  })
})

describe('a pipe', () => {
  const parts = ['<r><a>1</a>', '<a>2</', 'a></r>']

  test('closes when all was read', async () => {
    const { readable, writable } = makeTransform((input) => readXml(input).select('a'))
    let isClosed = false
    const piping = new Watched(parts).stream.pipeTo(writable).then(() => {
      isClosed = true
    })
    const reader = readable.getReader()
    await reader.read()
    await reader.read()
    await settle()
    expect(isClosed).toBe(false)
    expect((await reader.read()).done).toBe(true)
    await piping
  })

  test('into a slow stream holds the source back', async () => {
    const source = new Watched(elements(150))
    let count = 0
    let most = 0
    const sink = new WritableStream<unknown>({
      async write() {
        await settle()
        count++
        most = Math.max(most, source.pulled - count)
      },
    })
    const error = await reasonOf(
      source.stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))).pipeTo(sink),
    )
    expect(error).toBeInstanceOf(XmlError)
    expect(count).toBe(149)
    // What may wait in front of the parser, the root's start tag, and elements on their way to the sink.
    expect(most).toBeLessThanOrEqual(66 + 1 + 3)
  })

  test('can be split in two', async () => {
    const branches = new Watched(parts).stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))).tee()
    const read = await Promise.all(branches.map(readAll))
    expect(read.map(({ texts }) => texts)).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
  })

  test('takes empty input to be no document', async () => {
    const { error } = await readAll(
      new Watched([]).stream.pipeThrough(makeTransform((input) => readXml(input).select('a'))),
    )
    expect(error).toBeInstanceOf(XmlError)
  })
})

// Sources are slow here: `Duplex.fromWeb` of Node 20 leaves a rejection of its own when several writes wait at an error.
describe("a pipeline of Node's streams", () => {
  async function run(source: AsyncIterable<string> | Iterable<string>, act: (text: string) => void): Promise<void> {
    const sink = new Writable({
      objectMode: true,
      write({ text }: { text: string }, _, done) {
        try {
          act(text)
          setImmediate(done)
        } catch (error) {
          done(error as Error)
        }
      },
    })
    const stream = makeTransform((input) => readXml(input).select('a')) as unknown as Parameters<
      typeof Duplex.fromWeb
    >[0]
    await pipeline(Readable.from(source), Duplex.fromWeb(stream, { objectMode: true }), sink)
  }

  test('gives elements', async () => {
    const texts: string[] = []
    await run(['<r><a>1</a>', '<a>2</a></r>'], (text) => texts.push(text))
    expect(texts).toEqual(['1', '2'])
  })

  test('fails with an error in the document', async () => {
    for (const document of [
      ['<r>', '</q>', 'x'],
      ['<r>', '<a>1</a>'],
    ]) {
      await expect(run(slowly(document), () => {})).rejects.toBeInstanceOf(XmlError)
    }
  })

  test('fails with the error of its source', async () => {
    async function* fail(): AsyncGenerator<string, void, undefined> {
      yield '<r>'
      throw new Error('no network')
    }
    await expect(run(fail(), () => {})).rejects.toThrow('no network')
  })

  test('that fails after it closes the source', async () => {
    const source = stalling(['<r>', '<a>1</a>'])
    const act = (): void => {
      throw new Error('disk full')
    }
    await expect(run(source, act)).rejects.toThrow('disk full')
    await until(() => source.isClosed)
    expect(source.isClosed).toBe(true)
  })
})
