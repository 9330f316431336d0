// What holds up the main thread of a page.

import type { Page } from 'playwright-core'

/** Milliseconds that nothing may take at a stretch, so that a page stays quick: the limit of the Long Tasks API. */
export const LONGEST_TASK = 50

/** Begins to observe tasks longer than that, in pages that are opened from now on. */
export async function observeLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { longTasks: tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
  })
}

/** The tasks that were observed since the last time, in milliseconds. */
export async function takeLongTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { longTasks } = globalThis as unknown as { longTasks: number[] }
    return longTasks.splice(0)
  })
}
