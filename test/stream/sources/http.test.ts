import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  HttpSource,
  type HttpSourceOptions,
  parseContentRange,
  parseUnsatisfiedRange,
} from '../../../source/stream/sources/http.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { collect, collectUntilFault } from '../../support/collect.ts'
import { until, watchSignal } from '../../support/resources.ts'
import { settle } from '../../support/sources.ts'

const content = Uint8Array.from({ length: 5000 }, (_, i) => i % 251)
const OLD_DATE = 'Tue, 01 Jan 2019 00:00:00 GMT'

/** A request, with the part that is asked for. */
interface Asked {
  request: IncomingMessage
  response: ServerResponse
  start: number
  end: number
  isPart: boolean
}

type Answer = (asked: Asked) => void

/** What the server answers, one after the other; the last one again and again. */
let answers: Answer[] = []
let requests: IncomingMessage[] = []
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request)
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const end = to ? Math.min(Number(to) + 1, content.length) : content.length
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers
    answer?.({ request, response, start, end, isPart: from !== undefined })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dump`
})

afterEach(() => vi.restoreAllMocks())

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Looks on while sources pause between attempts: for a multiple of 11 ms, or very long. */
function watchPauses() {
  const set = vi.spyOn(globalThis, 'setTimeout')
  const clear = vi.spyOn(globalThis, 'clearTimeout')
  const isPause = (milliseconds: unknown) => typeof milliseconds === 'number' && milliseconds % 11 === 0
  const find = () => set.mock.results.filter((_, i) => isPause(set.mock.calls[i]?.[1]))
  return {
    get lengths() {
      return set.mock.calls.map(([, milliseconds]) => milliseconds).filter(isPause)
    },
    /** How many were not ended. */
    left: () => find().filter(({ value }) => !clear.mock.calls.some(([timer]) => timer === value)).length,
  }
}

/** Answers correctly, and breaks off after so many bytes if that is asked for. */
function serve(headers: Record<string, string> = {}, breakAfter = Number.POSITIVE_INFINITY): Answer {
  return ({ response, start, end, isPart }) => {
    const range = { 'content-range': `bytes ${start}-${end - 1}/${content.length}` }
    response.writeHead(isPart ? 206 : 200, { 'content-length': end - start, ...(isPart && range), ...headers })
    const isBroken = start + breakAfter < end
    response.write(content.subarray(start, Math.min(end, start + breakAfter)), () => {
      if (isBroken) setTimeout(() => response.destroy(), 5)
      else response.end()
    })
  }
}

/** Answers with this part, whatever was asked for. */
function servePart(from: number, to: number, headers: Record<string, string> = {}): Answer {
  return ({ response }) => {
    response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${content.length}`, ...headers })
    response.end(content.subarray(from, to))
  }
}

/** Answers with a status, headers and text. */
function say(status: number, headers: Record<string, string> = {}, text = ''): Answer {
  return ({ response }) => response.writeHead(status, headers).end(text)
}

const strong = { etag: '"one"' }

async function read(...given: Answer[]): Promise<{ bytes: Uint8Array; error: unknown }> {
  return readAs(new HttpSource(url, { retryDelay: 1 }, 1000, 3000), ...given)
}

async function readAs(source: HttpSource, ...given: Answer[]): Promise<{ bytes: Uint8Array; error: unknown }> {
  answers = given
  requests = []
  return collectUntilFault(source)
}

describe('the content of a URL', () => {
  test('is read completely or in part, and says how much there is', async () => {
    answers = [serve()]
    for (const [start, end] of [[0], [0, 5000], [0, 10], [17], [4999], [17, 18], [17, 9000]] as const) {
      const source = new HttpSource(url).from(start, end)
      expect(await collect(source)).toEqual(content.slice(start, end))
      const length = Math.min(end ?? 5000, 5000) - start
      expect(source.progress).toEqual({ bytesRead: length, totalBytes: length })
    }
    expect(await collect(new HttpSource(url, {}, 10, 10))).toHaveLength(0)
  })

  test('is asked for as it is stored, unless the headers say otherwise', async () => {
    await readAs(new HttpSource(url), serve())
    expect(requests[0]?.headers['accept-encoding']).toBe('identity')
    await readAs(new HttpSource(url, { headers: { 'Accept-Encoding': 'gzip', 'x-mine': '1' } }), serve())
    expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'gzip', 'x-mine': '1' })
  })

  test('has no length that could be compared where the server does not say it, or says that of an encoding', async () => {
    const chunked: Answer = ({ response }) => response.writeHead(200).end(content)
    expect((await readAs(new HttpSource(url), chunked)).bytes).toEqual(content)
    const encoded = async () => new Response(content, { headers: { 'content-encoding': 'br', 'content-length': '17' } })
    expect(await collect(new HttpSource(url, { fetch: encoded as typeof fetch }))).toEqual(content)
  })
})

