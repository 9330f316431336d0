import { expect, test } from 'vitest'
import { BlockList } from '../../../source/mediawiki/multistream/index-builder.ts'

test('a page is in the block whose content it begins in', () => {
  const blocks = new BlockList()
  for (let i = 0; i < 5000; i++) blocks.add(i * 777, i * 100)
  for (const start of [0, 50, 99, 100, 101, 12_345, 123_456, 499_999]) {
    const block = Math.floor(start / 100)
    const [offset, bit] = [Math.floor((block * 777) / 8), (block * 777) % 8]
    expect(blocks.placeOf(start)).toEqual({ offset, bit, skip: start - block * 100 })
  }
})

test('without blocks a page is at its offset', () => {
  expect(new BlockList().placeOf(42)).toEqual({ offset: 42 })
})
