// What a reading passes from time to time, and waits at while it is closed.

export class Gate {
  #waiting: (() => void) | undefined
  #opened: Promise<void> | undefined

  close(): void {
    this.#opened ??= new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  open(): void {
    this.#waiting?.()
    this.#waiting = undefined
    this.#opened = undefined
  }

  /** Undefined if there is nothing to wait for. */
  passed(): Promise<void> | undefined {
    return this.#opened
  }
}
