import { describe, expect, test } from 'vitest'
import { areRangesWorth, cutFirst, isCodecCut, RANGE_SIZE } from '../../../source/cli/read/range-sizes.ts'

const MIB = 1024 * 1024

describe('ranges for threads', () => {
  test('pay for smaller files with more threads, and where more is to be done than to write', () => {
    const pay = (size: number, jobs: number, isSlow?: boolean) =>
      areRangesWorth(size, { jobs, rangeSize: RANGE_SIZE, ...(isSlow && { isSlow }) })
    expect([pay(1e12, 1), pay(511 * MIB, 2), pay(512 * MIB, 2)]).toEqual([false, false, true])
    expect([pay(15 * MIB, 3), pay(16 * MIB, 3), pay(16 * MIB, 2, true)]).toEqual([false, true, true])
  })

  test('are of bzip2 where decoding leaves threads over', () => {
    expect([isCodecCut('none', 2), isCodecCut('bzip2', 4), isCodecCut('bzip2', 5), isCodecCut('other', 9)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  test('begin with small ones, which have together what the first one had', () => {
    const ranges = [0, 1, 2].map((i) => ({ start: i * 1600, end: (i + 1) * 1600, name: 'x' }))
    const cut = cutFirst(ranges)
    expect(cut.map(({ start, end }) => [start, end])).toEqual([
      [0, 100],
      [100, 400],
      [400, 1600],
      [1600, 3200],
      [3200, 4800],
    ])
    expect(cut.every(({ name }) => name === 'x')).toBe(true)
    expect(cutFirst(ranges.slice(0, 1))).toEqual(ranges.slice(0, 1))
    expect(
      cutFirst([
        { start: 0, end: 1 },
        { start: 1, end: 2 },
      ]),
    ).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2 },
    ])
  })
})
