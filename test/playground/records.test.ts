// The records that the Explorer proposes for a document, as a person finds them in Chromium. Skipped where there is none.

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, launchBrowser, startServer } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { servePlayground } from '../support/playground.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const map = readFileSync(new URL('../../fixtures/recipes/map.osm', import.meta.url))

test.runIf(chromiumPath && isThorough)('the first records are shown without a click, and can be changed', async () => {
  const [browser, playground] = await Promise.all([launchBrowser(), servePlayground()])
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, permissions })
  page.setDefaultTimeout(15_000)
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  const held: (() => void)[] = []
  let last = '<item n="2"><late>b</late></item></list>'
  const release = () => {
    for (const end of held.splice(0)) end()
  }
  const openList = async () => {
    await page.getByRole('button', { name: 'Open another' }).click()
    await page.getByLabel('or open an address:').fill(`${server.url}list.xml`)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('The first 10 records.').waitFor()
    expect(await heads()).toEqual(['n', 't'])
  }
  const server = await startServer((_, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.write(`<list>${'<item n="1"><t>a</t></item>'.repeat(12)}${' '.repeat(100_000)}`)
    held.push(() => response.end(last))
  })
  onTestFinished(async () => {
    await browser.close()
    playground.close()
    server.close()
  })
  const cells = (row: number) => page.locator('.list-row.record-row').nth(row).getByRole('cell').allTextContents()
  const heads = () => page.getByRole('columnheader').allTextContents()

  await page.goto(playground.url)
  await page.setInputFiles('#file', { name: "Ada's map.osm", mimeType: 'text/xml', buffer: map })
  await page.getByRole('heading', { name: 'Records of /osm/node' }).waitFor()
  await page.getByText('3 records.').waitFor()
  expect(await heads()).toEqual(['id', 'lat', 'lon', 'version', 'timestamp', 'user', 'uid', 'k', 'v'])
  await expect.poll(async () => (await cells(1)).at(-1)).toBe('tree · The Oak · Quercus robur')
  // The table is seen without scrolling.
  const { y = 900, height = 0 } = (await page.locator('.records').boundingBox()) ?? {}
  expect(y + height).toBeLessThan(900)
  expect(await page.getByRole('button', { name: 'Read all records' }).isVisible()).toBe(false)

  // A field less: the rows, the command and the program follow.
  await page.getByRole('checkbox', { name: '@lat' }).uncheck()
  await expect.poll(heads).not.toContain('lat')
  await page.getByText('On the command line', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await page.getByText('Copied.').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toContain(`npx xylem select /osm/node 'Ada'\\''s map.osm' \\\n  --field id=@id \\\n`)
  expect(command).not.toContain('@lat')
  await page.getByText('As a program', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy the program' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('records("/osm/node", shape)')
  expect(await findViolations(page)).toEqual([])
  expect(await takeScreenshots(page, 'explorer-records')).toEqual([])

  // Another element.
  await page.getByRole('button', { name: 'Use as record: osm/way/nd', exact: true }).click()
  await page.getByRole('heading', { name: 'Records of /osm/way/nd' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Table of records')
  await expect.poll(() => cells(2)).toEqual(['3'])
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  await page.getByText('Choose at least one field.').waitFor()
  expect(await page.getByRole('table', { name: 'Records' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true)
  expect(await findViolations(page)).toEqual([])

  // While a document comes, the proposal has what was seen; at its end also what came late.
  await openList()
  release()
  await expect.poll(heads).toEqual(['n', 't', 'late'])

  // Fields that were chosen early become lists where a record has several of them, and what came late can be chosen.
  await openList()
  await page.getByText('Fields seen so far').waitFor()
  await page.getByRole('checkbox', { name: '@n' }).uncheck()
  last = '<item><t>b</t><t>c</t><late>d</late></item></list>'
  release()
  await page.getByRole('checkbox', { name: 'late' }).waitFor()
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('@n')
  expect(await heads()).toEqual(['t'])
  await page.getByText('On the command line', { exact: true }).click()
  expect(await page.getByLabel('command', { exact: true }).textContent()).toContain("--field 't[]=t'")
  last = '<item n="2"><late>b</late></item></list>'

  // Who has all records read keeps their shape.
  await openList()
  await page.getByRole('button', { name: 'Read all records' }).click()
  await page.getByText('12 records so far.').waitFor()
  release()
  await page.getByText('13 records.').waitFor()
  await page.getByText('read to the end').waitFor()
  expect(await heads()).toEqual(['n', 't'])
  expect(failures).toEqual([])
})
