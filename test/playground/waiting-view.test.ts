// The view "Waiting" as a visitor uses it. Skipped where there is no Chromium.

import type { Page, Worker } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { findLongTasks } from '../support/long-tasks.ts'
import { takeScreenshots } from '../support/screenshots.ts'
import { usePlayground } from '../support/use-playground.ts'

// Measuring takes seconds each time: npm test leaves it out.
describe.runIf(chromiumPath && isThorough)('the view "Waiting"', () => {
  const playground = usePlayground()
  let page: Page
  /** The worker that measures, or has measured last. Another one is kept for the next time. */
  let measuring: Worker | undefined

  afterEach(() => page.close())

  async function openView(): Promise<void> {
    page = await playground.browser.newPage({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' })
    measuring = undefined
    page.on('worker', (worker) => {
      if (worker.url().includes('waiting-worker')) measuring ??= worker
    })
    await page.goto(`${playground.url}#waiting`)
  }

  const untilDone = () => page.getByText('Done. All ways found the same.').waitFor({ timeout: 120_000 })

  /** What stands in the cells of each way: its label, nanoseconds, times and promises. */
  async function readRows(): Promise<string[][]> {
    const rows = await page.locator('tr.way').all()
    return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()))
  }

  const isWorking = () => measuring !== undefined && page.workers().includes(measuring)

  test('measures all ways by itself, says what it found, and draws it on two scales', async () => {
    await openView()
    await untilDone()
    const rows = await readRows()
    expect(rows).toHaveLength(8)
    for (const [, nanoseconds, times, promises] of rows) {
      expect(Number(nanoseconds)).toBeGreaterThan(0)
      expect(times).toMatch(/^[\d.]+ ×$/)
      expect(promises).toMatch(/^[\d.]+M?$/)
    }
    const timesOf = (label: string) => Number.parseFloat(rows.find(([name]) => name?.includes(label))?.[2] ?? '')
    expect(timesOf('the loop alone')).toBe(1)
    expect(timesOf('await each character')).toBeGreaterThan(3)
    expect(timesOf('await each character')).toBeGreaterThan(timesOf('take it if it is there'))
    expect(timesOf('await each word')).toBeGreaterThan(timesOf('a cursor of xylem'))
    expect(await page.getByText('What your browser says').isVisible()).toBe(true)
    expect(await page.locator('.waiting-text').first().locator('li').count()).toBe(3)
    expect(await page.getByText('its 1,075,211 words and 94,076 lines').isVisible()).toBe(true)
    expect(isWorking()).toBe(false)

    // The floor is in the last row.
    const widths = () => page.locator('.bar').evaluateAll((bars) => bars.map((bar) => bar.clientWidth))
    const linear = await widths()
    await page.getByRole('button', { name: 'logarithmic' }).click()
    const logarithmic = await widths()
    expect(await page.getByRole('button', { name: 'linear', exact: true }).getAttribute('aria-pressed')).toBe('false')
    expect(logarithmic.at(-1)).toBeGreaterThan(2 * (linear.at(-1) ?? 0))
    expect(Math.max(...logarithmic)).toBe(Math.max(...linear))
  })

  test('shows figures one by one, stops when asked, and begins again', async () => {
    await openView()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    // In the page itself: on a slow machine the way to it takes longer than what is left.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const status = document.querySelector('main [role="status"]') as HTMLElement
          const observer = new MutationObserver(() => {
            if (!/^Measuring [3-7] /.test(status.textContent)) return
            observer.disconnect()
            document.querySelector<HTMLButtonElement>('.button.primary')?.click()
            resolve()
          })
          observer.observe(status, { childList: true })
        }),
    )
    expect(await page.getByRole('status').innerText()).toMatch(/^Stopped after [2-6] of 8 ways\.$/)
    await expect.poll(isWorking, { timeout: 30_000 }).toBe(false)
    const measured = (await readRows()).filter(([, nanoseconds]) => nanoseconds !== '–')
    expect(measured.length).toBeGreaterThanOrEqual(2)
    expect(measured.length).toBeLessThan(8)
    expect(await page.getByText('What your browser says').isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Run again' }).click()
    expect((await readRows()).filter(([, nanoseconds]) => nanoseconds !== '–').length).toBeLessThan(measured.length)
    await untilDone()
    expect((await readRows()).every(([, nanoseconds]) => nanoseconds !== '–')).toBe(true)
  })

  test('leaves the page quick while it measures', async () => {
    await openView()
    await untilDone()
    const { long, all } = await findLongTasks(playground.browser, page, async () => {
      await page.getByRole('button', { name: 'Run again' }).click()
      await untilDone()
    })
    expect(long).toEqual([])
    expect(all).toBeGreaterThan(10)
  })

  test('ends its work when another view is chosen', async () => {
    await openView()
    await page.getByText(/^Measuring/).waitFor()
    expect(isWorking()).toBe(true)
    await page.getByRole('link', { name: 'Grammar' }).click()
    await expect.poll(isWorking, { timeout: 30_000 }).toBe(false)
  })

  test('says that a worker cannot be started, and tries again when asked', async () => {
    page = await playground.browser.newPage()
    const address = /waiting-worker/
    await page.route(address, (route) => route.abort())
    await page.goto(`${playground.url}#waiting`)
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toBe(
      'The measurement failed: the worker could not be started. Run it again; if it fails again, your browser may not allow workers here.',
    )
    await page.unroute(address)
    await page.getByRole('button', { name: 'Run again' }).click()
    await untilDone()
    expect(await alert.isVisible()).toBe(false)
  })

  test('is accessible and fits all widths, in both colour schemes', async () => {
    await openView()
    await untilDone()
    expect(await takeScreenshots(page, 'waiting')).toEqual([])
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await takeScreenshots(page, 'waiting-code')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page), colorScheme).toEqual([])
    }
  })

  test('works in the page that is one file, opened from a disk', async () => {
    page = await playground.browser.newPage()
    await page.goto(`${new URL('../../build/playground.html', import.meta.url)}#waiting`)
    await untilDone()
    expect(await readRows()).toHaveLength(8)
  })
})
