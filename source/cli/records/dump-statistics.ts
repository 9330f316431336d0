// What is counted while dumps are read, and how it is reported at the end.

import type { IntervalHistogram } from 'node:perf_hooks'
import { describeUse, type RangeUse } from '../workers/range-use.ts'
import type { RecordLines } from './record-lines.ts'
import { startVerdicts, VERDICTS, type Verdict } from './verdicts.ts'

/** Changes after which the texts have their hash when they are undone, in words; and those for which the dump does not have what is needed. */
const PROVED: readonly (readonly [verdict: Verdict, words: string])[] = [
  ['line-ends', 'by line ends (the hash is of the text with CR LF, or CR)'],
  ['decomposed', 'by normalisation to NFC (the hash is of the decomposed text)'],
]
const UNPROVED: typeof PROVED = [
  ['replaced', 'may have replaced characters (U+FFFD)'],
  ['left-out', 'may lack carriage returns'],
  ['normalised', 'may be normalised to NFC'],
]

/** How many texts have a kind of verdicts, and that in words. */
interface Sum {
  readonly sum: number
  readonly text: string
}

export class DumpStatistics {
  pages = 0
  revisions = 0
  redirects = 0
  /** Revisions without a text though the dump says that they have one. */
  missingTexts = 0
  /** Revisions whose text, or whose author, is suppressed. */
  suppressed = 0
  /** Characters that were replaced, because XML does not allow them. */
  replaced = 0
  /** What could not be read. */
  faults = 0
  /** Ranges of files, and bytes of them that were read again. */
  readonly use: RangeUse = { ranges: 0, readAgain: 0 }
  /** Compressed bytes that were read. */
  bytesRead = 0
  readonly verdicts: Record<Verdict, number> = startVerdicts()
  #start = 0
  #delay: IntervalHistogram | undefined

  /** Measures from here on the time, and how late the event loop is. To be said before `describe`. */
  async measure(): Promise<void> {
    const { monitorEventLoopDelay } = await import('node:perf_hooks')
    this.#delay = monitorEventLoopDelay({ resolution: 10 })
    this.#delay.enable()
    this.#start = performance.now()
  }

  /** Counts what lines are about. */
  add({ pages, revisions, redirects, missingTexts, suppressed, verification }: RecordLines): void {
    this.pages += pages
    this.revisions += revisions
    this.redirects += redirects
    this.missingTexts += missingTexts
    this.suppressed += suppressed
    if (!verification) return
    for (const verdict of VERDICTS) this.verdicts[verdict] += verification.verdicts[verdict]
  }

  /** What comparing texts has shown, in lines of a name and a value each. */
  describeVerification(): string {
    const { equal, different, 'no-text': noText, 'no-hash': noHash } = this.verdicts
    const [proved, unproved] = [PROVED, UNPROVED].map((table) => {
      const found = table.filter(([verdict]) => this.verdicts[verdict] > 0)
      const parts = found.map(([verdict, words]) => `${count(this.verdicts[verdict])} ${words}`)
      const sum = found.reduce((total, [verdict]) => total + this.verdicts[verdict], 0)
      return { sum, text: describeParts(count(sum), parts) }
    }) as [Sum, Sum]
    return formatLines([
      ['texts compared', count(equal + different + proved.sum + unproved.sum)],
      ['equal', count(equal)],
      ['explained', proved.text],
      ['not proved', unproved.text],
      ['different', count(different)],
      [
        'not comparable',
        `${count(noText + noHash)} (${count(noText)} without a text, ${count(noHash)} without a hash)`,
      ],
    ])
  }

  /** Lines of a name and a value each. */
  describe(): string {
    const seconds = (performance.now() - this.#start) / 1000
    this.#delay?.disable()
    const { max = 0, mean = 0 } = this.#delay ?? {}
    const lines: [string, string][] = [
      ['pages', count(this.pages)],
      ['revisions', count(this.revisions)],
      ['redirects', count(this.redirects)],
      ['texts missing', `${count(this.missingTexts)} (empty in the dump, but with a size above 0)`],
      ['suppressed', count(this.suppressed)],
      ['characters replaced', count(this.replaced)],
      ['errors skipped', count(this.faults)],
      ...describeUse(this.use),
    ]
    lines.push(
      [
        'read',
        `${(this.bytesRead / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, ${(this.bytesRead / 1e6 / seconds).toFixed(1)} MB/s`,
      ],
      ['memory', `${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB at the peak`],
      ['event loop', `${(max / 1e6).toFixed(0)} ms late at most, ${(mean / 1e6).toFixed(0)} ms in the mean`],
    )
    return formatLines(lines)
  }
}

function formatLines(lines: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

function count(value: number): string {
  return value.toLocaleString('en')
}

/** `5: 3 of this, 2 of that`. */
function describeParts(total: string, parts: readonly string[]): string {
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`
}
