// The built package in headless Chromium, without a bundler. Skipped where there is no Chromium; `.ci/run` installs it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callInPage, chromiumPath, launchBrowser, type PageServer, startServer } from '../support/browser.ts'
import { serveProject } from '../support/project-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dumpBytes = readFileSync(join(root, 'fixtures/mediawiki/small-dump.xml'))

describe.runIf(chromiumPath)('in a browser', () => {
  let results: Record<string, unknown> = {}
  let server: PageServer
  let browser: Browser

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchBrowser(), startServer(serveProject())])
    const page = await browser.newPage()
    await page.goto(server.url)
    results = await callInPage(page, '/test/browser/page.js', 'runScenarios')
  })

  afterAll(async () => {
    await browser.close()
    server.close()
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
