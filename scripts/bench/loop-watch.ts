// The latency of the event loop while something runs, seen in two ways: by timers of our own that are set for 1 ms, one after the
// other, and by Node's `monitorEventLoopDelay`, which samples in native code.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoopDelay {
  /** Timers set for 1 ms that fired while it ran. 0: the event loop did not turn at all. */
  readonly timersFired: number
  /** What such a timer waited, in ms, those included that were due while it ran but fired only after it. */
  readonly meanWait: number
  readonly longestWait: number
  /** The longest time between two samples of `monitorEventLoopDelay`, in ms, with the millisecond that is meant to lie there. */
  readonly longestSample: number
}

const RESOLUTION = 1

/** Runs `work` and watches the event loop meanwhile. */
export async function watchLoop(work: () => Promise<void>): Promise<LoopDelay> {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION })
  monitor.enable()
  // The monitor notes differences: without two samples before the work, a loop that stands still would leave no trace in it.
  await sleep(5 * RESOLUTION)
  const waits: number[] = []
  const timers = startTimers(waits)
  await work()
  const timersFired = waits.length
  timers.stop()
  await sleep(5 * RESOLUTION)
  monitor.disable()
  return {
    timersFired,
    meanWait: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    longestWait: Math.max(...waits),
    longestSample: monitor.max / 1e6,
  }
}

/** Adds to `waits` what each timer waited. The one that is set when they are stopped still counts. */
function startTimers(waits: number[]): { stop(): void } {
  let stopped = false
  let setAt = performance.now()
  const fire = () => {
    const now = performance.now()
    waits.push(now - setAt)
    if (stopped) return
    setAt = now
    setTimeout(fire, 1)
  }
  setTimeout(fire, 1)
  return {
    stop() {
      stopped = true
    },
  }
}
