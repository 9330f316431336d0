// Fairness, counted in turns of the event loop. How fast the machine is, and how busy others keep it, must not matter: a loop is
// run for a while, and the turns are compared with the processor time that it took.

/** How long a loop is run, in milliseconds. */
const LONG_ENOUGH = 150

/** Milliseconds of work in which a fair loop gives the event loop at least one turn: it aims at 10, the rest is slack. */
const SLACK = 40

interface Turns {
  /** How often a timer fired while the loop ran. */
  turns: number
  /** How often it must have fired for the loop to be fair. */
  fair: number
}

/** Runs a loop that continues until it is asked to end. */
export async function countTurns(loop: (isOver: () => boolean) => Promise<unknown>): Promise<Turns> {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const start = performance.now()
  const processor = process.cpuUsage()
  await loop(() => performance.now() - start > LONG_ENOUGH)
  const elapsed = performance.now() - start
  const { user, system } = process.cpuUsage(processor)
  clearInterval(timer)
  if (elapsed < LONG_ENOUGH) throw new Error(`the loop ended after ${elapsed} ms, which tells nothing`)
  return { turns, fair: Math.min(elapsed, (user + system) / 1000) / SLACK }
}
