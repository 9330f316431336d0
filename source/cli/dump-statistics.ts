// What is counted while dumps are read, and how it is told at the end.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import type { RecordLines } from './record-lines.ts'
import type { Verdict } from './verification.ts'

export class DumpStatistics {
  pages = 0
  revisions = 0
  redirects = 0
  /** Revisions without a text, of which the dump says that they have one. */
  missingTexts = 0
  /** Revisions whose text, or whose author, is suppressed. */
  suppressed = 0
  /** Characters that were replaced, because XML does not allow them. */
  replaced = 0
  /** What could not be read. */
  faults = 0
  /** Compressed bytes that were read. */
  bytesRead = 0
  readonly verdicts: Record<Verdict, number> = { same: 0, unknown: 0, explained: 0, different: 0 }
  readonly #start = performance.now()
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })

  constructor() {
    this.#delay.enable()
  }

  /** Counts what lines are about. */
  add({ pages, revisions, redirects, missingTexts, suppressed, verification }: RecordLines): void {
    this.pages += pages
    this.revisions += revisions
    this.redirects += redirects
    this.missingTexts += missingTexts
    this.suppressed += suppressed
    if (!verification) return
    for (const verdict of Object.keys(this.verdicts) as Verdict[]) {
      this.verdicts[verdict] += verification.verdicts[verdict]
    }
  }

  /** Lines of a name and a value each. `isVerified`: whether texts were compared. */
  describe(isVerified: boolean): string {
    const seconds = (performance.now() - this.#start) / 1000
    this.#delay.disable()
    const lines: [string, string][] = [
      ['pages', count(this.pages)],
      ['revisions', count(this.revisions)],
      ['redirects', count(this.redirects)],
      ['texts missing', `${count(this.missingTexts)} (empty in the dump, but with a size)`],
      ['suppressed', count(this.suppressed)],
      ['characters replaced', count(this.replaced)],
      ['faults passed over', count(this.faults)],
    ]
    if (isVerified) {
      const { same, unknown, explained, different } = this.verdicts
      lines.push(
        ['hashes equal', count(same)],
        ['hashes different', `${count(different)}, and ${count(explained)} of texts that the dump has changed`],
        ['without a hash', count(unknown)],
      )
    }
    lines.push(
      [
        'read',
        `${(this.bytesRead / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, ${(this.bytesRead / 1e6 / seconds).toFixed(1)} MB/s`,
      ],
      ['memory', `${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB at most`],
      [
        'event loop',
        `${(this.#delay.max / 1e6).toFixed(0)} ms late at most, ${(this.#delay.mean / 1e6).toFixed(0)} ms in the mean`,
      ],
    )
    const width = Math.max(...lines.map(([name]) => name.length))
    return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
  }
}

function count(value: number): string {
  return value.toLocaleString('en')
}
