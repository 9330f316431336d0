// The browser, and the page as it was built, for the tests of a block.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser, type PageServer } from './browser.ts'
import { servePlayground } from './playground.ts'

export interface PlaygroundInBrowser {
  readonly browser: Browser
  /** Where the page is, with a slash at the end. */
  readonly url: string
}

/** What it returns is there while the tests run. */
export function usePlayground(): PlaygroundInBrowser {
  let browser: Browser
  let server: PageServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchBrowser(), servePlayground()])
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })
  return {
    get browser() {
      return browser
    },
    get url() {
      return server.url
    },
  }
}
