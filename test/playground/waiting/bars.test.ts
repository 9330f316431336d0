import { expect, test } from 'vitest'
import { findBarLength, formatNanoseconds, formatPromises, formatRatio } from '../../../playground/waiting/bars.ts'

test('a linear bar is as long as its share of the largest value', () => {
  expect(findBarLength(30, 2, 60, 'linear')).toBe(0.5)
  expect(findBarLength(60, 2, 60, 'linear')).toBe(1)
})

test('a logarithmic bar grows by the same length with each factor, and none is empty', () => {
  const [one, two, four, eight] = [1, 2, 4, 8].map((value) => findBarLength(value, 1, 8, 'logarithmic'))
  expect([one, two, four, eight]).toEqual([0.25, 0.5, 0.75, 1].map((length) => expect.closeTo(length)))
  expect(findBarLength(5, 5, 5, 'logarithmic')).toBe(1)
})

test('numbers have two or three digits', () => {
  expect([0.634, 0.996, 5.52, 9.96, 55.7, 137.2].map(formatNanoseconds)).toEqual([
    '0.63',
    '1.0',
    '5.5',
    '10',
    '56',
    '137',
  ])
  expect([0.98, 2.44, 9.96, 18.9].map(formatRatio)).toEqual(['1.0', '2.4', '10', '19'])
  expect([0, 124, 1_075_141, 8_000_004].map(formatPromises)).toEqual(['0', '124', '1.1M', '8M'])
})
