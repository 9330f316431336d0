// Loops over asynchronous steps that differ in how often they let the event loop turn.

import { watchLoop } from '../loop-watch.ts'
import type { LoopSample } from './job.ts'

type Loop = (steps: number) => Promise<number>

/** The hybrid by count turns after every so many steps, as in the study. */
const STEPS_PER_TURN = 10

/** The hybrid by time turns when this many milliseconds have passed since the last turn, as xylem does. */
const LONGEST_SLICE = 10

/** The loops by their names. */
export const loops: Readonly<Record<string, Loop>> = {
  synchronous: loopSynchronously,
  'promise chain': loopAwaiting,
  'a turn per step': loopTurning,
  [`a turn per ${STEPS_PER_TURN} steps`]: loopTurningByCount,
  [`a turn per ${LONGEST_SLICE} ms`]: loopTurningByTime,
}

export async function measureLoop(name: string, steps: number): Promise<LoopSample> {
  const loop = loops[name]
  if (!loop) throw new RangeError(`there is no loop named ${name}`)
  let seconds = 0
  let result = 0
  const delay = await watchLoop(async () => {
    const start = performance.now()
    result = await loop(steps)
    seconds = (performance.now() - start) / 1000
  })
  return { seconds, result, delay }
}

/** Some work, about 20 ns of it: 16 rounds of a shift register. Its last state shows whether every step was made once. */
function step(state: number): number {
  let next = state
  for (let round = 0; round < 16; round++) {
    next ^= next << 13
    next ^= next >>> 17
    next ^= next << 5
  }
  return next
}

async function stepLater(state: number): Promise<number> {
  return step(state)
}

/**
 * One turn by one immediate, as in the study. The first slice of a loop that begins in a timer's callback is followed by a second
 * one before timers are looked at: immediates come first in that turn. So the longest wait of the hybrid by time is two slices.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function loopSynchronously(steps: number): Promise<number> {
  let state = 1
  for (let i = 0; i < steps; i++) state = step(state)
  return state
}

async function loopAwaiting(steps: number): Promise<number> {
  let state = 1
  for (let i = 0; i < steps; i++) state = await stepLater(state)
  return state
}

async function loopTurning(steps: number): Promise<number> {
  let state = 1
  for (let i = 0; i < steps; i++) {
    state = await stepLater(state)
    await turn()
  }
  return state
}

async function loopTurningByCount(steps: number): Promise<number> {
  let state = 1
  for (let i = 0; i < steps; i++) {
    state = await stepLater(state)
    if (i % STEPS_PER_TURN === 0) await turn()
  }
  return state
}

async function loopTurningByTime(steps: number): Promise<number> {
  let state = 1
  let lastTurn = performance.now()
  for (let i = 0; i < steps; i++) {
    state = await stepLater(state)
    if (performance.now() - lastTurn < LONGEST_SLICE) continue
    await turn()
    lastTurn = performance.now()
  }
  return state
}
