import { expect, test } from 'vitest'
import { describeFindings } from '../../../playground/waiting/findings.ts'
import type { Measured } from '../../../playground/waiting/protocol.ts'
import type { WayName } from '../../../playground/waiting/ways.ts'

function results(...entries: readonly (readonly [WayName, number, number])[]): Map<WayName, Measured> {
  return new Map(
    entries.map(([way, nanoseconds, promises]) => [way, { way, nanoseconds, promises, share: 1 }] as const),
  )
}

test('findings compare what was measured, in sentences', () => {
  const measured = results(
    ['loop', 2, 0],
    ['await-character', 40, 8_000_004],
    ['peek-character', 4, 124],
    ['await-word', 14, 1_075_212],
    ['generate-word', 28, 1_075_212],
    ['peek-word', 7, 64],
  )
  expect(describeFindings(measured)).toEqual([
    'Here, awaiting each character takes 20 times as long as the loop. That is 38 ns more for each character, and nearly all of them have arrived by then.',
    'The same reader takes 10 % of that time if it waits only for chunks: it awaits 124 promises instead of 8 million.',
    'Word by word, the cursor of xylem takes 50 % of the time of awaited words, and 25 % of that of the async generator.',
  ])
})

test('nothing is said of what was not measured', () => {
  expect(describeFindings(new Map())).toEqual([])
  expect(describeFindings(results(['loop', 2, 0], ['peek-character', 4, 124]))).toEqual([])
  expect(describeFindings(results(['loop', 2, 0], ['await-character', 40, 8_000_004]))).toHaveLength(1)
})
