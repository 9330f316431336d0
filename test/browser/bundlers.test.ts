// Programs with workers, bundled by each bundler, in Chromium. Skipped where there is no Chromium; `.ci/run` installs it.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decompress } from 'xylem/compression'
import { readXmlInWorker, XmlError } from 'xylem/worker'
import { chromiumPath, launchBrowser, type PageServer, startServer } from '../support/browser.ts'
import { bundlers, writePage } from '../support/bundlers.ts'
import { encodeBzip2, makeRandom } from '../support/bzip2-encoder.ts'
import { isThorough } from '../support/extent.ts'
import { readFixture } from '../support/fixtures.ts'
import { root } from '../support/markdown.ts'
import { countCompiled, countPosts, countUrls } from './counters.ts'
// @ts-expect-error: a module for browsers, without types
import { run } from './worker-program.js'

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' }
const folder = mkdtempSync(join(tmpdir(), 'xylem-bundlers-'))
const files = join(folder, 'files')

/** What a page has to report, and the workers that it has started. */
interface Report {
  readonly results: unknown
  /** Their addresses. */
  readonly workers: readonly string[]
  /** Messages to workers after they were started, by kind. */
  readonly posted: number
}

describe.runIf(chromiumPath && isThorough)('a page with workers', () => {
  let browser: Browser
  let server: PageServer
  let expected: unknown

  beforeAll(async () => {
    writeFiles()
    for (const [name, bundle] of Object.entries(bundlers)) {
      const target = join(folder, name)
      mkdirSync(target)
      writePage(target, await bundle(writeEntry(), target))
    }
    for (const file of ['xylem.js', 'xylem.min.js']) writeSinglePage(file)
    const get = async (file: string) => new Uint8Array(readFileSync(join(files, file)))
    server = await startServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const path = normalize(pathname)
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
      const policy = searchParams.get('policy')
      if (policy) response.setHeader('content-security-policy', policy)
      if (path === '/files/endless.xml') {
        ended = new Promise((resolve) => response.on('close', () => resolve('closed')))
        response.write(`<r>${'<a n="1">x</a>'.repeat(10_000)}`)
        const timer = setInterval(() => response.write('<a n="1">x</a>'.repeat(10_000)), 5)
        response.on('close', () => clearInterval(timer))
      } else if (!path.includes('..') && existsSync(file)) {
        response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
      } else {
        response.writeHead(404).end()
      }
    })
    expected = await run(
      { decompress, readXmlInWorker, XmlError },
      { get, url: (file: string) => new URL(`${server.url}files/${file}`) },
    )
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  let ended: Promise<string> | undefined

  async function open(path: string, prepare?: (page: Page) => Promise<unknown>): Promise<Report> {
    const page = await browser.newPage()
    try {
      const workers: string[] = []
      page.on('worker', (worker) => workers.push(worker.url()))
      await page.addInitScript(countPosts)
      await prepare?.(page)
      await page.goto(server.url + path)
      await page.waitForFunction('globalThis.results')
      const results = await page.evaluate('globalThis.results')
      const posted = (await page.evaluate('globalThis.posted')) as number
      return { results, workers, posted }
    } finally {
      await page.close()
    }
  }

  test('has results in Node to be compared with', () => {
    expect(JSON.stringify(expected)).not.toContain('failed')
    expect(expected).toMatchObject({
      'many records': { length: 50_000 },
      'an error in the document': { isXmlError: true, code: 'tag-mismatch', line: 3 },
    })
  })

  const pages = [...Object.keys(bundlers), 'xylem.js', 'xylem.min.js']
  test.each(pages)('has the results of Node, from workers that were really started (%s)', async (name) => {
    const { results, workers, posted } = await open(`${name}/`)
    expect(results).toEqual(expected)
    // Two for blocks, and one for each document.
    expect(workers.length).toBe(9)
    expect(workers.every((url) => url.startsWith('blob:'))).toBe(true)
    expect(posted).toBeGreaterThan(10)
  })

  test.each(pages)('has the same results where no worker may be started (%s)', async (name) => {
    const { results, posted } = await open(`${name}/?policy=${encodeURIComponent("worker-src 'none'")}`)
    expect(results).toEqual(expected)
    expect(posted).toBe(0)
  })

  test('has the same results where there are no workers at all', async () => {
    const { results, workers } = await open('esbuild/', (page) => page.addInitScript('delete globalThis.Worker'))
    expect(results).toEqual(expected)
    expect(workers).toEqual([])
  })

  test('has the same results under a policy that allows no blobs, by workers from given addresses', async () => {
    const policy = encodeURIComponent("worker-src 'self'")
    const { results, workers } = await open(`esbuild/?urls&policy=${policy}`)
    expect(results).toEqual(expected)
    expect(workers.map((url) => url.replace(/.*\//, '')).sort()).toEqual([
      ...Array(2).fill('block-worker.js'),
      ...Array(7).fill('xml-worker.js'),
    ])
    const without = await open(`esbuild/?policy=${policy}`)
    expect(without.results).toEqual(expected)
    expect(without.posted).toBe(0)
  })

  test.each(pages)(
    'has the same results where WebAssembly is refused, by twins that are loaded then (%s)',
    async (name) => {
      const policy = "script-src 'self' 'unsafe-inline' blob:"
      const { results, workers } = await open(`${name}/?policy=${encodeURIComponent(policy)}`)
      expect(results).toEqual(expected)
      expect(workers.length).toBe(9)
    },
  )

  test('has the same results where the address of the script is wrong', async () => {
    const { results, posted } = await open('esbuild/?urls', (page) =>
      page.route('**/*-worker.js', (route) => route.fulfill({ status: 404 })),
    )
    expect(results).toEqual(expected)
    expect(posted).toBe(0)
  })

  test('has the same results where the script throws before it is ready', async () => {
    const contentType = 'text/javascript'
    const { results, posted } = await open('esbuild/?urls', (page) =>
      page.route('**/*-worker.js', (route) => route.fulfill({ contentType, body: 'throw new Error("no")' })),
    )
    expect(results).toEqual(expected)
    expect(posted).toBe(0)
  })

  test('revokes the Blob URLs that it has made', async () => {
    const page = await browser.newPage()
    await page.addInitScript(countUrls)
    await page.goto(`${server.url}esbuild/`)
    await page.waitForFunction('globalThis.results')
    await page.evaluate('globalThis.results')
    const { made, open } = (await page.evaluate('globalThis.urls')) as { made: number; open: number }
    await page.close()
    expect(made).toBeGreaterThan(1)
    // Both workers of a pool start from one URL.
    expect(made).toBeLessThan(9)
    expect(open).toBe(0)
  })

  test('loads a kernel that is served, while it arrives', async () => {
    const page = await browser.newPage()
    await page.addInitScript(countCompiled)
    await page.goto(`${server.url}xylem.min.js/`)
    await page.waitForFunction('globalThis.results')
    const counted = await page.evaluate(async () => {
      const { library, compiled } = globalThis as unknown as {
        library: typeof import('xylem')
        compiled: { streams: number; bytes: number }
      }
      const before = compiled.bytes
      await library.loadKernel('/files/records.wasm')
      const document = `<r>${'<a n="1">x</a>'.repeat(10_000)}</r>`
      let count = 0
      for await (const { n } of library.readXml(document).records('a', { n: '@n' })) count += Number(n)
      return { count, streams: compiled.streams, bytes: compiled.bytes - before }
    })
    await page.close()
    expect(counted).toEqual({ count: 10_000, streams: 1, bytes: 0 })
  })

  test('ends the worker and its download with the stream, and reads ahead no more than it is asked for', async () => {
    const page = await browser.newPage()
    await page.addInitScript(countPosts)
    await page.goto(`${server.url}esbuild/`)
    await page.waitForFunction('globalThis.results')
    await page.evaluate('globalThis.results')
    const received = await page.evaluate(async () => {
      const { library, counts } = globalThis as unknown as {
        library: { readXmlInWorker: typeof readXmlInWorker }
        counts: { received: number }
      }
      const stream = library
        .readXmlInWorker(new URL('/files/endless.xml', location.href))
        .write('jsonl', 'a', { n: '@n' })
      const reader = stream.getReader()
      await reader.read()
      const before = counts.received
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const later = counts.received - before
      await reader.cancel()
      return later
    })
    // The batches that it had leave for.
    expect(received).toBeLessThanOrEqual(3)
    expect(await ended).toBe('closed')
    await expect.poll(() => page.workers().length).toBe(0)
    await page.close()
  })

  function writeEntry(): string {
    const entry = join(root, 'build', 'worker-entry.js')
    mkdirSync(join(root, 'build'), { recursive: true })
    writeFileSync(
      entry,
      `import { decompress } from 'xylem/compression'
import { readXmlInWorker, XmlError } from 'xylem/worker'
import { start } from '../test/browser/worker-page.js'
start({ decompress, readXmlInWorker, XmlError })
`,
    )
    return entry
  }

  function writeSinglePage(file: string): void {
    mkdirSync(join(folder, file))
    const script = `import * as library from './${file}'\nimport { start } from '/files/worker-page.js'\nstart(library)`
    writeFileSync(join(folder, file, 'index.html'), `<!doctype html><script type="module">${script}</script>`)
    copyFileSync(join(root, 'dist', file), join(folder, file, file))
  }
})

function writeFiles(): void {
  mkdirSync(files)
  const random = makeRandom(5)
  const contents = Array.from({ length: 40 }, (_, i) => Buffer.from(`${Math.floor(random() * 1e9)} `.repeat(200 + i)))
  const streams = contents.map((content) => encodeBzip2(content, { blockSize: 700, random }))
  const items = Array.from({ length: 50_000 }, (_, i) => `<a n="${i}">text ${i}</a>`).join('\n')
  writeFileSync(join(files, 'many.bz2'), Buffer.concat(streams))
  writeFileSync(join(files, 'many.xml'), `<r>${items}</r>`)
  writeFileSync(join(files, 'dump.xml'), readFixture('mediawiki/small-dump.xml'))
  writeFileSync(join(files, 'dump.xml.bz2'), readFixture('mediawiki/small-dump.xml.bz2'))
  for (const file of ['block-worker.js', 'xml-worker.js', 'records.wasm'])
    copyFileSync(join(root, 'dist', file), join(files, file))
  for (const file of ['worker-program.js', 'worker-page.js']) {
    copyFileSync(join(root, 'test', 'browser', file), join(files, file))
  }
}
