// A real browser, and a server on this machine for its pages. Tests that need it are skipped where there is no Chromium; `.ci/run` installs it.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Where Chromium is, or undefined where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

const FLAGS = [
  '--enable-precise-memory-info',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-background-networking',
]

/** Starts the browser that is installed, with more flags for its engine. Who starts it closes it. */
export function launchBrowser(engineFlags = ''): Promise<Browser> {
  if (!chromiumPath) throw new Error('there is no Chromium on this machine')
  return chromium.launch({ executablePath: chromiumPath, args: [...FLAGS, `--js-flags=--expose-gc ${engineFlags}`] })
}

/** What an export of a module gives that the page loads. Arguments and result are plain data. */
export function callInPage<Result>(
  page: Page,
  module: string,
  name: string,
  ...given: readonly unknown[]
): Promise<Result> {
  const [from, wanted, values] = [module, name, given].map((each) => JSON.stringify(each))
  // As text: Vitest rewrites the imports of functions.
  return page.evaluate<Result>(`import(${from}).then((all) => all[${wanted}](...${values}))`)
}

export interface PageServer {
  /** With a slash at the end. */
  readonly url: string
  close(): void
}

/** Serves on a free port of this machine. */
export async function startServer(answer: RequestListener): Promise<PageServer> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
