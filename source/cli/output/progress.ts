// A line on the terminal that tells how far long work has come. Nothing is printed when standard error is not a terminal.

import type { Progress } from '../../stream/sources/source-reader.ts'
import { canReplaceLine, replaceLine } from '../terminal/terminal.ts'
import { isStandardOutput } from './output.ts'

/** Milliseconds between two states of the line. */
const INTERVAL = 200

/** Whether progress may be shown: where results scroll over the same terminal, a line about them would be in the way. */
export function showsProgress({ quiet, output }: { quiet?: true | undefined; output?: string | undefined }): boolean {
  return !quiet && (!isStandardOutput(output) || !process.stdout.isTTY)
}

export class ProgressLine {
  readonly #isShown: boolean
  readonly #start: number
  readonly #noun: string
  #lastShown: number

  /** `isWanted` false: nothing is printed. `noun` is what is counted. */
  constructor(isWanted: boolean, noun = 'pages') {
    this.#noun = noun
    this.#isShown = isWanted && canReplaceLine()
    this.#start = this.#isShown ? performance.now() : 0
    this.#lastShown = this.#start
  }

  /** Shows how far the source is read, and how many things came of it. Cheap when it is not time yet. */
  update(progress: Progress, count: number): void {
    if (!this.#isShown) return
    const now = performance.now()
    if (now - this.#lastShown < INTERVAL) return
    this.#lastShown = now
    const seconds = (now - this.#start) / 1000
    replaceLine(describeProgress(progress, count, seconds, this.#noun))
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isShown) replaceLine('')
  }
}

/**
 * `12.3 of 45.6 MB (27 %), 1,234 pages, 5.6 MB/s, 6 s left`. The source is read ahead of the work. So there is no share where all of it
 * is read: how much work is left is not known then.
 */
export function describeProgress(
  { bytesRead, totalBytes }: Progress,
  count: number,
  seconds: number,
  noun = 'pages',
): string {
  const rate = bytesRead / seconds
  const counts = `${count.toLocaleString('en')} ${noun}, ${megabytes(rate)} MB/s`
  if (totalBytes === undefined) return `${megabytes(bytesRead)} MB, ${counts}`
  if (bytesRead >= totalBytes) return `all ${megabytes(bytesRead)} MB read, ${counts}`
  const share = Math.floor((100 * bytesRead) / totalBytes)
  const left = rate === 0 ? '' : `, ${duration((totalBytes - bytesRead) / rate)} left`
  return `${megabytes(bytesRead)} of ${megabytes(totalBytes)} MB (${share} %), ${counts}${left}`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
