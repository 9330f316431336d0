// Ctrl-C and SIGTERM: work is stopped in an orderly way, everything is closed, and the exit code shows the signal.

import { noteError } from './outcome.ts'

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/** Turns signals into an abort. A second signal ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController()
  #code: number | undefined
  readonly #listeners: [NodeJS.Signals, () => void][] = []

  constructor() {
    for (const [name, code] of Object.entries(SIGNALS) as [NodeJS.Signals, number][]) {
      const listener = () => {
        if (this.#code !== undefined) process.exit(code)
        this.#code = code
        const message = `interrupted by ${name}`
        noteError({ message, code: 'interrupted' })
        this.#controller.abort(new Error(message))
      }
      process.on(name, listener)
      this.#listeners.push([name, listener])
    }
  }

  /** Aborts at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit code of the signal that came, or undefined. */
  get exitCode(): number | undefined {
    return this.#code
  }

  /** Stops listening. */
  release(): void {
    for (const [name, listener] of this.#listeners) process.off(name, listener)
  }
}
