// Long streams in Chromium, on the main thread: nothing holds it up, memory stays flat, and cancelling reaches the server. Skipped where there is none.

import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callInPage, chromiumPath, launchBrowser, type PageServer, startServer } from '../support/browser.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { makeDump } from '../support/dump.ts'
import { isThorough } from '../support/extent.ts'
import { findLongTasks, RETRIES } from '../support/long-tasks.ts'
import { serveProject } from '../support/project-server.ts'
import { encodeFrame, encodeRaw } from '../support/zstd-encoder.ts'

const READINGS = '/test/browser/readings.js'

/** Input of its own for some readings, by their names: several streams or blocks, or many records, so that there is work for a while. */
const pack: Readonly<Record<string, () => Uint8Array>> = {
  worker: () => Buffer.concat([...makeDump(400_000, 0)]),
  bzip2: () => {
    const stream = encodeBzip2(Buffer.concat([...makeDump(800, TEXT)]))
    return Buffer.concat(Array.from({ length: 12 }, () => stream))
  },
  gzip: () => gzipSync(Buffer.concat([...makeDump(26_000, TEXT)])),
  zstd: () => {
    const block = encodeRaw(Buffer.concat([...makeDump(200, TEXT)]).subarray(0, 128 * 1024))
    return encodeFrame(Array.from({ length: 400 }, () => block))
  },
}

/** Bytes of the heap after each tenth of a dump, and how many pages it had. */
interface Heaps {
  readonly sizes: readonly number[]
  readonly pages: number
}

/** Pages of a dump of some 1,160 bytes each. */
const TEXT = 1000

describe.runIf(chromiumPath && isThorough)('a long stream in a browser', () => {
  let browser: Browser
  let server: PageServer
  let page: Page
  /** Requests that were closed before everything was sent, and the bytes that were sent then. */
  let aborted: number[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    server = await startServer(
      serveProject((request, response) => {
        const packed = pack[request.url?.replace('/packed/', '') ?? '']
        if (packed) {
          response.end(packed())
          return true
        }
        const [, count, delay] = /^\/pages\/(\d+)\/(\d+)/.exec(request.url ?? '') ?? []
        if (count === undefined) return false
        void (async () => {
          let sent = 0
          response.on('close', () => {
            if (!response.writableFinished) aborted.push(sent)
          })
          for (const piece of makeDump(Number(count), TEXT)) {
            if (response.destroyed) return
            sent += piece.length
            if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
            if (delay !== '0') await wait(Number(delay))
          }
          response.end()
        })()
        return true
      }),
    )
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })
  beforeEach(async () => {
    aborted = []
    page = await browser.newPage()
    await page.goto(server.url)
  })
  afterEach(async () => {
    await page.close()
  })

  test('the tasks of a page that is held up are found', async () => {
    const { long } = await findLongTasks(browser, page, async () => {
      await page.evaluate(() => {
        let sum = 0
        for (let i = 0; i < 1e9; i++) sum += i
        return sum
      })
    })
    expect(long.length).toBeGreaterThan(0)
  })

  // Each reads 30 MB from memory, which never waits: nothing but the library itself lets other tasks have their turn.
  test.for([
    ['a check', 'check'],
    ['records', 'records'],
    ['lines', 'lines'],
    ['columns', 'columns'],
    ['elements', 'elements'],
    ['events', 'events'],
    ['pages of a dump', 'pages'],
    ['nodes of a grammar', 'grammar'],
    ['gzip', 'gzip'],
    ['bzip2', 'bzip2'],
    ['zstd', 'zstd'],
    ['text', 'text'],
    ['small records of a worker', 'worker'],
  ] as const)('%s hold up nothing', RETRIES, async ([, reading]) => {
    await callInPage(page, READINGS, 'load', pack[reading] ? `/packed/${reading}` : '/pages/26000/0')
    let count = 0
    const { long, all } = await findLongTasks(browser, page, async () => {
      count = await callInPage(page, READINGS, 'read', reading)
    })
    expect(count).toBeGreaterThan(20_000)
    expect(all).toBeGreaterThan(5)
    expect(long).toEqual([])
  })

  test('200 MB leave memory flat', async () => {
    const heaps = await callInPage<Heaps>(page, READINGS, 'measureHeap', '/pages/180000/0')
    expect(heaps.pages).toBe(180_000)
    // What is used after each tenth of it, in bytes: the last ones are no more than the second by more than what is not collected yet.
    const [, second = 0, ...later] = heaps.sizes
    expect(later.length).toBe(7)
    expect(Math.max(...later) - second).toBeLessThan(40_000_000)
  })

  test.for([
    ['leaving a loop', 'leave'],
    ['an AbortSignal', 'signal'],
    ['cancelling a pipe', 'pipe'],
    ['disposing a reader', 'dispose'],
  ] as const)('%s aborts the request, which the server sees', async ([, way]) => {
    const result = await callInPage(page, '/test/browser/endings.js', way, '/pages/1000000/2')
    expect(result).toBe(way === 'signal' ? 'enough' : undefined)
    await expect.poll(() => aborted.length).toBe(1)
    expect(aborted[0]).toBeLessThan(300_000_000)
  })
})
