// The built package in headless Chromium, without a bundler. Skipped where there is no Chromium; `.ci/run` installs it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const dumpBytes = readFileSync(join(root, 'fixtures/mediawiki/small-dump.xml'))

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
]
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.xml': 'application/xml' }
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>xylem</title><script type="module" src="/test/browser/page.js"></script>'

describe.runIf(chromium)('in a browser', () => {
  let results: Record<string, unknown> = {}
  let server: Server
  let browser: ChildProcess
  const profile = mkdtempSync(join(tmpdir(), 'xylem-browser-'))

  beforeAll(async () => {
    let report: (results: Record<string, unknown>) => void = () => {}
    const reported = new Promise<Record<string, unknown>>((resolve) => {
      report = resolve
    })
    server = serve(report)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    // A group of its own: the browser's helpers write to the profile until they are gone, too.
    const options = { stdio: 'ignore', detached: true } as const
    browser = spawn(chromium as string, [...FLAGS, `--user-data-dir=${profile}`, url], options)
    results = await reported
  }, 60_000)

  afterAll(async () => {
    const exited = once(browser, 'exit')
    process.kill(-(browser.pid as number), 'SIGKILL')
    await exited
    server.closeAllConnections()
    server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  test('a byte cursor reads the body of a response', () => {
    const expected = { length: dumpBytes.length, done: true }
    expect(results['reads the body of a response with a byte cursor']).toEqual(expected)
  })

  test('a text cursor reads the body of a response', () => {
    const expected = { units: dumpBytes.toString().length, offset: dumpBytes.length, hasTree: true }
    expect(results['reads the body of a response as text']).toEqual(expected)
  })

  test('a grammar parses the body of a response on the kernel', () => {
    const log = readFileSync(join(root, 'fixtures/grammar/log/lines.input.log'), 'utf8')
    const statuses = [...log.matchAll(/ (\d{3}) /g)].map((match) => match[1])
    expect(results['parses the body of a response by a grammar']).toMatchObject({ statuses })
  })

  test('elements of the body of a response are selected', () => {
    const titles = [...dumpBytes.toString().matchAll(/<title>(.*?)<\/title>/g)].map((match) => match[1])
    expect(results['selects elements of the body of a response']).toEqual({ titles })
  })

  test('pages of a dump become lines of JSON', () => {
    const text = readFileSync(join(root, 'fixtures/mediawiki/small-dump.jsonl'), 'utf8')
    expect(results['writes lines of the pages of a dump']).toEqual({ text })
  })

  test('a Blob is a source, and its cursors clone', () => {
    expect(results['reads a Blob, and clones']).toEqual({ texts: ['one two three', 'two three'] })
  })

  test('gzip is decompressed', () => {
    expect(results['decompresses gzip by the runtime']).toEqual({ length: 50_000 })
  })

  test('zstd is decompressed, and read from a URL', () => {
    const text = 'The first frame. é木🌳\nThe second frame.\n'
    expect(results['decompresses zstd that lies behind a URL']).toEqual({ text })
  })

  test('the root module needs no bundler', () => {
    expect(results['loads all of it as one module']).toEqual({ types: ['function', 'function'] })
  })

  test('timers fire while everything is there already', () => {
    const { turns } = results['gives timers their turn while everything is there already'] as { turns: number }
    expect(turns).toBeGreaterThan(5)
  })

  test('cancelling reaches the stream, and wakes who waits', () => {
    const expected = { reason: 'enough', isSourceError: true, code: 'source-cancelled', locked: false }
    expect(results['cancels a stream that never delivers']).toEqual(expected)
  })

  test('a wait times out with a DOMException', () => {
    expect(results['times out']).toEqual({ name: 'TimeoutError' })
  })
})

/** Serves the project's files, and takes the results. */
function serve(report: (results: Record<string, unknown>) => void): Server {
  return createServer(async (request, response) => {
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.end()
      report(JSON.parse(Buffer.concat(chunks).toString()))
      return
    }
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = join(root, path)
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(PAGE)
    } else if (/^\/(dist|fixtures|test\/browser)\//.test(path) && existsSync(file)) {
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
    } else {
      response.writeHead(404).end()
    }
  })
}
