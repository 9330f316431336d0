// What the names of outputs promise. A file with a name that promises another format would be noticed much later, by whoever reads it.

import { UsageError } from '../errors/errors.ts'

interface FileFormat {
  readonly name: string
  /** Endings of its files; the first is the one to use. */
  readonly endings: readonly string[]
  /** The commands that write it. */
  readonly writers: string
}

/** What commands write into files. */
const FORMATS = {
  jsonl: { name: 'JSON lines', endings: ['jsonl', 'ndjson'], writers: 'pages, revisions, select and parse' },
  json: { name: 'JSON', endings: ['json'], writers: 'get, and parse without --emit' },
  csv: { name: 'CSV', endings: ['csv'], writers: 'pages and revisions, without --resume' },
  tsv: { name: 'TSV', endings: ['tsv'], writers: 'pages and revisions, without --resume' },
  xml: { name: 'XML', endings: ['xml', 'html', 'xhtml', 'svg'], writers: 'select --xml' },
  // A page can be a module in Lua, a style sheet, or data in JSON.
  text: { name: 'the text of a page', endings: ['txt', 'json'], writers: 'get --text' },
  index: { name: 'an index', endings: ['index'], writers: 'index' },
  typings: { name: 'TypeScript', endings: ['ts'], writers: 'types' },
} satisfies Record<string, FileFormat>

export type WrittenFormat = keyof typeof FORMATS

/** What `pages` and `revisions` write: JSON lines, if neither an option nor the name of the output says otherwise. */
const RECORD_FORMATS = ['jsonl', 'csv', 'tsv'] as const
type RecordFormat = (typeof RECORD_FORMATS)[number]

/** Endings of files that no command writes. */
const FOREIGN =
  /^(gz|gzip|zst|zstd|bz2|xz|z|7z|zip|rar|tar|tgz|lz4|lzo|lzma|br|parquet|arrow|feather|avro|orc|msgpack|cbor|xlsx?|ods|sqlite3?|db|duckdb|ya?ml|sql)$/

/** The format of records in a file of this name, or on standard output. */
export function guessFormat(path = ''): RecordFormat {
  const ending = endingOf(withoutCompression(path))
  return RECORD_FORMATS.find((format) => format === ending) ?? 'jsonl'
}

/** Throws a `UsageError` for an output whose name promises something else than records, in the format if there is one. */
export function requireRecordsName(path: string | undefined, format: RecordFormat | undefined, writer: string): void {
  requireFileName(path, format ? [format] : RECORD_FORMATS, format ? `${writer} --format ${format}` : writer)
}

/** Throws a `UsageError` for an output whose name promises something else than what is written. `writer` is a command, perhaps with an option. */
export function requireFileName(path = '', written: readonly WrittenFormat[], writer: string): void {
  const ending = findPromise(withoutCompression(path), written)
  if (ending === undefined) return
  const formats = written.map((format) => FORMATS[format])
  const other = formatOf(ending)
  const hint = other ? `; .${ending} is written by ${other.writers}` : ''
  throw new UsageError(
    `${writer} writes ${list(formats.map(({ name }) => name))}, not .${ending} (${path}); ` +
      `use ${list(formats.map(({ endings }) => `.${endings[0]}`))}, also compressed as .gz or .zst${hint}`,
  )
}

/** Throws a `UsageError` for a folder whose name promises tables. Its parts are in JSON lines. Otherwise it may have any name, such as that of a dump. */
export function requireFolderName(path = '', writer: string): void {
  const format = guessFormat(path.replace(/[\\/]+$/, ''))
  if (format === 'jsonl') return
  throw new UsageError(
    `${writer} writes a folder with JSON lines, not .${format} (${path}); use a name without .${format}`,
  )
}

/** The ending of a path if it promises none of these formats. */
function findPromise(path: string, written: readonly WrittenFormat[]): string | undefined {
  const ending = endingOf(path)
  if (ending === undefined || ending === 'txt') return undefined
  if (written.some((format) => hasEnding(FORMATS[format], ending))) return undefined
  return FOREIGN.test(ending) || formatOf(ending) ? ending : undefined
}

function formatOf(ending: string): FileFormat | undefined {
  return Object.values(FORMATS).find((format) => hasEnding(format, ending))
}

function hasEnding({ endings }: FileFormat, ending: string): boolean {
  return endings.includes(ending)
}

function endingOf(path: string): string | undefined {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
}

/** A path without the ending of a compression in which files are written. */
function withoutCompression(path: string): string {
  return path.replace(/\.(gz|zst)$/i, '')
}

function list(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
