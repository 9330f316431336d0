// A condition variable: those who wait for a state to change stand in it, and whoever changes the state wakes them.

/** Options for waiting. */
export interface WaitOptions {
  /** Rejects the wait with `signal.reason` when it aborts. */
  signal?: AbortSignal | undefined
  /** Milliseconds after which the wait rejects with a `DOMException` named `TimeoutError`. Infinity (the default): never. */
  timeout?: number | undefined
}

interface Waiter {
  resolve(): void
  reject(reason: unknown): void
}

/** The `RangeError` for a timeout that is not a number of milliseconds from 0; undefined for one that is. */
export function findTimeoutError(timeout: number): (RangeError & { code: 'invalid-option' }) | undefined {
  if (typeof timeout === 'number' && timeout >= 0) return undefined
  const message = `timeout must be a number of milliseconds of at least 0, not ${String(timeout)}`
  return Object.assign(new RangeError(message), { code: 'invalid-option' as const })
}

// Timers hold a signed 32-bit number of milliseconds; a larger one would fire at once. Longer waits are cut to this, 24.8 days.
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * A condition variable for promises. It knows nothing of the condition: wait in a loop that tests it.
 *
 * ```ts
 * import { PromiseQueue } from 'xylem/stream'
 *
 * const queue = new PromiseQueue()
 * let isReady = false
 * setTimeout(() => {
 *   isReady = true
 *   queue.wakeAll()
 * }, 100)
 * while (!isReady) await queue.wait({ timeout: 1000 })
 * ```
 *
 * A waiter that leaves early (abort, timeout) is removed in constant time; no timer and no listener remain.
 */
export class PromiseQueue {
  #waiting = new Set<Waiter>()

  /** The number of waiters. */
  get size(): number {
    return this.#waiting.size
  }

  /**
   * Waits until the next `wakeAll` (resolves) or `failAll` (rejects with its reason).
   *
   * Rejects with `signal.reason` when the signal aborts or has aborted, with a `DOMException` named `TimeoutError` after
   * `timeout` milliseconds, and with a `RangeError` with the code `invalid-option` for a timeout that is negative or not a number.
   */
  wait(options: WaitOptions = {}): Promise<void> {
    const { signal, timeout = Number.POSITIVE_INFINITY } = options
    const fault = findTimeoutError(timeout)
    if (fault) return Promise.reject(fault)
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const leave = () => {
        this.#waiting.delete(waiter)
        if (timer !== undefined) clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        resolve() {
          leave()
          resolve()
        },
        reject(reason) {
          leave()
          reject(reason)
        },
      }
      const abort = () => waiter.reject(signal?.reason)
      this.#waiting.add(waiter)
      signal?.addEventListener('abort', abort)
      if (timeout !== Number.POSITIVE_INFINITY) {
        const expire = () =>
          waiter.reject(new DOMException(`nothing happened within ${Math.round(timeout)} ms`, 'TimeoutError'))
        timer = setTimeout(expire, Math.min(timeout, LONGEST_TIMER))
      }
    })
  }

  /** Wakes all current waiters. A wait that begins during this call waits for the next call. */
  wakeAll(): void {
    if (this.#waiting.size === 0) return
    for (const waiter of this.#takeAll()) waiter.resolve()
  }

  /** Rejects all current waiters with `reason`. */
  failAll(reason: unknown): void {
    for (const waiter of this.#takeAll()) waiter.reject(reason)
  }

  // The set is swapped first: an abort listener that runs user code on the way must not add to the set being walked.
  #takeAll(): Set<Waiter> {
    const waiting = this.#waiting
    this.#waiting = new Set()
    return waiting
  }
}
