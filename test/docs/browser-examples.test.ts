// The examples in HTML, in headless Chromium. Skipped where there is no Chromium; `.ci/run` installs it.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThorough } from '../support/extent.ts'
import { pages, readPage, root } from '../support/markdown.ts'

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--virtual-time-budget=30000']

const examples = pages.flatMap((path) => {
  return [...readPage(path).matchAll(/```html\n(.*?)```/gs)].map(([, html]) => ({ path, html: html as string }))
})
const entries = 'Sap &amp; water Roots &lt;i&gt;below&lt;/i&gt; '
/** What the examples of pages show, in their order. */
const shown: readonly (readonly [path: string, html: string])[] = [
  ['README.md', '<p>Sap &amp; water</p><p>Roots &lt;i&gt;below&lt;/i&gt;</p>'],
  ['docs/browser.md', `<body>${'wood '.repeat(200)}</body>`],
  ['docs/browser.md', entries],
  ['docs/browser.md', entries],
  ['docs/browser.md', 'Tree'],
]

test('every example in HTML is known here', () => {
  expect(examples.map(({ path }) => path)).toEqual(shown.map(([path]) => path))
})

// In npm test, the browser runs the package alone (test/browser/).
describe.runIf(chromium && isThorough)('examples in HTML', () => {
  let profile = ''
  let html = ''
  let server: Server
  beforeAll(async () => {
    profile = mkdtempSync(join(tmpdir(), 'xylem-browser-'))
    server = serve(() => html)
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  test.each(examples.map((example, i) => ({ ...example, number: i + 1, part: shown[i]?.[1] })))(
    'number $number, of $path, shows what it promises',
    async (example) => {
      html = example.html
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const args = [...FLAGS, `--user-data-dir=${profile}`, '--dump-dom', url]
      const { stdout } = await promisify(execFile)(chromium as string, args)
      expect(stdout).toContain(example.part)
    },
  )
})

/** Serves the page, the built package where it is installed, and what the examples fetch. */
function serve(page: () => string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, built] = /^\/node_modules\/xylem\/(dist\/[\w-]+\.js)$/.exec(pathname) ?? []
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(page())
    else if (built) response.setHeader('content-type', 'text/javascript').end(readFileSync(join(root, built)))
    else if (/^\/(scripts\/[a-z-]+-worker|xylem\.min)\.js$/.test(pathname))
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(root, 'dist', basename(pathname))))
    else if (pathname === '/records.wasm')
      response.setHeader('content-type', 'application/wasm').end(readFileSync(join(root, 'dist', 'records.wasm')))
    else if (pathname === '/dump.xml.bz2')
      response.end(readFileSync(join(root, 'fixtures/mediawiki/small-dump.xml.bz2')))
    else if (pathname === '/feed.atom' || pathname === '/feed.xml')
      response.end(readFileSync(join(root, 'fixtures/recipes/feed.atom')))
    else if (pathname === '/large.txt') response.end('wood '.repeat(100_000))
    else response.writeHead(404).end()
  })
}
