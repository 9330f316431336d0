// The table of formats. A format is a file that is loaded when it is first used, and a line here.

import { LazyModule } from '../../async/lazy-module.ts'
import { withCode } from '../../stream/errors.ts'
import { type OptionKind, type OptionKinds, unknownName } from '../../stream/options.ts'
import { isNcName } from '../../text/markup/xml-characters.ts'
import type { RecordValues } from '../value.ts'
import type { Format, FormatOptions, FormatSetup } from './format.ts'

/** A module of a format. */
export type FormatModule<Batch = unknown> = LazyModule<{ readonly format: Format<Batch> }>

/** What a record is in a format: a JSON object, an element, the row of a table, or a value of each column; `items` are delivered as they are. */
type FormatKind = 'objects' | 'elements' | 'table' | 'columns' | 'items'

type FormatPlace = 'file' | undefined

/** An option of a format, whose type is in `FormatOptions`: what it must be, and in messages the formats that have it; as an option of commands its flags and help, if it is one. */
interface FormatOption {
  readonly kind: OptionKind
  readonly of: string
  readonly flags?: string
  readonly help?: string
  /** Says more than the kind, and words for it. */
  readonly isValid?: (value: string) => boolean
  readonly words?: string
}

/** Some options by their names. */
type DeclaredOptions = { readonly [Name in keyof FormatOptions]?: FormatOption }

/** A format, and what is known of it before it is loaded. */
interface FormatEntry<Batch = unknown> {
  readonly kind: FormatKind
  /** What it is called in messages. */
  readonly title: string
  /** Endings of the names of its files, the usual one first; none for items. */
  readonly endings: readonly string[]
  /**
   * Where it works. The bytes of most formats go anywhere: to standard output, into parts, from workers and in browsers. A format of one `file` opens that by
   * itself, at `FormatSetup.path`, in Node, and gives no bytes.
   */
  readonly place: FormatPlace
  readonly options?: DeclaredOptions
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

const ABSENT: DeclaredOptions = { absent: { kind: ['omit', 'null'], of: 'formats of text' } }
const SAFETY = "in tables, put ' before text that a spreadsheet could run as a formula"
const MARK = 'begin tables with a byte order mark, so that Excel reads them as UTF-8'
const OF_TABLES: DeclaredOptions = {
  ...ABSENT,
  safe: { kind: 'boolean', of: 'tables', flags: '--csv-safe', help: SAFETY },
  bom: { kind: 'boolean', of: 'tables', flags: '--bom', help: MARK },
}
const OF_XML: DeclaredOptions = {
  ...ABSENT,
  elements: {
    kind: 'string',
    of: 'XML',
    flags: '--elements <names>',
    help: 'the names of elements in XML: root/record, or root/record/item for items of lists (default: "records/record")',
    isValid: (names) => /^[^/]+(?:\/[^/]+){1,2}$/.test(names) && names.split('/').every(isNcName),
    words: 'two or three names of XML with "/" between them',
  },
}
const TABLE = 'the name of the table in a SQLite file (default: by the name of the file)'
const INDEX = 'make an index of a field in a SQLite file; repeatable'
const OF_DATABASES: DeclaredOptions = {
  table: { kind: 'string', of: 'databases', flags: '--table <name>', help: TABLE },
  index: { kind: 'strings', of: 'databases', flags: '--index <field>', help: INDEX },
}

export const FORMATS = {
  objects: entry('items', 'objects', [], async () => ({ format: OBJECTS })),
  columns: entry('items', 'columns', [], () => import('./columns.ts')),
  jsonl: entry('objects', 'JSON lines', ['jsonl', 'ndjson'], () => import('./jsonl.ts'), ABSENT),
  csv: entry('table', 'CSV', ['csv'], () => import('./csv.ts'), OF_TABLES),
  tsv: entry('table', 'TSV', ['tsv'], () => import('./tsv.ts'), OF_TABLES),
  json: entry('objects', 'JSON', ['json'], () => import('./json.ts'), ABSENT),
  xml: entry('elements', 'XML', ['xml'], () => import('./xml.ts'), OF_XML),
  arrow: entry('columns', 'Arrow', ['arrow', 'feather'], () => import('./arrow.ts')),
  arrows: entry('columns', 'Arrow streams', ['arrows'], () =>
    import('./arrow.ts').then(({ stream }) => ({ format: stream })),
  ),
  parquet: entry('columns', 'Parquet', ['parquet'], () => import('./parquet.ts')),
  sqlite: entry('columns', 'SQLite', ['sqlite', 'sqlite3'], () => import('./sqlite.ts'), OF_DATABASES, 'file'),
}

/** What formats do unless the options say otherwise. */
export const USUAL_FORMAT: FormatSetup = { rows: 64 * 1024 }

/** Formats that are written as bytes. */
export type FormatName = Exclude<keyof typeof FORMATS, 'objects' | 'columns'>

function entry<Batch>(
  kind: FormatKind,
  title: string,
  endings: readonly string[],
  load: () => Promise<{ readonly format: Format<Batch> }>,
  options: DeclaredOptions = {},
  place?: FormatPlace,
): FormatEntry<Batch> {
  return { kind, title, endings, place, options, module: new LazyModule(load) }
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

/** The options of all formats. */
export const FORMAT_OPTIONS: Required<DeclaredOptions> = Object.assign(
  {},
  ...Object.values(FORMATS).map(({ options }) => options),
)
/** What they must be. */
export const FORMAT_OPTION_KINDS = Object.fromEntries(
  Object.entries(FORMAT_OPTIONS).map(([name, { kind }]) => [name, kind]),
) as OptionKinds<FormatOptions>

/** The formats that have an option. */
export function formatsWith(option: string): FormatName[] {
  return formatNames().filter((name) => Object.hasOwn(FORMATS[name].options ?? {}, option))
}

/**
 * The options of a format among others; what is false or undefined is left out. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for one of
 * another format, of which `say` says where it belongs, and for a value that is not valid.
 */
export function readFormatOptions(
  format: FormatName,
  options: object,
  say = (name: string, of: string, formats: readonly string[]) =>
    `${name} applies to ${of} only, not to ${format}; use it with ${formats.join(' or ')}`,
): FormatOptions {
  const given = Object.entries(options).filter(([name, value]) => Object.hasOwn(FORMAT_OPTIONS, name) && value)
  for (const [name, value] of given) {
    const { of, isValid, words } = FORMAT_OPTIONS[name as keyof FormatOptions]
    const formats = formatsWith(name)
    if (!formats.includes(format)) throw withCode(new TypeError(say(name, of, formats)), 'invalid-option')
    if (isValid?.(value) === false)
      throw withCode(new RangeError(`${name} must be ${words}, not ${JSON.stringify(value)}`), 'invalid-option')
  }
  return Object.fromEntries(given)
}
