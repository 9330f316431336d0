// The page where the browser has colours of its own for everything, and leaves out backgrounds. Skipped where there is no Chromium.

import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath } from '../support/browser.ts'
import { useExplorer } from '../support/explorer-page.ts'
import { isThorough } from '../support/extent.ts'

describe.runIf(chromiumPath && isThorough)('with forced colours', () => {
  let page: Page
  useExplorer(
    (opened) => {
      page = opened
    },
    { forcedColors: 'active' },
  )

  const outlineOf = (place: Locator) => place.evaluate((found) => getComputedStyle(found).outlineStyle)

  test('what is selected, pressed or marked has an outline, and bars have their colours', async () => {
    await page.getByRole('button', { name: 'a small wiki (bzip2)' }).click()
    await page.getByRole('option', { name: 'Wood' }).click()
    expect(await outlineOf(page.getByRole('option', { name: 'Wood' }))).toBe('solid')
    expect(await outlineOf(page.getByRole('option', { name: 'Xylem', exact: false }).first())).toBe('none')
    await page.getByRole('link', { name: 'Grammar', exact: true }).click()
    await page.getByRole('treeitem').first().hover()
    expect(await outlineOf(page.locator('.grammar-editor-input .grammar-mark').first())).toBe('solid')
    await page.getByRole('link', { name: 'Waiting', exact: true }).click()
    expect(await outlineOf(page.getByRole('button', { name: 'linear' }))).toBe('solid')
    await page.getByRole('button', { name: 'Stop' }).click()
    const colours = await page
      .locator('.key')
      .evaluateAll((keys) => keys.map((key) => getComputedStyle(key).backgroundColor))
    expect(new Set(colours).size).toBe(2)
  })
})
