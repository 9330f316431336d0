// The Explorer, opened in Chromium for each test of a block.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeEach, expect } from 'vitest'
import { type PlaygroundInBrowser, usePlayground } from './use-playground.ts'

/** Opens the page before each test, and closes it after it: an error in it fails the test. `onPage` is called with each page. What it returns is there while tests run. */
export function useExplorer(onPage: (page: Page) => void, options: BrowserContextOptions = {}): PlaygroundInBrowser {
  const playground = usePlayground()
  let page: Page
  let failures: string[]
  beforeEach(async () => {
    page = await playground.browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
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
  return playground
}
