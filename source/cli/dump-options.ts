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
    .option('--ns <list>', 'only pages of these namespaces, by number or name, such as 0,Template', parseList)
    .option('--redirects <how>', 'pages that redirect: in (the default), out or only', parsePresence)
    .option('--title <pattern>', 'only pages whose title matches a regular expression', parsePattern)
    .option('--ids <ranges>', 'only pages with these ids, such as 7,100-200,5000-', parseRanges)
    .option('--since <date>', 'only revisions from this date or time on, in UTC', parseDate)
    .option('--until <date>', 'only revisions up to the end of this date or time, in UTC', parseDate)
    .option('--model <list>', 'only revisions of these content models, such as wikitext', parseList)
    .option('--minor <how>', 'revisions marked as minor: in (the default), out or only', parsePresence)
    .option('--contributor <list>', 'only revisions of these accounts or addresses', parseList)
    .option('--fields <list>', `only these fields, such as ${example} (see --list-fields)`, parseList)
    .option(
      '--on-error <how>',
      'at a fault stop, or go on: skip-page, or skip-block for damaged archives too',
      parseOnError,
      'stop',
    )
    .option('--strict', 'refuse characters that XML does not allow, in place of replacing them')
    .addOption(makeMaxRetained())
}

/** How large a revision may be, or whatever else is held as a whole. */
export function makeMaxRetained(): Option {
  const option = new Option('--max-retained <bytes>', 'the most that may be held of a dump at once (256 MiB)')
  return option.argParser(parsePositive)
}

/** Throws a `UsageError` for fields that records of a kind cannot have, and for conditions that nothing can meet. */
export function requireRecordOptions(kind: RecordKind, { fields, since, until }: RecordOptions): void {
  if (fields) requireFields(kind, fields)
  if (since === undefined || until === undefined) return
  // What is named less exactly has all that begins with it.
  const length = Math.min(since.length, until.length)
  if (since.slice(0, length) > until.slice(0, length))
    throw new UsageError(`--since ${since} is after --until ${until}`)
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
    .option('--limit <n>', 'stop after this many lines', parseCount)
    .option(
      '--format <name>',
      'jsonl, csv or tsv; jsonl unless the name of the output ends in .csv or .tsv',
      parseFormat,
    )
    .option('--csv-safe', "put ' before texts in tables that spreadsheets would take for formulas")
    .option(
      '--output <file>',
      'write to a file instead of standard output; compressed where it ends in .gz or .zst. A folder: see --resume',
    )
    .option('--resume', 'write part files into the folder of --output, and go on where an earlier run has stopped')
    .option('--range-size <bytes>', 'with --resume, about how much of the dump is in a part', parsePositive)
    .option(
      '--jobs <n>',
      `threads that decompress and parse (${defaultJobs()} here, unless said otherwise)`,
      parsePositive,
    )
    .option('--verify', 'compare sizes and hashes of texts, and the checksum of the file where one is beside it')
    .option('--stats', 'say at the end what was read, how fast, and with how much memory')
    .option('--quiet', 'show no progress on the terminal')
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
