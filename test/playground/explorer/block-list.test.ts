import { expect, test } from 'vitest'
import { BlockList } from '../../../playground/explorer/worker/wiki-reading.ts'

test('a page is in the block whose content it begins in', () => {
  const blocks = new BlockList()
  for (let i = 0; i < 5000; i++) blocks.add(i * 777, i * 100)
  for (const offset of [0, 50, 99, 100, 101, 12_345, 123_456, 499_999]) {
    const block = Math.floor(offset / 100)
    expect(blocks.placeOf(offset)).toEqual({ at: block * 777, skip: offset - block * 100 })
  }
})

test('without blocks a page is at its offset', () => {
  expect(new BlockList().placeOf(42)).toEqual({ at: 42, skip: 0 })
})