describe('an answer that is not what was asked for', () => {
  test.each<[string, Answer, RegExp]>([
    ['another range', servePart(1100, 3100), /asked for bytes=1000-2999, the server sends bytes 1100-3099\/5000/],
    ['a range that begins before', servePart(900, 3000), /sends bytes 900-2999\/5000/],
    ['a longer range', servePart(1000, 4000), /sends bytes 1000-3999\/5000/],
    ['a part without its range', say(206, {}, 'abc'), /does not report which part it sends/],
    ['a range of other units', say(206, { 'content-range': 'pages 1-2/3' }, 'abc'), /sends pages 1-2\/3, which is not/],
    [
      'a range that cannot be',
      say(206, { 'content-range': 'bytes 1000-2999/2000' }),
      /sends bytes 1000-2999\/2000, which/,
    ],
    [
      'several parts',
      say(206, { 'content-type': 'multipart/byteranges; boundary=x' }, '--x'),
      /does not report which part it sends: its answer is multipart\/byteranges/,
    ],
    [
      'a part of an encoding',
      servePart(1000, 3000, { 'content-encoding': 'gzip' }),
      /sends a part of the content encoded as gzip/,
    ],
    ['all of it', say(200, {}, 'abc'), /does not support ranges: it answers 200 OK/],
    ['a range that it does not have', say(416), /answers 416 Range Not Satisfiable/],
    ['nothing', say(204), /answers 204 No Content/],
    ['a failure', say(503), /answers 503 Service Unavailable/],
  ])('is refused with what the server says: %s', async (_, answer, message) => {
    const { bytes, error } = await read(answer)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).toContain(url)
    expect(bytes).toHaveLength(0)
    expect(requests).toHaveLength(1)
  })

  test('is refused where all was asked for: a part, a failure, a redirection that leads nowhere', async () => {
    for (const [answer, message] of [
      [servePart(0, 5000), /the server answers 206 Partial Content/],
      [say(404), /the server answers 404 Not Found/],
      [say(302, { location: 'file:///etc/passwd' }), /fetch failed \(URL scheme|RedirectProtocol|Can not redirect/],
    ] as const) {
      const { error } = await readAs(new HttpSource(url), answer)
      expect((error as Error).message).toMatch(message)
    }
  })

  test('of more bytes than were announced is refused', async () => {
    const make = (status: number, headers: Record<string, string>) => async () =>
      new Response(content.slice(0, 2100), { status, headers })
    const part = make(206, { 'content-range': 'bytes 1000-2999/5000' }) as unknown as typeof fetch
    const whole = make(200, { 'content-length': '2000' }) as unknown as typeof fetch
    for (const source of [new HttpSource(url, { fetch: part }, 1000, 3000), new HttpSource(url, { fetch: whole })]) {
      const { error } = await collectUntilFault(source)
      expect((error as Error).message).toMatch(/the server sends more than the \d000 bytes that it announced/)
    }
  })

  test('of fewer bytes than were announced is refused where nothing proves what the rest belongs to', async () => {
    const fetch = (async () =>
      new Response('abc', { headers: { 'content-length': '10' } })) as unknown as typeof globalThis.fetch
    const { bytes, error } = await collectUntilFault(new HttpSource(url, { fetch }))
    expect(bytes).toHaveLength(3)
    expect((error as Error).message).toMatch(/the transfer ended at byte 3, but 10 bytes were announced/)
  })

  test('whose range is hidden from a page of another origin is refused with what the server has to send', async () => {
    const response = new Response('abc', { status: 206 })
    Object.defineProperty(response, 'type', { value: 'cors' })
    const { error } = await collectUntilFault(new HttpSource(url, { fetch: async () => response }, 10))
    expect((error as Error).message).toContain('Access-Control-Expose-Headers: Content-Range')
  })
})

