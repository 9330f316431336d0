import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, launchBrowser } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { servePlayground } from '../support/playground.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const folder = new URL('../../build/playground/', import.meta.url)
const root = new URL('../../', import.meta.url)

interface DocsPage {
  readonly name: string
  readonly title: string
  readonly html: string
}

const file = readdirSync(folder).find((name) => /^docs-\w+\.json$/.test(name)) ?? ''
const pages: readonly DocsPage[] = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

test('the page has every page of the documentation, the changes and the licence', () => {
  const names = readdirSync(new URL('docs', root)).flatMap((name) => /^([a-z]+)\.md$/.exec(name)?.[1] ?? [])
  expect(pages.map(({ name }) => name)).toEqual(['', 'readme', ...names, 'changes', 'licence'])
  for (const { html } of pages) expect(html).toContain('<h1')
})

test('links between pages of the documentation lead to pages and headings that are there', () => {
  const wrong: string[] = []
  for (const page of pages) {
    for (const [, address = ''] of page.html.matchAll(/href="#docs\/?([^"]*)"/g)) {
      const [name, anchor] = address.split('/')
      const to = pages.find((each) => each.name === name)
      if (!to || (anchor !== undefined && !to.html.includes(`id="docs-${anchor}"`)))
        wrong.push(`${page.name}: ${address}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the first screen says what xylem is, and its version and licence as in package.json', () => {
  const { version, license } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const html = readFileSync(new URL('index.html', folder), 'utf8')
  expect(html).toContain('<p class="tagline">A parser for XML and grammars')
  expect(html).toContain(`>Version ${version}</a>`)
  expect(html).toContain(`>${license} licence</a>`)
})

test.runIf(chromiumPath && isThorough)(
  'the documentation leads from page to page, and everybody can read it',
  async () => {
    const [browser, server] = await Promise.all([launchBrowser(), servePlayground()])
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    page.setDefaultTimeout(15_000)
    await page.goto(`${server.url}#docs`)
    await page
      .getByRole('navigation', { name: 'Pages of the documentation' })
      .getByRole('link', { name: 'Commands' })
      .click()
    await page.getByRole('heading', { name: 'Commands', level: 1 }).waitFor()
    expect(await takeScreenshots(page, 'docs')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
    // The link to where the visitor is leads to its beginning.
    await page.goto(`${server.url}#docs/xml`)
    await page.getByRole('heading', { name: 'Reading XML', level: 1 }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.evaluate(() => scrollTo(0, 2000))
    await page.locator('.docs-pages a[aria-current]').evaluate((link: HTMLElement) => link.click())
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goto(`${server.url}#docs/nonsense`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.goto(`${server.url}#nonsense`)
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    expect(await takeScreenshots(page, 'nothing')).toEqual([])
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    for (const address of [
      '#explorer',
      '#grammar',
      `#${'nothing'.repeat(14)}`,
      `#explorer/https://${'a'.repeat(60)}.example.org/`,
    ]) {
      await page.goto(`${server.url}${address}`)
      await page.locator('h1:visible').first().waitFor()
      expect([address, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([address, 320])
    }
    await browser.close()
    server.close()
  },
)
