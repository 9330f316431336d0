// How large the ranges are that threads read, for which files they pay, and how many were used.

import { addNumbers, type Counter, count } from '../../record/report.ts'
import type { RangeTarget } from '../../xml/ranges/plan-ranges.ts'
import type { RecordCounts } from './question.ts'

/** Bytes of a file that a thread reads at once. Setting up a range takes some milliseconds: in ranges of half the size, plain files of 256 MB took a tenth more time. */
export const RANGE_SIZE = { none: 16 * 1024 * 1024, bzip2: 8 * 1024 * 1024 } as const
/** As many threads as this that decode bzip2 can be kept busy by one that parses. */
const BZIP2_THREADS = 4
/**
 * A second thread compiles everything anew, and what it has read is copied. On two cores, two threads took 1.1 times as long as one for plain files of 256 MB, and 0.87
 * times for 768 MB.
 */
const LEAST_RANGES = 64

/** Whether ranges of a file of so many bytes pay, before anything of it was read. `isSlow`: whether more is to be done than to write records. */
export function areRangesWorth(
  size: number,
  { jobs, rangeSize, isSlow = false }: { jobs: number; rangeSize: RangeTarget; isSlow?: boolean },
): boolean {
  const least = jobs > 2 || isSlow ? 2 : LEAST_RANGES
  return (
    jobs > 1 && size >= least * (typeof rangeSize === 'number' ? rangeSize : Math.min(rangeSize.none, rangeSize.bzip2))
  )
}

/** Whether as many threads are used for ranges of a file in this form as there are. */
export function isCodecCut(codec: 'none' | 'bzip2' | 'other', jobs: number): boolean {
  return codec === 'none' || (codec === 'bzip2' && jobs > BZIP2_THREADS)
}

/** Shares of the first range. The first ranges are small, so that the first results come soon. */
const SHARES = [1 / 16, 1 / 4, 1]

/** The same ranges, of which the first one is cut again. */
export function cutFirst<Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
): readonly Range[] {
  const [first, ...others] = ranges
  if (!first || others.length === 0) return ranges
  const length = first.end - first.start
  const ends = SHARES.map((share) => first.start + Math.ceil(length * share))
  const cut = ends.map((end, i) => ({ ...first, start: ends[i - 1] ?? first.start, end }))
  return [...cut.filter(({ start, end }) => end > start), ...others]
}

export function countUse(): Counter[] {
  return [count('ranges', addNumbers), count('readAgain', addNumbers)]
}

/** What `--stats` says of the use of ranges, as names and values. */
export function describeUse({ ranges = 0, readAgain = 0 }: Partial<RecordCounts>): [name: string, value: string][] {
  return [
    ['ranges used', ranges.toLocaleString('en')],
    ['bytes read twice', readAgain.toLocaleString('en')],
  ]
}
