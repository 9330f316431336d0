// What is said at the end of how dumps were read: what was counted, and what the process took.

import type { DumpReport } from '../../mediawiki/lines/record-counters.ts'
import { alignNames } from '../terminal/word-list.ts'
import { describeUse, type RangeUse } from '../workers/range-use.ts'

export interface DumpStatistics extends DumpReport, RangeUse {
  /** Characters that were replaced, because XML does not allow them. */
  readonly replaced: number
  /** What could not be read. */
  readonly faults: number
}

/** Measures from here on the time, and how late the event loop is. What it returns describes that, with what was counted, in lines. */
export async function measure(): Promise<(counts: Partial<DumpStatistics>, bytesRead: number) => string[]> {
  const { monitorEventLoopDelay } = await import('node:perf_hooks')
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const start = performance.now()
  return (counts, bytesRead) => {
    const seconds = (performance.now() - start) / 1000
    delay.disable()
    const megabytes = bytesRead / 1e6
    const count = (name: keyof DumpStatistics) => (counts[name] ?? 0).toLocaleString('en')
    return alignNames([
      ['pages', count('pages')],
      ['revisions', count('revisions')],
      ['redirects', count('redirects')],
      ['texts missing', `${count('missingTexts')} (empty in the dump, but with a size above 0)`],
      ['suppressed', count('suppressed')],
      ['characters replaced', count('replaced')],
      ['errors skipped', count('faults')],
      ...describeUse(counts),
      ['read', `${megabytes.toFixed(1)} MB in ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s`],
      ['memory', `${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB at the peak`],
      [
        'event loop',
        `${(delay.max / 1e6).toFixed(0)} ms late at most, ${(delay.mean / 1e6).toFixed(0)} ms in the mean`,
      ],
    ])
  }
}
