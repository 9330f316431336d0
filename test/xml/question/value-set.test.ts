// Sets of values and ranges: each value is looked up among those that the ranges have.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Span, ValueSet } from '../../../source/xml/question/value-set.ts'
import { parameters } from '../../support/property.ts'

test('a set has the values of its ranges, and no others', () => {
  const span = fc
    .tuple(fc.nat(40), fc.integer({ min: -1, max: 8 }))
    .map(([first, more]) => [first, first + more] as const)
  fc.assert(
    fc.property(fc.array(span), fc.boolean(), (given, isOpen) => {
      const spans = isOpen ? [...given, [45, Number.POSITIVE_INFINITY] as const] : given
      const set = new ValueSet([...spans])
      for (let value = 0; value < 60; value++) {
        expect(set.has(value)).toBe(spans.some(([first, last]) => value >= first && value <= last))
      }
    }),
    parameters(500),
  )
})

test('a set is of texts, whole numbers of 64 bits, or booleans as well', () => {
  const texts = new ValueSet(['b', 'a', 'ä', 'B'].map((text): Span => [text, text]))
  expect(['a', 'A', 'b', 'ä', 'c', ''].filter((text) => texts.has(text))).toEqual(['a', 'b', 'ä'])
  const numbers = new ValueSet([
    [5n, 9007199254740993n],
    [1n, 1n],
  ])
  expect([1n, 2n, 9007199254740993n, 9007199254740994n].map((one) => numbers.has(one))).toEqual([
    true,
    false,
    true,
    false,
  ])
  const booleans = new ValueSet([[true, true]])
  expect([true, false].map((one) => booleans.has(one))).toEqual([true, false])
  expect(new ValueSet([]).has(1)).toBe(false)
})
