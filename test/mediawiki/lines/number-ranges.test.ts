import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInRanges, mergeRanges, parseRange } from '../../../source/mediawiki/lines/number-ranges.ts'
import { parameters } from '../../support/property.ts'

describe('a range of ids', () => {
  test.each([
    ['7', { first: 7, last: 7 }],
    ['1-1000', { first: 1, last: 1000 }],
    ['2000-', { first: 2000, last: Number.MAX_SAFE_INTEGER }],
    ['5-5', { first: 5, last: 5 }],
  ])('%j is read', (text, range) => {
    expect(parseRange(text)).toEqual(range)
  })

  test.each(['', '-', '-5', '5-3', '1-2-3', '1 2', '0x7', '1.5', 'a'])('%j is not one', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })
})

test('merged ranges have the numbers of the ranges, and no other, and do not touch', () => {
  const range = fc.tuple(fc.nat(40), fc.nat(8)).map(([first, more]) => ({ first, last: first + more }))
  fc.assert(
    fc.property(fc.array(range), fc.boolean(), (given, isOpen) => {
      const ranges = isOpen ? [...given, { first: 45, last: Number.MAX_SAFE_INTEGER }] : given
      const merged = mergeRanges(ranges)
      for (let id = 0; id < 60; id++) {
        expect(isInRanges(merged, id)).toBe(ranges.some(({ first, last }) => id >= first && id <= last))
      }
      for (const [i, { first }] of merged.slice(1).entries()) expect(first).toBeGreaterThan((merged[i]?.last ?? 0) + 1)
    }),
    parameters(500),
  )
})
