// What the Explorer opens without a file: what is pasted, what a link names, and what is made in the browser. Skipped where there is no Chromium.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, startServer } from '../support/browser.ts'
import { useExplorer } from '../support/explorer-page.ts'
import { isThorough } from '../support/extent.ts'
import { takeScreenshots } from '../support/screenshots.ts'

describe.runIf(chromiumPath && isThorough)('the start of the Explorer', () => {
  let page: Page
  const visits = useExplorer(
    (opened) => {
      page = opened
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  )

  const paste = async (text: string) => {
    await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text)
    await page.keyboard.press('Control+V')
  }
  const openAnother = async () => {
    await page.getByText('read to the end').waitFor()
    await page.getByRole('button', { name: 'Open another' }).click()
  }

  test('opens XML that is pasted anywhere, or into the field for it', async () => {
    await paste('{"not": "XML"}')
    await page.getByText('What was pasted is not XML, which begins with “<”.').waitFor()
    await paste('https://example.org/feed.xml')
    expect(await page.getByLabel('or open an address:').inputValue()).toBe('https://example.org/feed.xml')
    await paste('\n<?xml version="1.0" encoding="UTF-16"?><list><item>é</item><item n="2">b</item></list>')
    await page.getByRole('heading', { name: 'pasted.xml' }).waitFor()
    await page.getByRole('cell', { name: 'é' }).waitFor()
    await page.getByText('On the command line, from standard input').click()
    expect(await page.getByLabel('command', { exact: true }).textContent()).toMatch(
      /^npx xylem select \/list\/item \\\n/,
    )
    // The element that is proposed is marked in the structure.
    expect(await page.getByRole('treeitem', { name: '<item>' }).innerText()).toMatch(/^record$/m)
    await openAnother()
    await page.getByText('or paste XML here').click()
    await page.getByLabel('XML', { exact: true }).fill('<list><item>typed</item><item n="2">b</item></list>')
    expect(await findViolations(page)).toEqual([])
    expect(await takeScreenshots(page, 'explorer-start')).toEqual([])
    await page.getByRole('button', { name: 'Open this text' }).click()
    await page.getByRole('cell', { name: 'typed' }).waitFor()
    // Where a file is shown, nothing is opened by pasting.
    await paste('<other/>')
    expect(await page.getByRole('cell', { name: 'typed' }).isVisible()).toBe(true)
  })

  test('says that it opens one file of several, and that a folder is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
    const names = ['one.xml', 'two.xml', 'three.xml'].map((name) => join(folder, name))
    for (const name of names) writeFileSync(name, '<list><item>a</item><item>b</item></list>')
    const session = await page.context().newCDPSession(page)
    const drop = async (files: string[]) => {
      const data = { items: [], files, dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data })
    }
    await drop(names)
    await page.getByRole('heading', { name: 'one.xml' }).waitFor()
    await page.getByText('This is the first of 3 files. One is opened at a time').waitFor()
    await page.getByRole('cell', { name: 'b' }).waitFor()
    await drop(names.slice(1, 2))
    await page.getByRole('heading', { name: 'two.xml' }).waitFor()
    expect(await page.getByText('This is the first of').count()).toBe(0)
    await drop([folder])
    await page.getByText(`${basename(folder)} is a folder, or was moved`).waitFor()
  })

  test('asks before a link fetches something, and says from where', async () => {
    let requests = 0
    const server = await startServer((_, response) => {
      requests++
      response.setHeader('access-control-allow-origin', '*')
      response.end('<list><item n="1"/><item n="2"/></list>')
    })
    const { host } = new URL(server.url)
    const link = `${visits.url}#explorer/${encodeURIComponent(`${server.url}list.xml`)}`
    await page.goto(link)
    await page.getByRole('heading', { name: `Open a file from ${host}?` }).waitFor()
    await page.getByText(`${server.url}list.xml`, { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await takeScreenshots(page, 'explorer-link')).toEqual([])
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#explorer')
    expect(await page.getByRole('heading', { name: 'Open a file' }).isVisible()).toBe(false)
    expect(requests).toBe(0)
    await page.goto(link)
    await page.getByRole('button', { name: 'Open it' }).press('Enter')
    await page.getByRole('cell', { name: '2', exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('list.xml')
    expect(requests).toBeGreaterThan(0)
    // Coming back by the history is no link from elsewhere.
    await page.getByRole('button', { name: 'Open another' }).click()
    await page.goBack()
    await page.getByRole('cell', { name: '2', exact: true }).waitFor()
    server.close()
    // What stands before the @ may look like a host.
    await page.goto(`${visits.url}#explorer/${encodeURIComponent('https://example.org@example.com/list.xml')}`)
    await page.getByText('Browsers do not fetch addresses with a name or a password in them.').waitFor()
    expect(await page.getByRole('heading', { name: 'Open a file' }).count()).toBe(0)
  })

  test('makes 100 MB of a wiki or of records, and shows the first before the last is made', async () => {
    await page.getByRole('button', { name: 'Make a wiki of 100 MB' }).click()
    await page.locator('.page-row').nth(9).waitFor()
    expect(await page.getByText('reading', { exact: true }).isVisible()).toBe(true)
    await page.getByText('40,000 of 40,000 pages.').waitFor({ timeout: 60_000 })
    await page.getByText('100 MB of 100 MB').waitFor()
    await page.getByRole('listbox', { name: 'Pages' }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Category:Yew' }).waitFor()
    expect(await page.locator('.wikitext').textContent()).toContain("'''yew'''")
    await openAnother()
    await page.getByRole('button', { name: 'Make a register of trees of 100 MB' }).click()
    await page.getByText('The first 10 records.').waitFor()
    expect(await page.getByText('reading', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})
