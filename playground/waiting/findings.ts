// What the figures say, in sentences.

import { formatCount } from '../shell/numbers.ts'
import { formatNanoseconds, formatTimes } from './bars.ts'
import type { Measured } from './protocol.ts'
import { FLOOR, type WayName } from './ways.ts'

/** Those sentences for which everything was measured. */
export function describeFindings(measured: ReadonlyMap<WayName, Measured>): string[] {
  const floor = measured.get(FLOOR)?.nanoseconds
  const awaited = measured.get('await-character')
  const peeked = measured.get('peek-character')
  const word = measured.get('await-word')
  const generated = measured.get('generate-word')
  const cursor = measured.get('peek-word')
  const sentences: string[] = []
  if (floor !== undefined && awaited) {
    const added = formatNanoseconds(Math.max(0, awaited.nanoseconds - floor))
    sentences.push(
      `Here, awaiting each character takes ${formatTimes(awaited.nanoseconds / floor)} the time of the loop: ${added} nanoseconds more for each, although the next character has nearly always arrived.`,
    )
  }
  if (awaited && peeked) {
    sentences.push(
      `With ${formatCount(peeked.promises)} promises instead of ${formatCount(awaited.promises)}, the same reader takes ${compare(peeked, awaited)}.`,
    )
  }
  if (word && generated && cursor) {
    sentences.push(
      `By words, the cursor of xylem takes ${compare(cursor, word)} that awaiting each word does, and ${compare(cursor, generated)} of the async generator.`,
    )
  }
  return sentences
}

/** What a way takes of the time of another one: `a tenth of the time` would need grammar, so `9 % of the time`. */
function compare(one: Measured, other: Measured): string {
  return `${Math.round((100 * one.nanoseconds) / other.nanoseconds)} % of the time`
}
