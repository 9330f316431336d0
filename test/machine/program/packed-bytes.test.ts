// Bytes in little room.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packBytes, unpackBytes } from '../../../source/machine/program/packed-bytes.ts'
import { parameters } from '../../support/property.ts'

/** What a piece unpacks to, after the same bytes. */
function unpackAfter(before: Uint8Array, packed: Uint8Array, length: number): Uint8Array {
  const all = new Uint8Array(before.length + length)
  all.set(before)
  unpackBytes(packed, all, before.length)
  return all.subarray(before.length)
}

test('bytes come out as they went in, whatever stands before them', () => {
  const byte = fc.integer({ min: 0, max: 3 }).map((number) => 85 * number)
  const run = fc
    .tuple(byte, fc.integer({ min: 1, max: 300 }))
    .map(([value, length]) => Array<number>(length).fill(value))
  const bytes = fc.array(fc.oneof(fc.array(byte, { maxLength: 12 }), run), { maxLength: 12 }).map((all) => all.flat())
  const property = fc.property(bytes, bytes, (before, after) => {
    const all = Uint8Array.from([...before, ...after])
    const packed = packBytes(all, before.length)
    expect(unpackAfter(all.subarray(0, before.length), packed, after.length)).toEqual(Uint8Array.from(after))
  })
  fc.assert(property, parameters(300))
})

test('what stood before takes a copy, and so does what repeats itself', () => {
  const table = Uint8Array.from({ length: 256 }, (_, i) => (i * 167) % 251)
  const repeated = Uint8Array.from([...table, ...table])
  expect(packBytes(repeated, 256)).toEqual(Uint8Array.of(0, 0x80, 2, 0x80, 2))
  expect(packBytes(new Uint8Array(1000), 0)).toEqual(Uint8Array.of(1, 0, 0xe7, 7, 1))
})
