// Whether work grows as its input does, and not with the square of it.

import { isComplete } from './extent.ts'

/** Something of any size that is read. */
export interface GrowthShape {
  /** A size that takes some tens of milliseconds. */
  readonly count: number
  /** Gives what reads one of a size. Only that is measured. */
  readonly make: (count: number) => () => Promise<unknown>
}

/** Four times the input takes four times as long where the time is linear, and sixteen times where it is quadratic. */
export const MOST_GROWTH = 9
/** Microseconds from which on a reading takes longer than is needed to compare it. */
const LONG = 100_000
/** Microseconds that are no growth: of what is loaded and compiled, and of collecting garbage. */
const NOISE = 20_000
const ATTEMPTS = 4

/**
 * How many times as long a reading of four times the size takes: the least of some attempts, up to the first that is good. Sizes are smaller where they take
 * long, except in `npm run test:long`. The last attempts are made with larger sizes: a step, such as from a document of one chunk to one of several, is seen
 * at one size only, and a square at every size.
 */
export async function growthOf({ count, make }: GrowthShape): Promise<number> {
  const first = await timeOf(make(count))
  const smallest = isComplete ? count : Math.ceil(count / Math.max(1, first / LONG))
  let least = Number.POSITIVE_INFINITY
  // Other work of the machine can make one of the times longer, but not the same one again and again.
  for (let i = 0; i < ATTEMPTS && least > MOST_GROWTH; i++) {
    const size = i < ATTEMPTS / 2 ? smallest : 4 * smallest
    const once = await timeOf(make(size))
    const fourTimes = await timeOf(make(4 * size))
    least = Math.min(least, (fourTimes - NOISE) / once)
  }
  return least
}

/** Microseconds of the processor. */
async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await read()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
