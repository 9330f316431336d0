// Options for the format of records.

import { InvalidArgumentError } from 'commander'
import { type FormatName, formatNames } from '../../record/format/index.ts'
import type { OptionEntry } from './option.ts'

/** Options of commands that write records. */
export interface FormatOptions {
  format?: FormatName
  csvSafe?: true
  bom?: true
}

export const FORMAT: OptionEntry = [
  '--format <name>',
  `${listNames()} (default: by the name of the output, else "jsonl")`,
  (text) => {
    const name = formatNames().find((one) => one === text)
    if (name === undefined) throw new InvalidArgumentError(`It must be ${listNames()}.`)
    return name
  },
]
export const CSV_SAFE: OptionEntry = [
  '--csv-safe',
  "in tables, put ' before text that a spreadsheet could run as a formula",
]

export const BOM: OptionEntry = ['--bom', 'begin tables with a byte order mark, so that Excel reads them as UTF-8']

function listNames(): string {
  return formatNames()
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
}
