import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBytes } from '../../source/stream/find-bytes.ts'
import { parameters } from '../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)

test.each([
  ['a page of text', 'page', 0, 2],
  ['a page of text', 'page', 2, 2],
  ['a page of text', 'page', 3, -1],
  ['a page of text', 't', 0, 10],
  ['abcabcabd', 'abcabd', 0, 3],
  ['', 'x', 0, -1],
  ['short', 'longer than it', 0, -1],
  ['at the very end of more than sixteen bytes', 'bytes', 0, 37],
])('finds in %j %j from %i at %i', (bytes, wanted, from, expected) => {
  expect(findBytes(encode(bytes), encode(wanted), from)).toBe(expected)
})

test('finds in a view what lies in the view, and not beside it', () => {
  const view = encode('</page> between </page>').subarray(3, -1)
  expect(findBytes(view, encode('</page>'))).toBe(-1)
  expect(findBytes(view, encode('</page'))).toBe(13)
})

test('finds what the simplest search finds', () => {
  const property = fc.property(
    fc.uint8Array({ max: 2, maxLength: 200 }),
    fc.uint8Array({ max: 2, minLength: 1, maxLength: 6 }),
    fc.nat(50),
    (bytes, wanted, from) => {
      expect(findBytes(bytes, wanted, from)).toBe(Buffer.from(bytes).indexOf(wanted, from))
    },
  )
  fc.assert(property, parameters(500))
})
