// Workers are files of the built package, so it is what is tested here; in the sources there are none, so there this thread reads.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readXmlInWorker, type SourceError } from 'xylem/worker'
import { readXml } from 'xylem/xml'
import { readXmlInWorker as readHere } from '../../source/worker/index.ts'
import { findExport } from '../support/exported-file.ts'
import { readFixture } from '../support/fixtures.ts'
import { collect, failure } from '../support/streams.ts'

const dump = new Uint8Array(readFixture('mediawiki/small-dump.xml'))

const readers = [
  ['a worker', readXmlInWorker],
  // Classes of errors are those of the sources there.
  ['this thread, without workers', readHere as unknown as typeof readXmlInWorker],
] as const

describe('a worker', () => {
  const server = createServer((request, response) => {
    if (request.url === '/dump.xml') response.end(dump)
    else if (request.url === '/missing') response.writeHead(404).end()
    else {
      response.write('<r>')
      const timer = setInterval(() => response.write('<a n="1">x</a>'.repeat(10_000)), 5)
      response.on('close', () => {
        clearInterval(timer)
        onClosed()
      })
    }
  })
  let onClosed = (): void => {}
  let url = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each(readers)('fetches a URL, and ends the download with the stream (%s)', async (_, read) => {
    const titles = await collect(readXml(dump).records('page', { title: 'title' }))
    expect(await collect(read(new URL(`${url}/dump.xml`)).records('page', { title: 'title' }))).toEqual(titles)
    const { error } = await failure(read(new URL(`${url}/missing`)).records('page', { title: 'title' }))
    expect(String((error as SourceError).cause)).toContain('404')
    const closed = new Promise<void>((resolve) => {
      onClosed = resolve
    })
    const stream = read(new URL(`${url}/endless`)).records('a', { n: '@n' })
    for await (const { n } of stream) {
      expect(n).toBe('1')
      break
    }
    await closed
  })

  test('that is disposed of has closed its source', async () => {
    let isClosed = false
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue('<r><a>x</a>'),
      pull: () => new Promise(() => {}),
      async cancel() {
        await new Promise((resolve) => setTimeout(resolve, 50))
        isClosed = true
      },
    })
    const reader = readXmlInWorker(stream)
    await reader.records('a', { text: '.' }).getReader().read()
    await reader[Symbol.asyncDispose]()
    expect(isClosed).toBe(true)
  })

  test('takes memory over only if that is asked for', async () => {
    const [kept, given] = [new Uint8Array(dump), new Uint8Array(dump)]
    await collect(readXmlInWorker(kept).records('page', { title: 'title' }))
    await collect(readXmlInWorker(given, { transfer: true }).records('page', { title: 'title' }))
    expect([kept.length, given.length]).toEqual([dump.length, 0])
  })

  test('leaves its work to this thread where its script is not there, throws, or is another', async () => {
    const expected = await collect(readXml(dump).records('page', { title: 'title' }))
    const scripts = ['file:///no/such/file.js', 'data:text/javascript,throw 1', 'data:text/javascript,process.exit()']
    for (const workerUrl of [...scripts, findExport('xylem/xml').href]) {
      const records = readXmlInWorker([dump], { workerUrl }).records('page', { title: 'title' })
      expect(await collect(records)).toEqual(expected)
    }
  })

  test('that dies fails with an error', async () => {
    const script = `const { parentPort } = await import('node:worker_threads')
      parentPort.once('message', () => process.exit())
      parentPort.postMessage('ready')`
    const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
    const { error } = await failure(readXmlInWorker(dump, { workerUrl }).records('page', { title: 'title' }))
    expect(String(error)).toContain('the worker has ended')
  })
})