describe('a transfer that breaks off', () => {
  test('is continued where it stopped, again and again, when a strong ETag proves that it may', async () => {
    const { bytes, error } = await read(serve(strong, 300))
    expect(error).toBeUndefined()
    expect(bytes).toEqual(content.slice(1000, 3000))
    expect(requests.map(({ headers }) => [headers.range, headers['if-range']])).toEqual(
      [1000, 1300, 1600, 1900, 2200, 2500, 2800].map((start) => [
        `bytes=${start}-2999`,
        start === 1000 ? undefined : '"one"',
      ]),
    )
  })

  test('is continued where all was asked for, and where a date proves it', async () => {
    const { bytes } = await readAs(new HttpSource(url, { retryDelay: 1 }), serve({ 'last-modified': OLD_DATE }, 3000))
    expect(bytes).toEqual(content)
    expect(requests.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
      [undefined, undefined],
      ['bytes=3000-', OLD_DATE],
    ])
  })

  test('before its first byte is begun again', async () => {
    const headOnly: Answer = ({ response }) => {
      response.writeHead(200, { ...strong, 'content-length': '5000' }).flushHeaders()
      setTimeout(() => response.destroy(), 5)
    }
    const { bytes } = await readAs(new HttpSource(url, { retryDelay: 1 }), headOnly, serve(strong))
    expect(bytes).toEqual(content)
  })

  test('is a failure with the place where nothing proves that the input is the same', async () => {
    // What was modified within the second of the answer may be modified once more. The server's clock goes on, so that this is ahead of it.
    const soon = new Date(Date.now() + 60_000).toUTCString()
    for (const headers of [
      {},
      { etag: 'W/"weak"' },
      { etag: 'W/"weak"', 'last-modified': OLD_DATE },
      { 'last-modified': soon },
    ]) {
      const { bytes, error } = await read(serve(headers as Record<string, string>, 300))
      expect(bytes).toEqual(content.slice(1000, 1300))
      expect((error as Error).message).toMatch(
        /the transfer broke off at byte 1300: .*The transfer cannot be resumed: the server/,
      )
      expect(requests).toHaveLength(1)
    }
  })

  test('is continued through a server that cannot answer for a while, and through one that hangs up', async () => {
    const hangUp: Answer = ({ response }) => response.destroy()
    const { bytes, error } = await read(serve(strong, 300), say(503), hangUp, say(429), serve(strong))
    expect(error).toBeUndefined()
    expect(bytes).toEqual(content.slice(1000, 3000))
  })

  test('is given up after so many attempts in a row that got nothing', async () => {
    const source = new HttpSource(url, { retries: 2, retryDelay: 1 }, 1000)
    const { bytes, error } = await readAs(source, serve(strong, 300), say(503), serve(strong, 300), say(503))
    expect(bytes).toEqual(content.slice(1000, 1600))
    expect((error as Error).message).toMatch(/the server answers 503 Service Unavailable \(after 2 retries\)/)
    expect(requests).toHaveLength(5)
    const never = new HttpSource(url, { retries: 0 }, 1000)
    expect((await readAs(never, serve(strong, 300))).bytes).toHaveLength(300)
    expect(requests).toHaveLength(1)
  })

  test('is not a failure after the last byte', async () => {
    const late: Answer = ({ response }) => {
      response.writeHead(206, { 'content-range': 'bytes 4000-4999/5000', 'content-length': 1001 })
      response.write(content.subarray(4000), () => setTimeout(() => response.destroy(), 5))
    }
    const { bytes, error } = await readAs(new HttpSource(url, {}, 4000), late)
    expect([bytes.length, error]).toEqual([1000, undefined])
  })

  test('and a server that sends less than it was asked for are the same', async () => {
    const short = servePart(1000, 1700, strong)
    const { bytes } = await read(short, serve(strong))
    expect(bytes).toEqual(content.slice(1000, 3000))
    const unproved = await read(servePart(1000, 1700))
    expect(unproved.bytes).toHaveLength(700)
    expect((unproved.error as Error).message).toMatch(/sends no bytes after byte 1700. The transfer cannot be resumed/)
  })

  test('waits twice as long each time', async () => {
    const pauses = watchPauses()
    const source = new HttpSource(url, { retries: 3, retryDelay: 11 }, 1000)
    await readAs(source, serve(strong, 300), say(503), say(503), serve(strong, 300), say(503))
    expect(pauses.lengths).toEqual([11, 22, 44, 11, 22, 44])
  })

  test.each([
    ['the signal aborts', 'source-failed'],
    ['the stream is cancelled', 'source-cancelled'],
    ['the cursor is released', 'cursor-released'],
    ['the source is silent for too long', 'source-stalled'],
  ])('does not wait any more when %s', async (stop, code) => {
    const pauses = watchPauses()
    const { controller, signal, listeners } = watchSignal()
    answers = [serve(strong, 300)]
    requests = []
    const idleTimeout = code === 'source-stalled' ? 300 : Number.POSITIVE_INFINITY
    const cache = StreamCache.from(new HttpSource(url, { retryDelay: 11e6, signal }, 1000), { idleTimeout })
    const cursor = cache.cursor()
    await cursor.read(300)
    const waiting = cursor.read(1).catch((error: { code: string }) => error.code)
    await until(() => pauses.lengths.length > 0)
    expect(pauses.left()).toBe(1)
    if (stop === 'the signal aborts') controller.abort()
    if (stop === 'the stream is cancelled') await cache.cancel()
    if (stop === 'the cursor is released') cursor.release()
    expect(await waiting).toBe(code)
    await settle()
    expect([pauses.left(), listeners(), requests.length]).toEqual([0, 0, 1])
  })
})

