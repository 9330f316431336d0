// What the view "Grammar" keeps: permalinks, examples, and texts when another view is opened. In a real browser; skipped where there is no Chromium.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import {
  fill,
  grammarOf,
  inputOf,
  LISTS,
  replace,
  rowsOf,
  type Visit,
  visitGrammar,
  waitForTree,
} from '../support/grammar-page.ts'
import { usePlayground } from '../support/use-playground.ts'

describe.runIf(chromiumPath && isThorough)('the view Grammar', () => {
  const playground = usePlayground()

  const visit = (use: (page: Page) => Promise<void>, how: Visit = {}): Promise<void> =>
    visitGrammar(playground, how, use)

  test('is the same after a reload, by its permalink', () =>
    visit(async (page) => {
      await fill(page, LISTS.replaceAll('program', 'start'), 'ab')
      await page.getByLabel('Begin with the rule').selectOption('word')
      await waitForTree(page)
      // The address changes when nothing was typed for a while.
      await page.waitForTimeout(1000)
      expect(new URL(page.url()).hash).toMatch(/^#grammar\/[\w-]{20,}$/)
      await page.reload()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('ab')
      expect(await page.getByLabel('Begin with the rule').inputValue()).toBe('word')
      expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('Your own')
      expect(await rowsOf(page).first().textContent()).toBe('wordab0–2')
    }))

  test('says that a permalink is damaged, and shows the first example', () =>
    visit(
      async (page) => {
        await page.getByRole('alert').getByText('This link cannot be opened: the link is damaged').waitFor()
        await waitForTree(page)
        expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('Shopping list')
      },
      { address: '/q1YqSc1LSS1KTS_JzEtXsgJR' },
    ))

  test('shows what a link holds that is pasted, and keeps its texts when its tab is clicked', () =>
    visit(async (page) => {
      await waitForTree(page)
      await page.getByLabel('Example').selectOption({ label: 'CSV' })
      await waitForTree(page)
      await page.waitForTimeout(1000)
      const csv = page.url()
      await page.getByLabel('Example').selectOption({ label: 'JSON' })
      await page.waitForTimeout(1000)
      await page.evaluate((url) => location.assign(url), csv)
      await page.getByText('record ( %separator record )*').waitFor()
      await waitForTree(page)
      expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('CSV')

      await replace(inputOf(page), 'a,b')
      await page.waitForTimeout(1000)
      await page.getByRole('link', { name: 'Grammar' }).click()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('a,b')
      await page.waitForFunction(() => location.hash.length > 20)
      await page.getByRole('link', { name: 'Explorer' }).click()
      await page.getByRole('heading', { name: 'Look into XML of any size' }).waitFor()
      await page.getByRole('link', { name: 'Grammar' }).click()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('a,b')
    }))

  test('says that a text is too long for a link, and keeps it for who comes back to it', () =>
    visit(async (page) => {
      await page.getByLabel('Example').selectOption({ label: 'CSV' })
      await page.waitForFunction(() => location.hash.length > 20)
      const csv = page.url()
      let seed = 1
      const input = Array.from({ length: 80_000 }, () => {
        seed = (seed * 48_271) % 2_147_483_647
        return String.fromCharCode(33 + (seed % 90))
      }).join('')
      await replace(inputOf(page), input)
      await page.getByText('Too long for a link').waitFor()
      expect(new URL(page.url()).hash).toBe('#grammar')
      await page.evaluate((url) => location.assign(url), csv)
      await waitForTree(page)
      await page.goBack()
      await page.getByText('Too long for a link').waitFor()
      expect(await inputOf(page).textContent()).toContain(input.slice(0, 40))
      await replace(inputOf(page), '')
      await page
        .getByText('Too long for a link')
        .waitFor({ state: 'detached' })
        .catch(() => {})
      await page.waitForTimeout(1000)
      expect(await page.getByText('Too long for a link').count()).toBe(0)
    }))

  test('has examples, and the inputs of all match', () =>
    visit(async (page) => {
      const example = page.getByLabel('Example')
      const labels = (await example.locator('option:not(:disabled)').allTextContents()).reverse()
      expect(labels.length).toBe(10)
      for (const label of labels) {
        await example.selectOption({ label })
        await waitForTree(page)
        expect(await example.locator('option:checked').textContent()).toBe(label)
      }
      expect(await grammarOf(page).textContent()).toContain('A shopping list')
    }))
})
