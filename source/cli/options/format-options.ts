// Options for the format of records.

import { type FormatName, formatNames } from '../../record/format/index.ts'
import type { OptionEntry } from './option.ts'
import { listWords, oneOfNow } from './option-values.ts'

/** Options of commands that write records. */
export interface FormatOptions {
  format?: FormatName
  csvSafe?: true
  bom?: true
}

export const FORMAT: OptionEntry = [
  '--format <name>',
  `${listWords(formatNames())} (default: by the name of the output, else "jsonl")`,
  oneOfNow(formatNames),
]
export const CSV_SAFE: OptionEntry = [
  '--csv-safe',
  "in tables, put ' before text that a spreadsheet could run as a formula",
]
export const BOM: OptionEntry = ['--bom', 'begin tables with a byte order mark, so that Excel reads them as UTF-8']
