// Links and redirects in a dump, followed by a person in Chromium. Skipped where there is none.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, launchBrowser, startServer } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { servePlayground } from '../support/playground.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const lines = 'sap rises\n'.repeat(100)

const DUMP = `<mediawiki version="0.11" xml:lang="en">
  <siteinfo><case>first-letter</case><namespaces><namespace key="0" /><namespace key="1">Talk</namespace></namespaces></siteinfo>
  <page><title>Oak</title><ns>0</ns><id>1</id><revision><id>11</id><text>See [[old_elm#Bark|the &lt;i&gt;elm&lt;/i&gt;]], [[talk:oak]] or [[Nowhere]].</text></revision></page>
  <page><title>Old elm</title><ns>0</ns><id>2</id><redirect title="Elm" /><revision><id>12</id><text>#REDIRECT [[Elm]]</text></revision></page>
  <page><title>Elm</title><ns>0</ns><id>3</id><revision><id>13</id><text>${lines}== Bark ==\n${lines}[[Oak]] and [[Last]]</text></revision></page>
  <page><title>Talk:Oak</title><ns>1</ns><id>4</id><revision><id>14</id><text>[[elm#Bark]]</text></revision></page>`
const LAST =
  '<page><title>Last</title><ns>0</ns><id>5</id><revision><id>15</id><text>x</text></revision></page></mediawiki>'

test.runIf(chromiumPath && isThorough)('links and redirects open pages of the dump, and Back leads back', async () => {
  const [browser, playground] = await Promise.all([launchBrowser(), servePlayground()])
  let release: (() => void) | undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = await startServer(async ({ headers }, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', 'content-range')
    const bytes = Buffer.from(DUMP)
    const [, from] = /bytes=(\d+)-/.exec(headers.range ?? '') ?? []
    const size = bytes.length + LAST.length
    if (from === undefined) response.setHeader('content-length', size)
    else response.writeHead(206, { 'content-range': `bytes ${from}-${size - 1}/${size}` })
    response.write(bytes.subarray(Number(from ?? 0)))
    await (from === undefined ? released : wait(1))
    response.end(LAST)
  })
  onTestFinished(async () => {
    await browser.close()
    playground.close()
    server.close()
  })
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  page.setDefaultTimeout(15_000)
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  const heading = () => page.locator('.article h2').textContent()
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).last().click()

  await page.goto(playground.url)
  await page.getByLabel('or open an address:').fill(`${server.url}dump.xml`)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('option', { name: 'Oak', exact: false }).first().click()
  await expect.poll(heading).toBe('Oak')
  // The text stays text.
  const text = 'See [[old_elm#Bark|the <i>elm</i>]], [[talk:oak]] or [[Nowhere]].'
  expect(await page.locator('.wikitext').textContent()).toBe(text)
  await follow('Nowhere')
  await page.getByText('“Nowhere” has not been read so far.').waitFor()
  expect(await heading()).toBe('Oak')

  // A redirect, by the keyboard, and from it a page.
  await page.locator('.article h2').evaluate((shown) => getSelection()?.selectAllChildren(shown))
  await page.getByRole('link', { name: 'old_elm#Bark|the <i>elm</i>' }).press('Enter')
  await expect.poll(heading).toBe('Old elm')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Old elm')
  expect(await page.locator('[aria-selected=true]').textContent()).toContain('Old elm')
  expect(await page.locator('dd').first().textContent()).toBe('Elm')
  await follow('Elm')
  await expect.poll(heading).toBe('Elm')
  await page.getByRole('button', { name: 'Back to Old elm' }).waitFor()
  await follow('Last')
  await page.getByText('“Last” has not been read so far.').waitFor()
  release?.()
  await page.getByText('read to the end').waitFor()
  await follow('Last')
  await expect.poll(heading).toBe('Last')

  // Back by the browser, and forward; the text is scrolled as it was left.
  await page.goBack()
  await expect.poll(heading).toBe('Elm')
  await expect.poll(() => page.locator('.wikitext').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(1000)
  await page.goBack()
  await page.goBack()
  await expect.poll(heading).toBe('Oak')
  await page.goForward()
  await expect.poll(heading).toBe('Old elm')
  await page.getByRole('button', { name: 'Back to Oak' }).click()
  await expect.poll(heading).toBe('Oak')
  await follow('Nowhere')
  await page.getByText('This dump has no page “Nowhere”.').waitFor()

  // A link that leads nowhere does not hold up a page that was chosen before it.
  await page.evaluate(() => {
    document.querySelectorAll<HTMLElement>('.page-row')[2]?.click()
    document.querySelectorAll<HTMLElement>('.wikitext .wiki-link')[2]?.click()
  })
  await expect.poll(heading).toBe('Elm')
  await page.getByRole('option', { name: 'Oak', exact: false }).first().click()
  await expect.poll(heading).toBe('Oak')

  // A section.
  await follow('talk:oak')
  await expect.poll(heading).toBe('Talk:Oak')
  await follow('elm#Bark')
  await expect.poll(heading).toBe('Elm')
  const isAtSection = () =>
    page.locator('.section').evaluate((anchor) => {
      const around = anchor.parentElement as HTMLElement
      return Math.abs(anchor.getBoundingClientRect().top - around.getBoundingClientRect().top)
    })
  await expect.poll(isAtSection).toBeLessThan(20)
  expect(await findViolations(page)).toEqual([])
  expect(await takeScreenshots(page, 'explorer-link-followed')).toEqual([])

  // On a phone, titles stand above charts.
  const top = (name: string) => page.locator(name).evaluate((shown) => shown.getBoundingClientRect().top)
  expect(await top('.charts')).toBeLessThan(await top('.pages'))
  await page.setViewportSize({ width: 400, height: 900 })
  await expect.poll(async () => (await top('.charts')) - (await top('.article'))).toBeGreaterThan(0)
  expect(failures).toEqual([])
})
