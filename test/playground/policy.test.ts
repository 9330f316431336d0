// The page under the policy of docs/browser.md, and under a stricter one. In Chromium; skipped where there is none.

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchBrowser } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { grammarOf, inputOf, replace } from '../support/grammar-page.ts'
import { headers, servePlayground } from '../support/playground.ts'

const root = new URL('../..', import.meta.url)
const policy = headers['content-security-policy'] ?? ''

test('the policy of the documentation is the one in the page', () => {
  expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self';")
  const page = readFileSync(new URL('build/playground/index.html', root), 'utf8')
  expect(page).toContain(`content="${policy}"`)
})

describe.runIf(chromiumPath && isThorough)('the page under a policy', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  /** Opens a page, and gives what it writes to its console as an error or a warning. */
  async function visit(address: string, use: (page: Page) => Promise<void>): Promise<string[]> {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    const said: string[] = []
    page.setDefaultTimeout(30_000)
    page.on('pageerror', ({ message }) => said.push(message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(message.text())
    })
    await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
    try {
      await page.goto(address)
      await use(page)
      return said
    } finally {
      await page.close()
    }
  }

  const openSample = async (page: Page, name: string) => {
    await page.getByRole('link', { name: 'Explorer' }).click()
    const other = page.getByRole('button', { name: 'Open another' })
    if (await other.isVisible()) await other.click()
    await page.getByRole('button', { name }).click()
  }

  /** Uses all views, as a visitor does. */
  async function useAll(page: Page): Promise<void> {
    await openSample(page, 'a map (OpenStreetMap)')
    await page.getByRole('button', { name: 'Use as record: osm/node', exact: true }).click()
    await page.getByRole('columnheader').first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('map.osm.csv')
    await openSample(page, 'a small wiki (bzip2)')
    await page.getByRole('option', { name: 'Line ends' }).click()
    await page.getByRole('heading', { name: 'Line ends' }).waitFor()
    await page.getByRole('link', { name: 'Grammar' }).click()
    await page.getByRole('treeitem').first().waitFor()
    await page.locator('.grammar-rules').scrollIntoViewIfNeeded()
    await page.locator('.railroad-diagram').first().waitFor()
    await replace(inputOf(page), 'let a = (1 + 2;')
    await page.getByRole('heading', { name: 'The input does not match the grammar' }).waitFor()
    await replace(grammarOf(page), 'program ::= wrod ;\nword ::= "a" ;')
    await page.getByText('unknown rule wrod').first().waitFor()
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('article').getByRole('link', { name: 'Records in ranges' }).click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
    await page.goBack()
    await page.getByRole('heading', { name: 'Documentation' }).waitFor()
    await page.getByRole('link', { name: 'Waiting', exact: true }).click()
    await page.getByText(/^Measuring [2-8]/).waitFor()
  }

  /** A dump whose threads have something to do. */
  const dump = readFileSync(new URL('fixtures/mediawiki/small-dump.xml.bz2', root))
  const openDump = async (page: Page) => {
    const buffer = Buffer.concat(Array.from({ length: 40 }, () => dump))
    await page.setInputFiles('#file', { name: 'many.xml.bz2', mimeType: 'application/octet-stream', buffer })
  }

  test('works in all views, with threads from a file, and breaks no rule of it', async () => {
    const requested: string[] = []
    const server = await servePlayground({ onRequest: ({ url = '' }) => requested.push(url) })
    const said = await visit(server.url, async (page) => {
      await useAll(page)
      expect(await page.locator('style').count()).toBe(0)
      await page.getByRole('link', { name: 'xylem' }).click()
      await page.getByLabel('or open an address:').fill('http://192.0.2.1/feed.xml')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByText('This page opens http:// only from its own server').waitFor()
      await openDump(page)
      await expect.poll(() => requested.some((url) => /block-worker-\w+\.js$/.test(url))).toBe(true)
    })
    expect(said).toEqual([])
    server.close()
  })

  test('works in all views as one file that was opened from a disk', async () => {
    const said = await visit(pathToFileURL(`${root.pathname}build/playground.html`).href, useAll)
    expect(said).toEqual([])
  })

  test('reads to the end where WebAssembly may not be compiled, and says that it is slow', async () => {
    const strict = policy.replace(" 'wasm-unsafe-eval'", '')
    const server = await servePlayground({ headers: { 'content-security-policy': strict } })
    const said = await visit(server.url, async (page) => {
      await useAll(page)
      await openSample(page, 'a small wiki (bzip2)')
      await page.getByText('without WebAssembly, so it is slow').waitFor()
      await page.getByText('read to the end').waitFor()
    })
    expect(said.filter((text) => !/WebAssembly/.test(text))).toEqual([])
    server.close()
  })
})
