// What the names of outputs promise. A file with a name that promises another format would be noticed much later, by whoever reads it.

import { FORMATS, type FormatName, formatNames } from '../../record/format/index.ts'
import { findNearest } from '../../stream/nearest.ts'
import { UsageError } from '../errors/errors.ts'
import { listWords } from '../terminal/word-list.ts'

interface FileFormat {
  readonly name: string
  /** Endings of its files; the first is the one to use. */
  readonly endings: readonly string[]
  /** The commands that write it. */
  readonly writers: string
}

/** What single commands write into files, beside the formats of records. */
const OTHERS = {
  value: { name: 'JSON', endings: ['json'], writers: 'get, and parse without --emit' },
  markup: { name: 'XML', endings: ['xml', 'html', 'xhtml', 'svg'], writers: 'select --xml' },
  // A page can be a module in Lua, a style sheet, or data in JSON.
  text: { name: 'the text of a page', endings: ['txt', 'json'], writers: 'get --text' },
  index: { name: 'an index', endings: ['index'], writers: 'index' },
  shape: { name: 'a shape in JSON', endings: ['json'], writers: 'infer' },
  typings: { name: 'TypeScript', endings: ['ts'], writers: 'types' },
  schema: { name: 'a JSON Schema', endings: ['json'], writers: 'types --schema' },
} satisfies Record<string, FileFormat>

export type WrittenFormat = FormatName | keyof typeof OTHERS

/** Everything that commands write into files, the formats of records first. */
function allFormats(): Record<string, FileFormat> {
  const ofRecords = formatNames().map((name) => {
    const { title, endings } = FORMATS[name]
    const elements = name === 'xml' ? `${OTHERS.markup.writers}, and by ` : ''
    return [
      name,
      { name: title, endings, writers: `${elements}pages, revisions and select --field, with --format ${name}` },
    ]
  })
  return { ...Object.fromEntries(ofRecords), ...OTHERS }
}

/** Endings of other files. The table of formats is asked first. */
const FOREIGN =
  /^(gz|gzip|zst|zstd|bz2|xz|z|7z|zip|rar|tar|tgz|lz4|lzo|lzma|br|avro|orc|msgpack|cbor|xlsx?|ods|db|duckdb|ya?ml|sql)$/

/** The format of records in a file of this name, or on standard output: JSON lines, unless the name promises another one. */
export function guessFormat(path = ''): FormatName {
  const ending = endingOf(withoutCompression(path))
  return formatNames().find((name) => ending !== undefined && hasEnding(FORMATS[name], ending)) ?? 'jsonl'
}

/** Throws a `UsageError` for an output whose name promises something else than records in the format, or in one of `names` if there is none. */
export function requireRecordsName(
  path: string | undefined,
  format: FormatName | undefined,
  writer: string,
  names: readonly FormatName[] = formatNames(),
): void {
  requireFileName(path, format ? [format] : names, format ? `${writer} --format ${format}` : writer)
  requireNoCompression(path, format ?? guessFormat(path))
}

/** Throws a `UsageError` for the name of a compressed file if the format is one of columns. */
function requireNoCompression(path = '', format: FormatName): void {
  const name = withoutCompression(path)
  const { title, endings } = FORMATS[format]
  if (name === path || canCompress(format)) return
  const usual = endings.includes(endingOf(name) ?? '') ? name : `${name}.${endings[0]}`
  throw new UsageError(
    `${title} cannot be written as ${path.slice(name.length)} (${path}), because most programs that read it cannot open that; use ${usual}`,
  )
}

/** Throws a `UsageError` for an output whose name promises something else than what is written. `writer` is a command, perhaps with an option. */
export function requireFileName(path = '', written: readonly WrittenFormat[], writer: string): void {
  const ending = findPromise(withoutCompression(path), written)
  if (ending === undefined) return
  const formats = written.flatMap((format) => allFormats()[format] ?? [])
  const other = formatOf(ending)
  const meant = nearestEnding(ending)
  const way = meant === undefined ? '' : `; did you mean .${meant}?`
  const hint = other ? `; .${ending} is written by ${other.writers}` : way
  throw new UsageError(
    `${writer} writes ${listWords(formats.map(({ name }) => name))}, not .${ending} (${path}); ` +
      `use ${listEndings(written)}${hint}`,
  )
}

/** The endings of files to use, those that may also be compressed first. */
function listEndings(written: readonly WrittenFormat[]): string {
  const endingsOf = (formats: readonly WrittenFormat[]) =>
    listWords(formats.map((format) => `.${allFormats()[format]?.endings[0]}`))
  const texts = endingsOf(written.filter(canCompress))
  const others = endingsOf(written.filter((format) => !canCompress(format)))
  if (texts === '') return others
  return `${texts}, also compressed as .gz or .zst${others === '' ? '' : `, or ${others}`}`
}

/** Throws a `UsageError` for a folder whose name promises another format than that of its parts. Otherwise it may have any name, such as that of a dump. */
export function requireFolderName(path = '', format: FormatName, writer: string): void {
  const promised = guessFormat(path.replace(/[\\/]+$/, ''))
  // A folder that is called like its dump promises nothing.
  if (promised === 'jsonl' || promised === 'xml' || promised === format) return
  throw new UsageError(
    `${writer} writes a folder with ${FORMATS[format].title}, not .${promised} (${path}); use a name without .${promised}`,
  )
}

/** The ending of a path if it promises none of these formats. */
function findPromise(path: string, written: readonly WrittenFormat[]): string | undefined {
  const ending = endingOf(path)
  if (ending === undefined || ending === 'txt') return undefined
  if (written.some((format) => allFormats()[format]?.endings.includes(ending))) return undefined
  return FOREIGN.test(ending) || formatOf(ending) || nearestEnding(ending) !== undefined ? ending : undefined
}

/** The ending of a known format that was probably meant: one of the same letters, such as `csv` for `cvs`, or a long one that is nearly the same. Others mean nothing to us. */
function nearestEnding(ending: string): string | undefined {
  const known = Object.values(allFormats()).flatMap(({ endings }) => endings)
  const sort = (text: string) => [...text].sort().join('')
  const isSwapped = (one: string) => one[0] === ending[0] && sort(one) === sort(ending)
  const same = ending.length > 2 ? known.find(isSwapped) : undefined
  return (
    same ??
    findNearest(
      ending,
      known.filter((one) => one.length > 5 && one.startsWith(ending.charAt(0))),
    )
  )
}

function formatOf(ending: string): FileFormat | undefined {
  return Object.values(allFormats()).find((format) => hasEnding(format, ending))
}

function hasEnding({ endings }: Pick<FileFormat, 'endings'>, ending: string): boolean {
  return endings.includes(ending)
}

function endingOf(path: string): string | undefined {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
}

/** Whether programs that read a format expect that a file in it may be compressed. Columns are read in pieces, and most are compressed themselves. */
function canCompress(format: WrittenFormat): boolean {
  return !formatNames('columns').some((name) => name === format)
}

/** A path without the ending of a compression in which files are written. */
function withoutCompression(path: string): string {
  return path.replace(/\.(gz|zst)$/i, '')
}
