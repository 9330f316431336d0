// The Explorer, opened in Chromium for each test of a block.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser, type PageServer } from './browser.ts'
import { servePlayground } from './playground.ts'

export interface ExplorerVisits {
  readonly browser: Browser
  /** Where the page is. */
  readonly url: string
}

/** Opens the page before each test, and closes it after it: an error in it fails the test. `onPage` is called with each page. What it returns is there while tests run. */
export function useExplorer(onPage: (page: Page) => void, options: BrowserContextOptions = {}): ExplorerVisits {
  let browser: Browser
  let playground: PageServer
  let page: Page
  let failures: string[]
  beforeAll(async () => {
    ;[browser, playground] = await Promise.all([launchBrowser(), servePlayground()])
  })
  afterAll(async () => {
    await browser?.close()
    playground?.close()
  })
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
    page.setDefaultTimeout(15_000)
    failures = []
    page.on('pageerror', ({ message }) => failures.push(message))
    // Files are saved as downloads, which a test can wait for.
    await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
    await page.goto(playground.url)
    await page.getByRole('heading', { name: 'Look into XML of any size' }).waitFor()
    onPage(page)
  })
  afterEach(async () => {
    await page.close()
    expect(failures).toEqual([])
  })
  return {
    get browser() {
      return browser
    },
    get url() {
      return playground.url
    },
  }
}
