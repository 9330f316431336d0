// Says which files of tests are still running after long: what hangs is named before the whole run is ended (.ci/run).

import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Minutes after which a file is named, again and again. */
const LONG = 8

export default class RunningReporter implements Reporter {
  /** When each file that is running was begun, and the test that it came to last. */
  readonly #running = new Map<string, { readonly since: number; test: string }>()
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.#timer = setInterval(() => {
      for (const [file, { since, test }] of this.#running) {
        const minutes = Math.floor((Date.now() - since) / 60_000)
        if (minutes >= LONG) console.log(`still running after ${minutes} minutes: ${file}, ${test}`)
      }
    }, 60_000)
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#running.set(moduleId, { since: Date.now(), test: 'before its tests' })
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const running = this.#running.get(module.moduleId)
    if (running) running.test = fullName
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }
}
