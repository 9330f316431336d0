// Options for the format of records.

import { InvalidArgumentError, Option } from 'commander'
import { type FormatName, formatNames } from '../../xml/format/index.ts'

/** What commands that write records are told. */
export interface FormatOptions {
  format?: FormatName
  csvSafe?: true
}

export function makeFormat(): Option {
  const description = `${listNames()} (default: by the name of the output, else "jsonl")`
  return new Option('--format <name>', description).argParser(parseFormat)
}

export function makeCsvSafe(): Option {
  return new Option('--csv-safe', "in tables, put ' before text that a spreadsheet could run as a formula")
}

function parseFormat(text: string): FormatName {
  const name = formatNames().find((one) => one === text)
  if (name === undefined) throw new InvalidArgumentError(`It must be ${listNames()}.`)
  return name
}

function listNames(): string {
  return formatNames()
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
}
