// How long something was done, without the pauses.

export class Stopwatch {
  #before = 0
  #since: number | undefined = performance.now()

  get seconds(): number {
    const running = this.#since === undefined ? 0 : performance.now() - this.#since
    return (this.#before + running) / 1000
  }

  pause(): void {
    this.#before = this.seconds * 1000
    this.#since = undefined
  }

  resume(): void {
    this.#since ??= performance.now()
  }
}
