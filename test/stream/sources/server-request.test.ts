// Requests that a server gets: whatever ends the reading early, the answer arrives and the connection can be used again.

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Agent, createServer, get, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http'
import { connect, createServer as createServer2, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { decompress } from '../../../source/compression/index.ts'
import { Grammar } from '../../../source/grammar/grammar.ts'
import { LimitError } from '../../../source/stream/errors.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { XmlError } from '../../../source/xml/errors/errors.ts'
import { readXml, readXmlDocuments } from '../../../source/xml/index.ts'

const SIZES = [10, 200_000, 3_000_000]
const WORDS = Grammar.from('program ::= word* ; word ::= [a-z]+ [\\n] ;')
const bodyOf = (beginning: string, size: number) => Buffer.from(beginning + 'x'.repeat(size))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** What a server should answer for the error of a reading. */
function statusOf(error: unknown): number {
  if (error instanceof LimitError && error.code === 'input-limit') return 413
  if (error instanceof XmlError) return 400
  return error instanceof DOMException && error.name === 'TimeoutError' ? 408 : 500
}

/** Serves what a function makes of requests: it gives the status, or throws. */
async function serve(read: (request: IncomingMessage) => Promise<number>): Promise<Client> {
  const server: Server = createServer(async (request, response) => {
    const status = await read(request).catch(statusOf)
    response.writeHead(status).end(String(status))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  cleanUps.push(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return new Client((server.address() as AddressInfo).port, agent)
}

class Client {
  readonly #options: RequestOptions

  constructor(port: number, agent: Agent) {
    this.#options = { port, agent, host: '127.0.0.1', method: 'POST' }
  }

  /** Sends a body, completely, and gives the answer and whether it came over a connection that was used before. */
  async post(body: Uint8Array, headers: Record<string, string> = {}): Promise<string> {
    const sent = request({ ...this.#options, headers: { 'content-length': String(body.length), ...headers } })
    if (headers.expect) sent.on('continue', () => sent.end(body))
    else sent.end(body)
    return await this.#answer(sent)
  }

  /** Sends the beginning of a body, and nothing more until there is an answer. */
  async begin(body: Uint8Array): Promise<string> {
    const sent = request(this.#options)
    sent.write(body)
    return await this.#answer(sent).finally(() => sent.destroy())
  }

  async #answer(sent: ReturnType<typeof request>): Promise<string> {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = (await response.toArray()).join('')
    return `${response.statusCode} ${text}${sent.reusedSocket ? ' again' : ''}`
  }
}

const WAYS: Record<string, [body: string, status: number, read: (request: IncomingMessage) => Promise<unknown>]> = {
  'readXml at an error': ['<a></b>', 400, (request) => readXml(request).check()],
  'select, left early': [
    '<a><b/>',
    200,
    async (request) => {
      for await (const _ of readXml(request).select('b')) return
    },
  ],
  'readXmlDocuments at an error': [
    '<a/><b></c>',
    400,
    async (request) => {
      for await (const document of readXmlDocuments(request)) await document.check()
    },
  ],
  'decompress at an error': ['<a></b>', 400, (request) => readXml(decompress(request)).check()],
  'a grammar, left early': [
    'one\ntwo\n',
    200,
    async (request) => {
      for await (const _ of WORDS.stream(request, { emit: 'word' })) return
    },
  ],
  'a cursor that is released': [
    '12345',
    200,
    async (request) => {
      const cursor = StreamCache.from(request).cursor()
      await cursor.read(3)
      cursor.release()
    },
  ],
  'a cache that is disposed of before it was read': [
    '12345',
    200,
    async (request) => {
      await StreamCache.from(request)[Symbol.asyncDispose]()
    },
  ],
  'a reader that is disposed of before it was read': [
    '12345',
    200,
    async (request) => {
      await readXml(request)[Symbol.asyncDispose]()
    },
  ],
  'an input that is too large': ['<a>', 413, (request) => readXml(request, { limits: { maxInput: 5 } }).check()],
}

describe('a request that is not read to its end', () => {
  test.each(Object.entries(WAYS))('is answered, and its connection continues: %s', async (_, [body, status, read]) => {
    const client = await serve(async (request) => {
      await read(request)
      return 200
    })
    const answer = `${status} ${status}`
    for (const [i, size] of SIZES.entries()) {
      expect(await client.post(bodyOf(body, size))).toBe(i === 0 ? answer : `${answer} again`)
    }
  })

  test('is answered when it was compressed', async () => {
    const client = await serve(async (request) => {
      await readXml(decompress(request, { limits: { maxInput: 1_000_000 } })).check()
      return 200
    })
    const noise = Array.from({ length: 300_000 }, (_, i) => (i * 2654435761) % 1_000_003).join(' ')
    expect(await client.post(gzipSync(`<a>${noise}</a>`))).toBe('413 413')
    expect(await client.post(gzipSync(`<a>${noise.slice(0, 900_000)}</a>`))).toBe('200 200 again')
    expect(await client.post(gzipSync(`<a></b>${noise}`))).toBe('400 400 again')
  })

  test('is answered when its time is over, while it waits for more', async () => {
    const client = await serve(async (request) => {
      await readXml(request, { signal: AbortSignal.timeout(50) }).check()
      return 200
    })
    expect(await client.begin(bodyOf('<a>', 10))).toBe('408 408')
    expect(await client.begin(bodyOf('<a>', 200_000))).toBe('408 408')
    expect(await client.post(Buffer.from('<a/>'))).toBe('200 200')
  })

  test('is answered when the client waits for leave to send it', async () => {
    const client = await serve(async (request) => {
      await readXml(request).check()
      return 200
    })
    const expecting = { expect: '100-continue' }
    for (const size of SIZES) expect(await client.post(bodyOf('<a></b>', size), expecting)).toMatch(/^400 400/)
  })

  test('is bounded by the time that the server gives to requests, if it never ends', async () => {
    const server = createServer({ requestTimeout: 300, connectionsCheckingInterval: 50 }, async (request, response) => {
      const status = await readXml(request)
        .check()
        .then(() => 200, statusOf)
      response.writeHead(status).end(String(status))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanUps.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const sent = request({ port, host: '127.0.0.1', method: 'POST' })
    sent.on('error', () => {})
    const timer = setInterval(() => sent.write('x'.repeat(1000)), 5)
    cleanUps.push(() => clearInterval(timer))
    sent.write('<a></b>')
    const closed = once(sent, 'close')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(400)
    response.resume()
    await closed
  })

  test('does not end the process when the connection breaks', async () => {
    let broken: unknown
    const client = await serve(async (incoming) => {
      await readXml(incoming, { signal: AbortSignal.timeout(5000) })
        .check()
        .catch((error) => {
          broken = error
        })
      return 200
    })
    const sending = client.begin(Buffer.from('<a>'))
    sending.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20))
    cleanUps.pop()?.call(undefined)
    await expect(sending).rejects.toThrow()
    await expect.poll(() => broken).toMatchObject({ code: 'source-failed' })
  })
})

describe('a request over HTTP/2', () => {
  const serve2 = async (listen: (server: Http2Server) => void) => {
    const server = createServer2()
    listen(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    cleanUps.push(
      () => server.close(),
      () => client.close(),
    )
    return async (body: Uint8Array) => {
      const stream = client.request({ ':method': 'POST', ':path': '/' })
      stream.end(body)
      const [headers] = await once(stream, 'response')
      const text = (await stream.toArray()).join('')
      return `${headers[':status']} ${text}`
    }
  }

  test('is answered, with the interface of HTTP 1', async () => {
    const post = await serve2((server) =>
      server.on('request', async (request, response) => {
        const status = await readXml(request)
          .check()
          .then(() => 200, statusOf)
        response.writeHead(status).end(String(status))
      }),
    )
    for (const size of SIZES) expect(await post(bodyOf('<a></b>', size))).toBe('400 400')
    expect(await post(Buffer.from('<a/>'))).toBe('200 200')
  })

  test('is answered, as a stream', async () => {
    const post = await serve2((server) =>
      server.on('stream', async (stream: ServerHttp2Stream) => {
        const status = await readXml(stream)
          .check()
          .then(() => 200, statusOf)
        stream.respond({ ':status': status })
        stream.end(String(status))
      }),
    )
    for (const size of SIZES) expect(await post(bodyOf('<a></b>', size))).toBe('400 400')
    expect(await post(Buffer.from('<a/>'))).toBe('200 200')
  })
})

describe('a stream that a server has not received', () => {
  test('is destroyed as before: a response, a file, and other streams', async () => {
    const server = createServer((_, response) => void response.write('<a></b>')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanUps.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const sent = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    sent.on('error', () => {})
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const streams = [
      response,
      createReadStream('package.json'),
      Readable.from([Buffer.from('<a></b>'), Buffer.from('x')]),
    ]
    for (const stream of streams) {
      await expect(readXml(stream).check()).rejects.toThrow(XmlError)
      expect(stream.destroyed).toBe(true)
    }
  })
})
