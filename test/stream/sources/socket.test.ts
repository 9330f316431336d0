// Sockets, and other streams with two directions: reading ends, and what is written to them arrives.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type ServerOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { decompress } from '../../../source/compression/index.ts'
import { Grammar } from '../../../source/grammar/grammar.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { readXml } from '../../../source/xml/index.ts'
import { until } from '../../support/resources.ts'

const WORDS = Grammar.from('program ::= word* ; word ::= [a-z]+ [\\n] ;')
const REPLY = Buffer.alloc(3_000_000, 'reply ')

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Serves connections, and gives one of a client. */
async function open(answer: (socket: Socket) => Promise<void>, options: ServerOpts = {}): Promise<Socket> {
  const server = createServer(options, (socket) => {
    cleanUps.push(() => socket.destroy())
    answer(socket).catch((error) => socket.end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  cleanUps.push(() => {
    client.destroy()
    server.close()
  })
  return client
}

/** What a client gets that reads slowly, up to the end. */
async function receive(client: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of client) {
    chunks.push(chunk as Buffer)
    if (chunks.length % 8 === 0) await pause(1)
  }
  return Buffer.concat(chunks)
}

const WAYS: Record<string, [input: string, read: (socket: Socket) => Promise<unknown>]> = {
  'a cursor that is released': [
    'hello\n',
    async (socket) => {
      const cursor = StreamCache.from(socket).cursor()
      await cursor.readLine()
      cursor.release()
    },
  ],
  'readXml, left early': [
    '<a><b/>',
    async (socket) => {
      for await (const _ of readXml(socket).select('b')) return
    },
  ],
  'readXml at an error': [
    '<a></b>',
    (socket) =>
      readXml(socket)
        .check()
        .catch(() => {}),
  ],
  'readXml when its time is over': [
    '<a>',
    (socket) =>
      readXml(socket, { signal: AbortSignal.timeout(20) })
        .check()
        .catch(() => {}),
  ],
  'decompress, left early': [
    '<a> <b/> <b/>',
    async (socket) => {
      for await (const _ of readXml(decompress(socket)).select('b')) return
    },
  ],
  'a grammar, left early': [
    'one\ntwo\n',
    async (socket) => {
      for await (const _ of WORDS.stream(socket, { emit: 'word' })) return
    },
  ],
}

describe.each(Object.entries(WAYS))('a socket that a server reads with %s', (_, [input, read]) => {
  test.each([0, 2_000_000])('gets its answer after the reading, with %i bytes more on their way', async (more) => {
    const client = await open(async (socket) => {
      await read(socket)
      socket.end(REPLY)
    })
    client.write(input + 'x'.repeat(more))
    expect((await receive(client)).equals(REPLY)).toBe(true)
  })

  test('gets the answer that was sent before the reading is left', async () => {
    const client = await open(async (socket) => {
      socket.end(REPLY)
      await read(socket)
    })
    client.write(input)
    expect((await receive(client)).equals(REPLY)).toBe(true)
  })
})

test('a short answer arrives although the client sends more', async () => {
  const client = await open(async (socket) => {
    const cursor = StreamCache.from(socket, { highWaterMark: 0 }).cursor()
    await cursor.readLine()
    socket.end('no')
    await once(socket, 'finish')
    cursor.release()
  })
  client.write('hello\n'.repeat(100_000))
  await pause(50)
  expect(String(await receive(client))).toBe('no')
})

test('a client that has sent all of its document is answered, where the server keeps its half open', async () => {
  const client = await open(
    async (socket) => {
      await readXml(socket).check()
      await pause(5)
      socket.end(REPLY)
    },
    { allowHalfOpen: true },
  )
  client.end('<a/>')
  expect((await receive(client)).equals(REPLY)).toBe(true)
})

test('a socket is closed when both of its directions have ended', async () => {
  let served: Socket | undefined
  const client = await open(async (socket) => {
    served = socket
    for await (const _ of readXml(socket).select('b')) break
    socket.end('yes')
  })
  client.write('<a><b/>')
  expect(String(await receive(client))).toBe('yes')
  client.end()
  await until(() => served?.closed === true)
})

test('a client can write after it has read', async () => {
  const received: unknown[] = []
  const client = await open(async (socket) => {
    const cursor = StreamCache.from(socket).cursor()
    socket.write(`<features>${await cursor.readLine()}</features>`)
    received.push(await cursor.readLine())
    socket.end()
  })
  client.write('hello\n')
  for await (const { text } of readXml(client).select('features')) {
    received.push(text)
    break
  }
  client.write('again\n')
  await until(() => client.closed)
  expect(received).toEqual(['hello', 'again'])
})

test('a socket that is only read is closed', async () => {
  let served: Socket | undefined
  const client = await open(async (socket) => {
    served = socket
    socket.on('error', () => {})
    socket.write('<a><b/>')
  })
  for await (const _ of readXml(client).select('b')) break
  expect(client.destroyed).toBe(true)
  await until(() => served?.closed === true)
})

test('a socket of the system is answered, too', async () => {
  const path =
    process.platform === 'win32' ? String.raw`\\?\pipe\xylem-test` : join(tmpdir(), `xylem-${process.pid}.sock`)
  const server = createServer(async (socket) => {
    for await (const _ of readXml(socket).select('b')) break
    socket.end('yes')
  }).listen(path)
  cleanUps.push(() => server.close())
  await once(server, 'listening')
  const client = connect(path)
  client.write('<a><b/>')
  expect(String(await receive(client))).toBe('yes')
})

test('a child process whose output is left ends', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'process.stdout.on("error", () => process.exit(3)); setInterval(() => console.log("<b/>".repeat(999)))',
  ])
  cleanUps.push(() => child.kill())
  for await (const _ of StreamCache.from(child.stdout)) break
  expect(child.stdout.destroyed).toBe(true)
  expect(await once(child, 'exit')).toEqual([3, null])
})

test('a transform is destroyed, and another duplex stream is not', async () => {
  const through = new PassThrough()
  through.write('<a><b/>')
  for await (const _ of readXml(through).select('b')) break
  expect(through.destroyed).toBe(true)
  const gunzip = createGunzip()
  await StreamCache.from(gunzip)[Symbol.asyncDispose]()
  expect(gunzip.destroyed).toBe(true)

  const written: string[] = []
  const duplex = new Duplex({
    read() {},
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  duplex.push('<a><b/>')
  for await (const _ of readXml(duplex).select('b')) break
  duplex.push('<c/>')
  duplex.push(null)
  duplex.end('yes')
  await once(duplex, 'close')
  expect(written).toEqual(['yes'])
})
