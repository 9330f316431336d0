// The table of formats. A format is a file that is loaded when it is first used, and a line here.

import { LazyModule } from '../../async/lazy-module.ts'
import { unknownName } from '../../stream/options.ts'
import type { Format } from './format.ts'

/** A module of a format. */
export type FormatModule<Batch = unknown> = LazyModule<{ readonly format: Format<Batch> }>

/** A format, and what is known of it before it is loaded. */
interface FormatEntry<Batch = unknown> {
  /** What it is called in messages. */
  readonly title: string
  /** Endings of the names of its files, the usual one first; none for what is not written into files. */
  readonly endings: readonly string[]
  readonly module: FormatModule<Batch>
}

export const FORMATS = {
  objects: entry('objects', [], () => import('../readings/records.ts')),
  columns: entry('columns', [], () => import('./columns.ts')),
  jsonl: entry('JSON lines', ['jsonl', 'ndjson'], () => import('./jsonl.ts')),
  csv: entry('CSV', ['csv'], () => import('./csv.ts')),
  tsv: entry('TSV', ['tsv'], () => import('./tsv.ts')),
  json: entry('JSON', ['json'], () => import('./json.ts')),
}

/** Formats that are written as bytes. */
export type FormatName = Exclude<keyof typeof FORMATS, 'objects' | 'columns'>

function entry<Batch>(
  title: string,
  endings: readonly string[],
  load: () => Promise<{ readonly format: Format<Batch> }>,
): FormatEntry<Batch> {
  return { title, endings, module: new LazyModule(load) }
}

/** The names of the formats that are written as bytes. */
export function formatNames(): FormatName[] {
  return (Object.entries(FORMATS) as [FormatName, FormatEntry][]).flatMap(([name, { endings }]) =>
    endings.length > 0 ? name : [],
  )
}

/** The entry of a format that is written as bytes. Throws a `RangeError` with the code `invalid-option` for any other name. */
export function findFormat(name: string): FormatEntry {
  const names: readonly string[] = formatNames()
  if (names.includes(name)) return FORMATS[name as FormatName]
  throw unknownName('format', name, names)
}
