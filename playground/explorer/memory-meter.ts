// How much memory the page takes, as far as the browser says it.

import { formatBytes } from '../shell/numbers.ts'

/** What some browsers have, and others do not. */
interface MeasuresMemory {
  /** Chromium, on pages that are isolated from others: everything of the page and its workers. */
  measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>
  /** Chromium: the objects of the page, without its workers. */
  readonly memory?: { readonly usedJSHeapSize: number }
}

/** Milliseconds between two measurements of everything, each of which may take the browser long. */
const MEASURE_EVERY = 2000

/** Measures from time to time, and keeps the highest value. */
export class MemoryMeter {
  readonly #performance = performance as MeasuresMemory
  #most = 0
  #isMeasuring = false
  #measured = Number.NEGATIVE_INFINITY

  sample(): void {
    const { memory } = this.#performance
    if (this.#performance.measureUserAgentSpecificMemory) void this.#measure()
    else if (memory) this.#most = Math.max(this.#most, memory.usedJSHeapSize)
  }

  /** What was measured, as a sentence says it; undefined where the browser does not say it. */
  get text(): string | undefined {
    if (this.#most === 0) return undefined
    const most = formatBytes(this.#most)
    return this.#performance.measureUserAgentSpecificMemory
      ? `The page with its workers took at most ${most}, says the browser.`
      : `The objects of the page took at most ${most}, without those of the worker that reads, says the browser.`
  }

  async #measure(): Promise<void> {
    if (this.#isMeasuring || performance.now() - this.#measured < MEASURE_EVERY) return
    this.#isMeasuring = true
    this.#measured = performance.now()
    try {
      const { bytes } = (await this.#performance.measureUserAgentSpecificMemory?.()) ?? { bytes: 0 }
      this.#most = Math.max(this.#most, bytes)
    } catch {
      // The page is closed, or its policy forbids it.
    }
    this.#isMeasuring = false
  }
}
