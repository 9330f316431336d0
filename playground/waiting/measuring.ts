// Measures one way of reading: how long it takes for a character.

import { type Answer, Counter, isSameAnswer } from './counter.ts'
import type { Measured } from './protocol.ts'
import { readings } from './readings.ts'
import { streamChunks } from './text.ts'
import type { WayName } from './ways.ts'

/** Milliseconds that a run may take; slower ways read a part of the text. */
const LONGEST_RUN = 200
/** Chunks of the runs before, by which the browser gets to know the code and makes it fast; and for how many milliseconds at least. As often at least as is measured. */
const WARM_UP = 4
const LONG_ENOUGH = 60
const RUNS = 5

/** Throws an `Error` if the way has not found what the others find. */
export async function measureWay(way: WayName, chunks: readonly Uint8Array[]): Promise<Measured> {
  const first = chunks.slice(0, WARM_UP)
  const part = chunks.slice(0, chooseChunks(chunks.length, first.length, await warmUp(way, first)))
  const expected = countPlainly(part)
  let best = Number.POSITIVE_INFINITY
  let awaited = 0
  for (let run = 0; run < RUNS; run++) {
    const { milliseconds, count } = await readOnce(way, part)
    if (!isSameAnswer(count.answer, expected)) {
      throw new Error(`${way} found ${JSON.stringify(count.answer)}, and not ${JSON.stringify(expected)}`)
    }
    best = Math.min(best, milliseconds)
    awaited = count.awaited
  }
  const share = expected.characters / countLength(chunks)
  return { way, nanoseconds: (best * 1e6) / expected.characters, share, promises: Math.round(awaited / share) }
}

/** How many chunks to read, by what some of them took: all, or as many as take {@link LONGEST_RUN}. */
export function chooseChunks(all: number, measured: number, milliseconds: number): number {
  const fitting = Math.round((LONGEST_RUN / Math.max(milliseconds, 0.1)) * measured)
  return Math.min(all, Math.max(WARM_UP, fitting))
}

/** What is in chunks, found in another way than by those that are measured. */
export function countPlainly(chunks: readonly Uint8Array[]): Answer {
  const decoder = new TextDecoder()
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
  return { characters: text.length, words: text.match(/[ \n]/g)?.length ?? 0, lines: text.split('\n').length - 1 }
}

/** Reads a few chunks again and again. Gives how many milliseconds the fastest run took. */
async function warmUp(way: WayName, chunks: readonly Uint8Array[]): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let [spent, runs] = [0, 0]; spent < LONG_ENOUGH || runs < RUNS; runs++) {
    const { milliseconds } = await readOnce(way, chunks)
    best = Math.min(best, milliseconds)
    // Clocks of browsers are coarse: a run may seem to take nothing.
    spent += Math.max(milliseconds, 1)
  }
  return best
}

async function readOnce(
  way: WayName,
  chunks: readonly Uint8Array[],
): Promise<{ milliseconds: number; count: Counter }> {
  const count = new Counter()
  const stream = streamChunks(chunks)
  const start = performance.now()
  await readings[way](stream, count, chunks)
  return { milliseconds: performance.now() - start, count }
}

function countLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
