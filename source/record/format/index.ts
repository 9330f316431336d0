// The table of formats. A format is a file that is loaded when it is first used, and a line here.

import { LazyModule } from '../../async/lazy-module.ts'
import { unknownName } from '../../stream/options.ts'
import type { RecordValues } from '../value.ts'
import type { Format, FormatOptions } from './format.ts'

/** A module of a format. */
export type FormatModule<Batch = unknown> = LazyModule<{ readonly format: Format<Batch> }>

/** What a record is in a format: a JSON object, an element, the row of a table, or a value of each column; `items` are delivered as they are. */
type FormatKind = 'objects' | 'elements' | 'table' | 'columns' | 'items'

type FormatPlace = 'file' | undefined

/** A format, and what is known of it before it is loaded. */
interface FormatEntry<Batch = unknown> {
  readonly kind: FormatKind
  /** What it is called in messages. */
  readonly title: string
  /** Endings of the names of its files, the usual one first; none for items. */
  readonly endings: readonly string[]
  /**
   * Where it works. The bytes of most formats go anywhere: to standard output, into parts, from workers and in browsers. A format of one `file` opens that by
   * itself, at `FormatOptions.path`, in Node, and gives no bytes.
   */
  readonly place: FormatPlace
  readonly module: FormatModule<Batch>
}

/** Records as objects. */
const OBJECTS: Format<RecordValues[]> = {
  collect: () => ({
    add: (record) => record.complete(),
    take: (items) => (items.length === 0 ? [] : [{ batch: items, records: items.length }]),
    finish: () => [],
  }),
}

export const FORMATS = {
  objects: entry('items', 'objects', [], async () => ({ format: OBJECTS })),
  columns: entry('items', 'columns', [], () => import('./columns.ts')),
  jsonl: entry('objects', 'JSON lines', ['jsonl', 'ndjson'], () => import('./jsonl.ts')),
  csv: entry('table', 'CSV', ['csv'], () => import('./csv.ts')),
  tsv: entry('table', 'TSV', ['tsv'], () => import('./tsv.ts')),
  json: entry('objects', 'JSON', ['json'], () => import('./json.ts')),
  xml: entry('elements', 'XML', ['xml'], () => import('./xml.ts')),
  arrow: entry('columns', 'Arrow', ['arrow', 'feather'], () => import('./arrow.ts')),
  arrows: entry('columns', 'Arrow streams', ['arrows'], () =>
    import('./arrow.ts').then(({ stream }) => ({ format: stream })),
  ),
  parquet: entry('columns', 'Parquet', ['parquet'], () => import('./parquet.ts')),
  sqlite: entry('columns', 'SQLite', ['sqlite', 'sqlite3'], () => import('./sqlite.ts'), 'file'),
}

/** What formats do unless the options say otherwise. */
export const USUAL_FORMAT: FormatOptions = { hasNulls: false, isSafe: false, rows: 64 * 1024 }

/** Formats that are written as bytes. */
export type FormatName = Exclude<keyof typeof FORMATS, 'objects' | 'columns'>

function entry<Batch>(
  kind: FormatKind,
  title: string,
  endings: readonly string[],
  load: () => Promise<{ readonly format: Format<Batch> }>,
  place?: FormatPlace,
): FormatEntry<Batch> {
  return { kind, title, endings, place, module: new LazyModule(load) }
}

/** The names of the formats that are written as bytes, or of those of one kind. */
export function formatNames(wanted?: FormatKind): FormatName[] {
  const entries = Object.entries(FORMATS) as [FormatName, FormatEntry][]
  const isWanted = (kind: FormatKind) => (wanted ? kind === wanted : kind !== 'items')
  return entries.flatMap(([name, { kind }]) => (isWanted(kind) ? name : []))
}

/** The entry of a format that is written as bytes. Throws a `TypeError` with the code `invalid-option` for any other name. */
export function findFormat(name: string): FormatEntry {
  const names: readonly string[] = formatNames()
  if (names.includes(name)) return FORMATS[name as FormatName]
  throw unknownName('format', String(name), names)
}
