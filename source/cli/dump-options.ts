// What the commands that read dumps are told.

import { availableParallelism } from 'node:os'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { FilterOptions } from './dump-filter.ts'
import { UsageError } from './errors.ts'
import {
  parseCount,
  parseDate,
  parseList,
  parsePattern,
  parsePositive,
  parsePresence,
  parseRanges,
} from './option-values.ts'
import { listFields, requireFields } from './output/field-names.ts'
import type { TableKind } from './output/table.ts'

/** What a line is about. */
export type RecordKind = 'pages' | 'revisions'

/** What is done at faults. */
export type OnError = 'stop' | 'skip-page' | 'skip-block'

/** Which records are wanted, and what of them. */
export interface RecordOptions extends FilterOptions {
  fields?: readonly string[]
  strict?: true
  maxRetained?: number
  onError: OnError
}

/** What `pages` and `revisions` are told. */
export interface DumpCommandOptions extends RecordOptions {
  limit?: number
  format?: 'jsonl' | TableKind
  csvSafe?: true
  output?: string
  resume?: true
  rangeSize?: number
  jobs?: number
  verify?: true
  stats?: true
  quiet?: true
}

/** Threads, unless said otherwise: more than these one reader of the file cannot keep busy. */
const MOST_JOBS = 4

/** Adds the options that say which records are wanted, and what of them. */
export function addRecordOptions(command: Command, kind: RecordKind = 'pages'): Command {
  const example = kind === 'pages' ? 'id,title,revision.text' : 'page.title,id,text'
  return command
    .option('--ns <list>', 'only pages in these namespaces, by number or name, such as 0,Template', parseList)
    .option('--redirects <how>', 'redirect pages: in, out or only (default: "in")', parsePresence)
    .option('--title <pattern>', 'only pages whose title matches a regular expression', parsePattern)
    .option('--ids <ranges>', 'only pages with these ids, such as 7,100-200,5000-', parseRanges)
    .option('--since <date>', 'only revisions at or after this date or time (UTC)', parseDate)
    .option('--until <date>', 'only revisions at or before this date or time (UTC)', parseDate)
    .option('--model <list>', 'only revisions with these content models, such as wikitext', parseList)
    .option('--minor <how>', 'minor revisions: in, out or only (default: "in")', parsePresence)
    .option('--contributor <list>', 'only revisions by these user names or IP addresses', parseList)
    .option('--fields <list>', `only these fields, such as ${example} (--list-fields prints all)`, parseList)
    .option(
      '--on-error <how>',
      'at an error: stop, skip-page, or skip-block, which also skips damaged bzip2 blocks',
      parseOnError,
      'stop',
    )
    .option('--strict', 'refuse characters that XML does not allow, instead of replacing them')
    .addOption(makeMaxRetained())
}

/** How large a revision may be, or whatever else is held as a whole. */
export function makeMaxRetained(): Option {
  const option = new Option('--max-retained <bytes>', 'keep at most N bytes of input in memory (default: 256 MiB)')
  return option.argParser(parsePositive)
}

/** Throws a `UsageError` for fields that records of a kind cannot have, and for conditions that nothing can meet. */
export function requireRecordOptions(kind: RecordKind, { fields, since, until }: RecordOptions): void {
  if (fields) requireFields(kind, fields)
  if (since === undefined || until === undefined) return
  // What is named less exactly has all that begins with it.
  const length = Math.min(since.length, until.length)
  if (since.slice(0, length) > until.slice(0, length))
    throw new UsageError(`--since ${since} is later than --until ${until}`)
}

/** Adds an option that prints the fields of a kind of records, whatever else the command line says. */
function addFieldList(command: Command, kind: RecordKind): Command {
  return command.option('--list-fields', 'print the names and types of all fields').on('option:list-fields', () => {
    const fields = listFields(kind)
    const width = Math.max(...fields.map(({ name }) => name.length))
    for (const { name, type, description } of fields)
      process.stdout.write(`${name.padEnd(width)}  ${type.padEnd(7)}  ${description}`.trimEnd().concat('\n'))
    throw new CommanderError(0, 'xylem.listFields', 'the fields were printed')
  })
}

/** Adds the options that `pages` and `revisions` have. */
export function addDumpOptions(command: Command, kind: RecordKind): Command {
  return addFieldList(addRecordOptions(command, kind), kind)
    .option('--limit <n>', 'stop after N records', parseCount)
    .option('--format <name>', 'jsonl, csv or tsv (default: by the name of the output, else "jsonl")', parseFormat)
    .option('--csv-safe', "in tables, put ' before text that a spreadsheet could run as a formula")
    .option(
      '--output <file>',
      'write to a file instead of standard output (.gz and .zst are compressed); a folder with --resume',
    )
    .option('--resume', 'write part files into the --output folder, and continue where an earlier run stopped')
    .option('--range-size <bytes>', 'with --resume, write a part for about every N bytes of the dump', parsePositive)
    .option('--jobs <n>', `use N threads to decompress and parse (default: ${defaultJobs()})`, parsePositive)
    .option(
      '--verify',
      'check the sizes and hashes of texts, and the checksum of the file if one is published beside it',
    )
    .option('--stats', 'print totals, speed and memory use at the end')
    .option('--quiet', 'do not show progress')
}

function parseFormat(text: string): 'jsonl' | TableKind {
  if (text !== 'jsonl' && text !== 'csv' && text !== 'tsv')
    throw new InvalidArgumentError('It must be jsonl, csv or tsv.')
  return text
}

function parseOnError(text: string): OnError {
  if (text !== 'stop' && text !== 'skip-page' && text !== 'skip-block') {
    throw new InvalidArgumentError('It must be stop, skip-page or skip-block.')
  }
  return text
}

export function defaultJobs(): number {
  return Math.min(MOST_JOBS, availableParallelism())
}
