// Pictures of the page in both colour schemes, on a phone and on a large screen, in build/screenshots/, for people to look at.

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../build/screenshots/', import.meta.url))

/** Takes the four pictures, and gives the widths at which the page is wider than its window. */
export async function takeScreenshots(page: Page, name: string): Promise<number[]> {
  mkdirSync(folder, { recursive: true })
  const before = page.viewportSize()
  const tooNarrow: number[] = []
  for (const width of [400, 1400]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(100)
      await page.screenshot({ path: `${folder}${name}-${width}-${colorScheme}.png` })
    }
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) tooNarrow.push(width)
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
  return tooNarrow
}
