// What stays when the visitor changes tabs, goes back and forward, and leaves. In Chromium; skipped where there is none.

import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, startServer } from '../support/browser.ts'
import { makeDump } from '../support/dump.ts'
import { isThorough } from '../support/extent.ts'
import { inputOf, replace } from '../support/grammar-page.ts'
import { usePlayground } from '../support/use-playground.ts'

const map = readFileSync(new URL('../../fixtures/recipes/map.osm', import.meta.url))

describe.runIf(chromiumPath && isThorough)('a visit of the page', () => {
  const playground = usePlayground()

  /** Opens the page in a tab of its own, and fails if it has errors. */
  async function visit(address: string, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await playground.browser.newPage({ viewport: { width: 1400, height: 900 } })
    const failures: string[] = []
    page.on('pageerror', ({ message }) => failures.push(message))
    page.setDefaultTimeout(15_000)
    await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
    try {
      await page.goto(playground.url + address)
      await use(page)
      expect(failures).toEqual([])
    } finally {
      await page.close()
    }
  }

  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })
  const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
  const opener = (page: Page) => page.getByRole('heading', { name: 'Look into XML of any size' })
  /** Whether the browser asks before the page is left. */
  const asks = (page: Page) => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))

  test('keeps what is read and what is downloaded when the tab changes, and asks before it ends', () =>
    visit('', async (page) => {
      let isHeld = true
      const server = await startServer(async (_, response) => {
        response.setHeader('access-control-allow-origin', '*')
        for (const piece of makeDump(100_000, 250)) {
          response.write(piece)
          if (isHeld) await wait(25)
        }
        response.end()
      })
      expect(await asks(page)).toBe(false)
      await page.getByLabel('or open an address:').fill(`${server.url}slow.xml`)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.locator('.page-row').nth(9).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download these pages as JSON lines' }).click()
      await page.getByRole('button', { name: 'Cancel the download' }).waitFor()
      expect(await asks(page)).toBe(true)

      await tab(page, 'Grammar')
      await page.getByRole('heading', { name: 'Grammar', level: 1 }).waitFor()
      expect(await page.getByText('slow.xml').isVisible()).toBe(false)
      expect(new URL(page.url()).hash).toBe('#grammar')
      expect(await asks(page)).toBe(true)
      // It continues while another view is shown.
      isHeld = false
      expect((await saved).suggestedFilename()).toBe('slow.jsonl')
      await tab(page, 'Explorer')
      await page.getByText('read to the end').waitFor()
      await page.getByText(/saved$/).waitFor()
      expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#explorer/${server.url}slow.xml`)
      // The address brings it back.
      expect(await asks(page)).toBe(false)
      server.close()
    }))

  test('goes back to the opener and forward to the file, in its place of the list', () =>
    visit('', async (page) => {
      await choose(page, 'many.xml', Buffer.concat([...makeDump(2000)]))
      await page.getByText('read to the end').waitFor()
      const list = page.getByRole('listbox', { name: 'Pages' })
      await list.evaluate((element) => element.scrollTo(0, 32_000))
      await page.getByRole('option', { name: 'Page 1003' }).waitFor()
      await tab(page, 'Waiting')
      await tab(page, 'Explorer')
      await page.getByRole('option', { name: 'Page 1003' }).waitFor()
      // A file on the disk has no address that would bring it back.
      expect(await asks(page)).toBe(true)

      await tab(page, 'Explorer')
      expect(await opener(page).isVisible()).toBe(false)
      for (let i = 0; i < 3; i++) await page.goBack()
      await opener(page).waitFor()
      await page.getByText('many.xml is still open here.').waitFor()
      await page.goForward()
      await page.getByRole('option', { name: 'Page 1003' }).waitFor()

      // Another file takes its place; going back opens it again.
      await page.getByRole('button', { name: 'Open another' }).click()
      await choose(page, 'map.osm', map)
      await page.getByRole('button', { name: 'Use as record: osm/node', exact: true }).waitFor()
      for (let i = 0; i < 2; i++) await page.goBack()
      await page.getByRole('heading', { name: 'many.xml' }).waitFor()
      await page.getByText('2,000 of 2,000 pages.').waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Show it' }).click()
      await page.getByText('2,000 of 2,000 pages.').waitFor()

      let asked = ''
      page.once('dialog', (dialog) => {
        asked = dialog.type()
        void dialog.dismiss()
      })
      await page.goto('about:blank').catch(() => {})
      expect(asked).toBe('beforeunload')
      await page.getByText('2,000 of 2,000 pages.').waitFor()
    }))

  test('keeps the texts of a grammar that are too long for its address, and asks before they are lost', () =>
    visit('#grammar', async (page) => {
      const input = inputOf(page)
      const random = Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2, 4)).join('')
      await replace(input, `let ${random} = 1;`)
      await page.getByText('Too long for a link').waitFor()
      expect(await asks(page)).toBe(true)
      await tab(page, 'Explorer')
      await opener(page).waitFor()
      await page.goBack()
      await input.waitFor()
      expect((await input.textContent())?.length).toBeGreaterThan(100)
      await page.evaluate(() => location.assign('#grammar/damaged'))
      await page.getByText('What was here before is shown.').waitFor()
      await replace(input, 'let a = 1;')
      await expect.poll(() => asks(page)).toBe(false)
    }))

  test.for(['#nonsense', '#waiting/more', '#/'])('says that there is nothing at %s, and what there is', (address) =>
    visit(address, async (page) => {
      await page.getByRole('alert').getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
      await page.getByRole('alert').getByRole('link', { name: 'Grammar' }).click()
      await page.getByRole('heading', { name: 'Grammar', level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Grammar' }).isVisible()).toBe(false)
    }),
  )
})
