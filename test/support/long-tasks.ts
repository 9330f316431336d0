// What holds up the main thread of a page.

import type { Browser, Page } from 'playwright-core'

/** Milliseconds of a processor that no task of a page may take: twice the limit of the Long Tasks API. On a slow machine, a task with a collection of garbage takes 51 to 68. */
const LONGEST_TASK = 100

/** For tests of long tasks: the browser may collect garbage for long once, but not each time. */
export const RETRIES = { retry: 2 }

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread: a machine that is busy with other things does not count. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Milliseconds that the longest tasks of the main thread took while something was done, those of more than {@link LONGEST_TASK} alone; `all` counts all
 * tasks that were seen.
 */
export async function findLongTasks(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<{ readonly long: readonly number[]; readonly all: number }> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  let trace: Buffer
  try {
    await act()
    // The answer to a page's last call is sent from inside of its task, and a task that has not ended when the trace does has no duration.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)))
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const isMain = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && isMain.has(`${pid}:${tid}`))
  const durations = tasks.map(({ tdur = 0 }) => tdur / 1000)
  return { long: durations.filter((duration) => duration > LONGEST_TASK), all: durations.filter(Boolean).length }
}
