// The examples in HTML, in headless Chromium. Skipped where there is no Chromium; `.ci/run` installs it.

import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { basename, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchBrowser, type PageServer, startServer } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { pages, readPage, root } from '../support/markdown.ts'

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
  ['docs/browser.md', 'Xylem Wood Help: I am an article '],
]

test('every example in HTML is known here', () => {
  expect(examples.map(({ path }) => path)).toEqual(shown.map(([path]) => path))
})

// In npm test, the browser runs the package alone (test/browser/).
describe.runIf(chromiumPath && isThorough)('examples in HTML', () => {
  let html = ''
  let server: PageServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer(answerFor(() => html))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const numbered = examples.map((example, i) => ({ ...example, number: i + 1, part: shown[i]?.[1] }))
  test.each(numbered)('number $number, of $path, shows what it promises', async (example) => {
    html = example.html
    const page = await browser.newPage()
    await page.goto(server.url)
    await expect.poll(() => page.content(), { timeout: 30_000 }).toContain(example.part)
    await page.close()
  })
})

/** Serves the page, the built package where it is installed, and what the examples fetch. */
function answerFor(page: () => string): RequestListener {
  return (request, response) => {
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
  }
}