describe('an input that changes while it is read', () => {
  const changed = expect.objectContaining({ name: 'SourceError', code: 'source-changed', byteOffset: 1300 })

  test.each<[string, Answer]>([
    ['all of another one is sent instead of the rest', say(200, { etag: '"two"' }, 'new')],
    ['all is sent without a word', say(200, {}, 'new')],
    [
      'the ETag is another one',
      ({ response, start, end }) => {
        response.writeHead(206, { etag: '"two"', 'content-range': `bytes ${start}-${end - 1}/5000` })
        response.end(content.subarray(start, end))
      },
    ],
    [
      'the size is another one',
      ({ response, start, end }) => {
        response.writeHead(206, { ...strong, 'content-range': `bytes ${start}-${end - 1}/6000` })
        response.end(content.subarray(start, end))
      },
    ],
    ['it has become shorter', say(416, { 'content-range': 'bytes */1200' })],
  ])('is reported as such: %s', async (_, answer) => {
    const { bytes, error } = await read(serve(strong, 300), answer)
    expect(bytes).toEqual(content.slice(1000, 1300))
    expect(error).toEqual(changed)
    expect((error as Error).message).toContain(`${url} changed while it was read: `)
  })

  test('is not one of a server that sends all of the same again', async () => {
    const { error } = await read(serve(strong, 300), say(200, strong, 'old'))
    expect((error as Error).message).toMatch(/does not support ranges/)
  })

  test('is reported by any two readings of a source and its parts, through a cache with the same code', async () => {
    const source = new HttpSource(url)
    await readAs(source.from(10, 20), serve({ ...strong, 'last-modified': OLD_DATE }))
    expect((await readAs(source.from(100, 200), serve(strong))).error).toBeUndefined()
    for (const headers of [{ etag: '"two"' }, { ...strong, 'last-modified': new Date(0).toUTCString() }]) {
      answers = [serve(headers)]
      await expect(StreamCache.from(source.from(300)).cursor().read(1)).rejects.toMatchObject({
        code: 'source-changed',
      })
      await expect(StreamCache.from(source).cursor().read(1)).rejects.toMatchObject({ code: 'source-changed' })
    }
    expect((await readAs(new HttpSource(url), serve({ etag: '"two"' }))).bytes).toEqual(content)
  })
})

test.each([{ retries: -1 }, { retries: Number.NaN }, { retryDelay: '1' as unknown as number }])(
  'options that are not numbers are refused: %o',
  (options: HttpSourceOptions) => {
    expect(() => new HttpSource(url, options)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining('must be a number of at least 0'),
      }),
    )
  },
)

test('leaving a source ends its request, before and after the head of the response', async () => {
  for (const isHeadSent of [false, true]) {
    let isClosed = false
    let isAsked = false
    answers = [
      ({ response }) => {
        isAsked = true
        response.on('close', () => {
          isClosed = true
        })
        if (isHeadSent) response.writeHead(200).write('abc')
      },
    ]
    const cache = StreamCache.from(new HttpSource(url))
    const cursor = cache.cursor()
    const reading = expect(cursor.read(10)).rejects.toMatchObject({ code: 'source-cancelled' })
    await until(() => isAsked && (!isHeadSent || cursor.available > 0))
    await cache.cancel()
    await reading
    await until(() => isClosed)
    expect(isClosed).toBe(true)
  }
})

test.each([
  ['bytes 0-0/1', { start: 0, end: 1, size: 1 }],
  ['bytes 10-19/*', { start: 10, end: 20, size: undefined }],
  ['BYTES 10-19/20', { start: 10, end: 20, size: 20 }],
  ['bytes 10-9/20', undefined],
  ['bytes 10-20/20', undefined],
  ['bytes 10-/20', undefined],
  ['bytes */20', undefined],
  ['bytes=10-19', undefined],
  ['bytes 0x1-2/3', undefined],
  ['pages 1-2/3', undefined],
  ['', undefined],
  [null, undefined],
])('%s is a range of bytes, or none', (value, range) => {
  expect(parseContentRange(value)).toEqual(range)
})

test.each([
  ['bytes */20', 20],
  ['bytes */*', undefined],
  ['bytes 1-2/20', undefined],
  [null, undefined],
])('%s says how large what it has no part of is, or does not', (value, size) => {
  expect(parseUnsatisfiedRange(value)).toBe(size)
})
