import { expect, test } from 'vitest'
import { parseContentRange, parseUnsatisfiedRange } from '../../../source/stream/sources/content-range.ts'

test.each([
  ['bytes 0-0/1', { start: 0, end: 1, size: 1 }],
  ['bytes 10-19/*', { start: 10, end: 20, size: undefined }],
  ['BYTES 10-19/20', { start: 10, end: 20, size: 20 }],
  ['bytes 10-9/20', undefined],
  ['bytes 10-20/20', undefined],
  ['bytes 10-/20', undefined],
  ['bytes */20', undefined],
  ['bytes=10-19', undefined],
  ['bytes 0x1-2/3', undefined],
  ['pages 1-2/3', undefined],
  ['', undefined],
  [null, undefined],
])('%s is a range of bytes, or none', (value, range) => {
  expect(parseContentRange(value)).toEqual(range)
})

test.each([
  ['bytes */20', 20],
  ['bytes */*', undefined],
  ['bytes 1-2/20', undefined],
  [null, undefined],
])('%s says how large what it has no part of is, or does not', (value, size) => {
  expect(parseUnsatisfiedRange(value)).toBe(size)
})
