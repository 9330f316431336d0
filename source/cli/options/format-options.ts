// Options for the format of records.

import { InvalidArgumentError } from 'commander'
import { type FormatName, formatNames } from '../../record/format/index.ts'
import { isNcName } from '../../text/markup/xml-characters.ts'
import { listWords } from '../terminal/word-list.ts'
import type { OptionEntry } from './option.ts'
import { oneOfNow, parseRepeated } from './option-values.ts'

/** Options of commands that write records. */
export interface FormatOptions {
  format?: FormatName
  csvSafe?: true
  bom?: true
  table?: string
  index?: readonly string[]
  elements?: string
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
export const ELEMENTS: OptionEntry = [
  '--elements <names>',
  'the names of elements in XML: root/record, or root/record/item for items of lists (default: "records/record")',
  parseElements,
]
/** For databases. */
export const DATABASE: readonly OptionEntry[] = [
  ['--table <name>', 'the name of the table in a SQLite file (default: by the name of the file)'],
  ['--index <field>', 'make an index of a field in a SQLite file; repeatable', parseRepeated],
]
export const BOM: OptionEntry = ['--bom', 'begin tables with a byte order mark, so that Excel reads them as UTF-8']

function parseElements(names: string): string {
  const all = names.split('/')
  if ((all.length === 2 || all.length === 3) && all.every(isNcName)) return names
  throw new InvalidArgumentError('It must be two or three names of XML with "/" between them.')
}
