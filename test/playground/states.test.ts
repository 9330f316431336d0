// What axe finds in states of the page that pass by, or that hardly a visitor comes to. In Chromium; skipped where there is none.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, startServer } from '../support/browser.ts'
import { useExplorer } from '../support/explorer-page.ts'
import { isThorough } from '../support/extent.ts'
import { fill, settle } from '../support/grammar-page.ts'

describe.runIf(chromiumPath && isThorough)('everybody can read', () => {
  let page: Page
  const visits = useExplorer((opened) => {
    page = opened
  })

  const choose = (name: string, text: string) =>
    page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  const expectNone = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
  }

  test('a document while it comes, before its first byte and when it was cancelled', async () => {
    let go = () => {}
    const server = await startServer((_, response) => {
      response.setHeader('access-control-allow-origin', '*')
      go = () => response.write(`<r>${'<a id="1"><b>=x</b></a>'.repeat(50)}`)
    })
    await page.getByLabel('or open an address:').fill(`${server.url}slow.xml`)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('Waiting for the first bytes').waitFor()
    await expectNone()
    go()
    await page.getByRole('treeitem', { name: '<a>' }).waitFor()
    await expectNone()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('cancelled: what was read so far is shown').waitFor()
    await expectNone()
    server.close()
  })

  test.for([
    ['of 500 levels', `${'<d>'.repeat(500)}${'</d>'.repeat(500)}`],
    ['that is empty', '<r/>'],
    ['with records', `<!DOCTYPE r SYSTEM "r.dtd"><r>&x;${'<a id="1"><b>=x</b><b>y</b></a>'.repeat(50)}</r>`],
    ['that is a dump without pages', '<mediawiki/>'],
  ] as const)('a document %s', async ([, text]) => {
    await choose('a.xml', text)
    await page.getByText('read to the end').waitFor()
    const all = page.getByRole('button', { name: 'Read all records' })
    if (await all.isVisible()) await all.click()
    for (const summary of await page.locator('summary:visible').all()) await summary.click()
    await expectNone()
  })

  test('a grammar that is wrong, one of another notation, an input that does not match, and a value that there is not', async () => {
    await page.goto(`${visits.url}#grammar`)
    await page.getByRole('treeitem').first().waitFor()
    for (const [grammar, input] of [
      ['program ::= wrod ;\nword ::= "a" ;', 'a'],
      ['sum ::= sum "+" number | number ;\nnumber ::= [0-9]+ ;', '1+2'],
      ['<digit> ::= "0" | "1"', '0'],
      ['program ::= item+ ;\nitem ::= "a" | "b" ;', 'abc'],
      ['program ::= day:date ;\ndate @date ::= [0-9-]+ ;', '1-1'],
    ] as const) {
      await fill(page, grammar, input)
      await settle(page)
      await expectNone()
    }
    await page.getByRole('button', { name: 'Language sheet' }).click()
    await expectNone()
    await fill(page, `program @"${'l'.repeat(20_000)}" ::= "a" ;`, 'b')
    await settle(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
