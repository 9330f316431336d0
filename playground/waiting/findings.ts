// What the figures say, in sentences.

import { formatNanoseconds, formatRatio } from './bars.ts'
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
    const times = formatRatio(awaited.nanoseconds / floor)
    const added = formatNanoseconds(Math.max(0, awaited.nanoseconds - floor))
    sentences.push(
      `Here, awaiting each character takes ${times} times as long as the loop. That is ${added} ns more for each character, and nearly all of them have arrived by then.`,
    )
  }
  if (awaited && peeked) {
    const [few, many] = [peeked, awaited].map(({ promises }) => long.format(promises))
    sentences.push(
      `The same reader takes ${percent(peeked, awaited)} of that time if it waits only for chunks: it awaits ${few} ${peeked.promises === 1 ? 'promise' : 'promises'} instead of ${many}.`,
    )
  }
  if (word && generated && cursor) {
    sentences.push(
      `Word by word, the cursor of xylem takes ${percent(cursor, word)} of the time of awaited words, and ${percent(cursor, generated)} of that of the async generator.`,
    )
  }
  return sentences
}

const long = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 3 })

function percent(one: Measured, other: Measured): string {
  return `${Math.round((100 * one.nanoseconds) / other.nanoseconds)} %`
}
