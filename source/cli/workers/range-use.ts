// How documents were read in ranges.

import { addNumbers, type Counter, count } from '../../record/report.ts'

export interface RangeUse {
  /** Ranges that were read by themselves, and are proven; 1 for a document that was not cut. */
  ranges: number
  /** Bytes of the file in ranges that were read again. */
  readAgain: number
}

export function countRanges(): Counter[] {
  return [count('ranges', addNumbers), count('readAgain', addNumbers)]
}

/** What `--stats` says of it, as names and values. */
export function describeUse({ ranges = 0, readAgain = 0 }: Partial<RangeUse>): [name: string, value: string][] {
  return [
    ['ranges used', ranges.toLocaleString('en')],
    ['bytes read twice', readAgain.toLocaleString('en')],
  ]
}
