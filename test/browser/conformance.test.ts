// What the W3C suite gives in Chromium and in Node: the same events, and the same errors. Skipped where there is no Chromium.

import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSuite } from '../conformance/suite.ts'
import { callInPage, chromiumPath, launchBrowser, type PageServer, startServer } from '../support/browser.ts'
import { isThorough, sample } from '../support/extent.ts'
import { serveProject } from '../support/project-server.ts'
import { describeDocuments } from './describe-document.js'

const documents = sample(
  readSuite().filter(({ group, isExternal }) => group === 'XML 1.0' && !isExternal),
  40,
)
/** Documents that are sent at once. */
const BATCH = 100

describe.runIf(chromiumPath)('the conformance suite in a browser', () => {
  let browser: Browser
  let server: PageServer

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchBrowser(), startServer(serveProject())])
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  test.runIf(isThorough)('gives what it gives in Node, by events and by errors', async () => {
    const { readXml } = await import('xylem/xml')
    const page = await browser.newPage()
    await page.goto(server.url)
    let errors = 0
    for (let from = 0; from < documents.length; from += BATCH) {
      const batch = documents.slice(from, from + BATCH)
      const texts = batch.map(({ file }) => readFileSync(file, 'latin1'))
      const found = await callInPage<string[]>(page, '/test/browser/describe-documents.js', 'describeAll', texts)
      const expected = await describeDocuments(readXml, texts)
      errors += expected.filter((text) => text.startsWith('error')).length
      const differing = batch.filter((_, i) => found[i] !== expected[i]).map(({ id }) => id)
      expect(differing).toEqual([])
    }
    // Both kinds are there.
    expect(errors).toBeGreaterThan(documents.length / 10)
    expect(errors).toBeLessThan((documents.length * 9) / 10)
  })
})
