// What the Explorer shows of documents of any shape, of files that are wrong, and at the end of a run, in Chromium. Skipped where there is none.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath } from '../support/browser.ts'
import { useExplorer } from '../support/explorer-page.ts'
import { isThorough } from '../support/extent.ts'
import { findLongTasks, RETRIES } from '../support/long-tasks.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const thorough = test.runIf(isThorough)

describe.runIf(chromiumPath)('the Explorer', () => {
  let page: Page
  const visits = useExplorer((opened) => {
    page = opened
  })

  const choose = (name: string, text: string) =>
    page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  const state = (text: string) => page.getByText(text, { exact: false }).first().waitFor()
  const current = () =>
    page.getByRole('tree').evaluate((tree) => {
      const row = document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')
      return [row?.getAttribute('aria-level'), row?.querySelector('.element-name')?.textContent]
    })

  thorough(
    'reads a document of any depth, width and length of names to the end, without a long task',
    RETRIES,
    async () => {
      const deep = `${'<d>'.repeat(5000)}x${'</d>'.repeat(5000)}`
      const wide = Array.from({ length: 50_000 }, (_, i) => `<n${i} a="${i}"/>`).join('')
      const attributes = Array.from({ length: 100_000 }, (_, i) => `<e a${i}="v"/>`).join('')
      const long = `L${'o'.repeat(20_000)}`
      const path = join(mkdtempSync(join(tmpdir(), 'xylem-')), 'wild.xml')
      writeFileSync(path, `<r>${deep}<${long}><i/></${long}><w>${wide}</w><e>${attributes}</e></r>`)
      const { long: tasks } = await findLongTasks(visits.browser, page, async () => {
        // By its path: to make such a file in the page is a long task itself.
        await page.setInputFiles('#file', path)
        await page.getByText('read to the end').waitFor()
        const tree = page.getByRole('tree', { name: 'Elements' })
        await tree.focus()
        await page.keyboard.press('End')
        await expect.poll(current).toEqual(['3', '<e>'])
        for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
        await expect.poll(current).toEqual(['4', '<d>'])
        for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowRight')
        await page.getByText('1, level 34').waitFor()
      })
      expect(tasks).toEqual([])
      expect(await page.locator('.tree-row').count()).toBeLessThan(50)
      await page.getByText('There are more different paths or attributes than are kept here').waitFor()
      for (const key of ['Home', 'ArrowRight', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key)
      await expect.poll(current).toEqual(['2', `<${long.slice(0, 200)}…>`])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    },
  )

  thorough('is no wider than its window where names have 20,000 characters', async () => {
    const name = `L${'o'.repeat(20_000)}`
    const expectFit = async () => {
      for (const summary of await page.locator('summary:visible').all()) await summary.click()
      for (const width of [1400, 375, 320]) {
        await page.setViewportSize({ width, height: 640 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }
    }
    await choose('long.xml', `<r><${name} ${name}="1">a</${name}><${name} ${name}="2">b</${name}></r>`)
    await page.getByText('2 records.').waitFor()
    await expectFit()
    await choose('wrong.xml', `<r><${name}></r>`)
    await page.getByRole('heading', { name: 'This XML is not well-formed' }).waitFor()
    await expectFit()
    const revision = `<revision><id>1</id><text>[[${name}]] [[Elm]] [[${name}x]]</text></revision>`
    const pages = [name, 'Elm'].map((title) => `<page><title>${title}</title><ns>0</ns><id>1</id>${revision}</page>`)
    await choose(
      'wiki.xml',
      `<mediawiki><siteinfo><sitename>${name}</sitename></siteinfo>${pages.join('')}</mediawiki>`,
    )
    await page.locator('.page-row').first().click()
    await page.getByRole('link', { name: 'Elm' }).click()
    await page.getByRole('button', { name: /^Back to/ }).waitFor()
    await page.locator('.wikitext').getByRole('link').last().click()
    await page.getByText('This dump has no page').waitFor()
    await expectFit()
  })

  thorough('lists the namespaces of a dump by their numbers, however many there are', async () => {
    const ids = Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 40_000)
    const pages = ids.map(
      (id) => `<page><title>${id}</title><ns>${id}</ns><id>1</id><revision><id>1</id></revision></page>`,
    )
    const path = join(mkdtempSync(join(tmpdir(), 'xylem-')), 'many.xml')
    writeFileSync(path, `<mediawiki>${pages.join('')}</mediawiki>`)
    await page.setInputFiles('#file', path)
    await state('read to the end')
    const shown = await page.getByLabel('Namespace').evaluate(({ options }: HTMLSelectElement) => {
      return Array.from(options, ({ value }) => value)
    })
    expect(shown).toEqual(['', ...ids.keys()].map(String))
  })

  thorough('says that a record has more fields than are listed', async () => {
    const record = `<a>${Array.from({ length: 250 }, (_, i) => `<n${i}>x</n${i}>`).join('')}</a>`
    await choose('many.xml', `<r>${record}${record}</r>`)
    await page.getByText('There are more fields than these.').waitFor()
    expect(await page.locator('.choices').getByRole('checkbox').count()).toBe(200)
  })

  thorough('asks for no choice where there is nothing to choose', async () => {
    await choose('root.xml', '<a>text</a>')
    await state('read to the end')
    await page.getByRole('treeitem', { name: '<a>' }).waitFor()
    expect(await page.getByText('Choose an element').isVisible()).toBe(false)
    await choose('pages.xml', '<mediawiki/>')
    await page.getByText('This dump has no pages.').waitFor()
    await choose('pages.xml', '<mediawiki><page/></mediawiki>')
    await page.getByText('No page was read.').waitFor()
  })

  thorough('lets the structure be used with the keyboard, and shows what the run came to', async () => {
    const entries = '<entry id="1"><title>Sap</title><link/></entry>'.repeat(30_000)
    await choose('feed.xml', `<!DOCTYPE feed SYSTEM "feed.dtd"><feed>&intro;${entries}<one/></feed>`)
    await state('read to the end')
    await page.getByText(/^1\.\d+ MB of 1\.\d+ MB · 90,002 elements · (?:\d|less)/).waitFor()
    await page.getByText(/^\d+(\.\d+)? [KM]B\/s on average$/).waitFor()
    await page.getByText(/^\d+(\.\d+)? [KM]B at most$/).waitFor()
    await page.getByText(/took at most .* without those of the worker that reads/).waitFor()
    await page
      .getByText('1 reference to an entity is left out: &intro;. Its text is declared in another file')
      .waitFor()
    const tree = page.getByRole('tree', { name: 'Elements' })
    await tree.focus()
    for (const key of ['ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(3)
    expect(await page.getByRole('treeitem', { name: '<entry>' }).getAttribute('aria-expanded')).toBe('false')
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    expect(await current()).toEqual(['3', '<title>'])
    for (const key of ['ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Records of /feed/entry' }).waitFor()
    const box = await page.getByRole('checkbox').first().boundingBox()
    expect([box?.width, box?.height]).toEqual([24, 24])
    expect(await takeScreenshots(page, 'explorer-structure')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
  })

  thorough('shows first what is wrong with a document, and marks the place', async () => {
    await choose('wrong.xml', '<trees>\n  <tree>Ash & oak</tree>\n</trees>')
    const card = page.getByRole('alert')
    await card.getByRole('heading', { name: 'This XML is not well-formed' }).waitFor()
    expect(await card.locator('p').first().textContent()).toBe(
      'Expected a name after "&", but found " ": write an ampersand as &amp;',
    )
    expect(await card.getByLabel('The place').innerHTML()).toBe('  &lt;tree&gt;Ash &amp;<mark> </mark>oak&lt;/tree&gt;')
    await card.getByText('Where: line 2, column 14, byte 21').waitFor()
    expect(await takeScreenshots(page, 'explorer-wrong')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
    // What is not XML has no structure.
    await choose('data.json', '{"a": 1}')
    await card.getByRole('heading', { name: 'This is JSON, not XML' }).waitFor()
    await page.getByText('ended by an error', { exact: true }).waitFor()
    await page.getByText('JSON, not compressed').waitFor()
    expect(await page.getByRole('heading', { name: 'Structure' }).count()).toBe(0)
  })
})
