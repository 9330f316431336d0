// What is held open, so that tests can see that nothing is left.

import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { settle } from './sources.ts'

/**
 * Runs a test that can ask how many of the timers are left that were set in it. (Counting those of the process would count those
 * of the test runner, which come and go.)
 */
export async function watchTimers(act: (left: () => number) => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis
  const left = new Set<unknown>()
  globalThis.setTimeout = ((callback: () => void, milliseconds?: number) => {
    const timer = setTimeout(() => {
      left.delete(timer)
      callback()
    }, milliseconds)
    left.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    left.delete(timer)
    clearTimeout(timer)
  }
  try {
    await act(() => left.size)
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}

/** How many times the process has a file open. (All its files together would count those of the test runner, which come and go.) */
export function countOpen(path: string): number {
  const file = realpathSync(path)
  return readdirSync('/proc/self/fd').filter((descriptor) => readTarget(descriptor) === file).length
}

/** What an open file is, or undefined when it was closed meanwhile. */
function readTarget(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

/** Waits until a test holds, or for so many milliseconds: for what happens soon, but at no moment that could be awaited. */
export async function until(test: () => boolean, patience = 5000): Promise<void> {
  const start = performance.now()
  while (!test() && performance.now() - start < patience) await sleep(2)
}

/** Has everything collected that nobody refers to. */
export async function collectGarbage(): Promise<void> {
  if (!global.gc) throw new Error('the tests need --expose-gc')
  // What one collection finds, newer engines sweep with the next.
  for (let round = 0; round < 3; round++) {
    await settle()
    global.gc()
  }
  await settle()
}

/** The signal of a controller of its own, and how many listeners it has. */
export function watchSignal(): { controller: AbortController; signal: AbortSignal; listeners: () => number } {
  const controller = new AbortController()
  const { signal } = controller
  const listening = new Set<unknown>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    listening.add(args[1])
    add(...args)
  }) as typeof signal.addEventListener
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    listening.delete(args[1])
    remove(...args)
  }) as typeof signal.removeEventListener
  return { controller, signal, listeners: () => listening.size }
}
