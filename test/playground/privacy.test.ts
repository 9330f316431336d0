// Nothing is uploaded, and everything works when the plug is pulled. In Chromium; skipped where there is none.

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchBrowser } from '../support/browser.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { makeDump } from '../support/dump.ts'
import { isThorough } from '../support/extent.ts'
import { headers, servePlayground } from '../support/playground.ts'

const root = new URL('../..', import.meta.url)
const oneFile = pathToFileURL(`${root.pathname}build/playground.html`).href
const map = readFileSync(new URL('fixtures/recipes/map.osm', root))
/** In many blocks, so that there is something to do for threads. */
const dump = Buffer.concat([...makeDump(1200, 100, 8192)].map((piece) => encodeBzip2(piece)))

describe.runIf(chromiumPath && isThorough)('the page', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function visit(address: string, use: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
      await page.goto(address)
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      // All that is loaded later is there.
      await page.waitForLoadState('networkidle')
      await use(page, context)
    } finally {
      await context.close()
    }
  }

  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })

  /** Presses a button, and gives what is saved. */
  async function save(page: Page, button: string): Promise<string> {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    return readFileSync(await (await saved).path(), 'utf8')
  }

  async function useDump(page: Page): Promise<void> {
    await choose(page, 'many.xml.bz2', dump)
    await page.getByText('1,200 of 1,200 pages.').waitFor()
    await page.getByRole('option', { name: 'Page 1' }).first().click()
    await page.getByRole('heading', { name: 'Page 1', exact: true }).waitFor()
    expect((await save(page, 'Download these pages as JSON lines')).split('\n')).toHaveLength(1201)
    await page.getByRole('button', { name: 'Open another' }).click()
  }

  async function useMap(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Use as record: osm/node', exact: true }).click()
    await page.getByRole('columnheader').first().waitFor()
    expect(await save(page, 'Download CSV')).toContain('id,')
    await page.getByRole('button', { name: 'Open another' }).click()
  }

  test.for(['in a folder', 'as one file'])('%s sends nothing from opening a file to saving its result', async (how) => {
    const sent: string[] = []
    const server = await servePlayground({ onRequest: ({ method, url }) => sent.push(`${method} ${url}`) })
    await visit(how === 'in a folder' ? server.url : oneFile, async (page, context) => {
      sent.length = 0
      const asked: string[] = []
      // Files of the page that the browser has kept are listed too, and not asked of the server.
      const isOwn = (url: string) => url.startsWith('blob:') || url.startsWith(server.url)
      context.on('request', (request) => {
        if (!isOwn(request.url())) asked.push(`${request.method()} ${request.url()}`)
      })
      page.on('websocket', (socket) => asked.push(socket.url()))
      await useDump(page)
      await choose(page, 'map.osm', map)
      await useMap(page)
      expect(asked).toEqual([])
      expect(sent).toEqual([])
    })
    server.close()
  })

  test('works when the plug is pulled, also from a server that says nothing of keeping files', async () => {
    const { 'cache-control': _, ...rest } = headers
    const server = await servePlayground({ headers: rest })
    await visit(server.url, async (page, context) => {
      await context.setOffline(true)
      server.close()
      await useDump(page)
      await page.getByRole('button', { name: 'a map (OpenStreetMap)' }).click()
      await useMap(page)
      await useDump(page)
      await page.getByRole('link', { name: 'Grammar' }).click()
      await page.getByRole('treeitem').first().waitFor()
      await page.locator('.grammar-rules').scrollIntoViewIfNeeded()
      await page.locator('.railroad-diagram').first().waitFor()
      await page.getByRole('link', { name: 'Waiting' }).click()
      await page.getByText('Done. All ways found the same.').waitFor()
      await page.getByRole('link', { name: 'Docs' }).click()
      await page.getByRole('heading', { name: 'Documentation' }).waitFor()
    })
  })
})
