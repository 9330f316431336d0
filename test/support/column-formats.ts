// Formats that are made of columns, and what reads them.

import type { FormatName } from '../../source/record/format/index.ts'
import { readArrow } from './arrow.ts'
import { readParquet } from './parquet.ts'

export interface ReadFile {
  readonly names: readonly string[]
  /** Absent values are undefined. */
  readonly records: readonly unknown[]
  readonly metadata: ReadonlyMap<string, string>
  /** How many records were written together. */
  readonly batches: readonly number[]
}

export const COLUMN_FORMATS: readonly (readonly [FormatName, (bytes: Uint8Array) => ReadFile | Promise<ReadFile>])[] = [
  ['arrow', readArrow],
  ['arrows', readArrow],
  ['parquet', readParquet],
]
