// What the commands that read dumps are told.

import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import type { RecordKind } from '../../mediawiki/added-fields.ts'
import { UsageError } from '../errors/errors.ts'
import { listFields, requireFields } from '../output/field-names.ts'
import type { FilterOptions } from '../records/dump-filter.ts'
import { parseDate } from './dates.ts'
import { type FormatOptions, makeCsvSafe, makeFormat } from './format-options.ts'
import { makeJobs } from './jobs.ts'
import { makeMaxInput, makeMaxRetained } from './limit-options.ts'
import { type GivenLists, parseIds, parseTitles } from './list-options.ts'
import { parseCount, parseFieldList, parseList, parsePattern, parsePresence, parseSize } from './option-values.ts'

/** What is done at faults. */
export type OnError = 'stop' | 'skip-page' | 'skip-block'

/** Which records are wanted, and what of them. */
export interface RecordOptions extends FilterOptions, FormatOptions {
  fields?: readonly string[]
  strict?: true
  maxRetained?: number
  onError: OnError
}

/** The same as it is given: ids and titles may stand in files, see `readLists`. */
export type GivenOptions<Options extends FilterOptions> = Omit<Options, keyof GivenLists> & GivenLists

/** What `pages` and `revisions` are told. */
export interface DumpCommandOptions extends RecordOptions {
  limit?: number
  output?: string
  resume?: true
  rangeSize?: number
  jobs: number
  verify?: true
  stats?: true
  quiet?: true
  maxInput?: number
}

/** Adds the options that say which records are wanted, and what of them. */
export function addRecordOptions(command: Command, kind: RecordKind = 'pages'): Command {
  const example = kind === 'pages' ? 'id,title,revision.text' : 'page.title,id,text'
  return command
    .option(
      '--ns <list>',
      'only pages in these namespaces, such as 0,Template: numbers, names on the wiki, or English names',
      parseList,
    )
    .option('--redirects <how>', 'redirect pages: in, out or only (default: "in")', parsePresence)
    .option('--title <pattern>', 'only pages whose title matches a regular expression', parsePattern)
    .option(
      '--titles <list>',
      'only pages with these titles, such as "Tree|Wood"; @FILE: one title on each line',
      parseTitles,
    )
    .option('--ids <ranges>', 'only pages with these ids, such as 7,100-200,5000-; @FILE: one on each line', parseIds)
    .option(
      '--since <date>',
      'only revisions from this time on, such as 2026, 2026-01-31 or 2026-01-31T12:00:00Z',
      parseDate,
    )
    .option('--until <date>', 'only revisions up to this time; a year, month or day is included completely', parseDate)
    .option('--model <list>', 'only revisions with these content models, such as wikitext', parseList)
    .option('--minor <how>', 'minor revisions: in, out or only (default: "in")', parsePresence)
    .option('--contributor <list>', 'only revisions by these user names or IP addresses', parseList)
    .option(
      '--fields <list>',
      `only these fields, such as ${example} (--list-fields prints all); name=path adds what a path of XML leads to`,
      parseFieldList,
    )
    .addOption(makeFormat())
    .addOption(makeCsvSafe())
    .option(
      '--on-error <how>',
      'at an error: stop, skip-page, or skip-block, which also skips damaged bzip2 blocks',
      parseOnError,
      'stop',
    )
    .option('--strict', 'refuse characters that XML does not allow, instead of replacing them')
    .addOption(makeMaxRetained())
}

/** Throws a `UsageError` for fields that records of a kind cannot have, and for conditions that nothing can meet. */
export function requireRecordOptions(
  kind: RecordKind,
  { fields, since, until }: Pick<RecordOptions, 'fields' | 'since' | 'until'>,
): void {
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
    .option(
      '--output <file>',
      'write to a file instead of standard output (.gz and .zst are compressed); a folder with --resume',
    )
    .option('--resume', 'write part files into the --output folder, and continue where an earlier run stopped')
    .option('--range-size <bytes>', 'with --resume, write a part for about every N bytes of the dump', parseSize)
    .addOption(makeJobs('use N threads to decompress and parse'))
    .option(
      '--verify',
      'check the sizes and hashes of texts, and the checksum of the file if one is published beside it',
    )
    .addOption(makeMaxInput())
    .option('--stats', 'print totals, speed and memory use at the end')
    .option('--quiet', 'do not show progress')
}

function parseOnError(text: string): OnError {
  if (text !== 'stop' && text !== 'skip-page' && text !== 'skip-block') {
    throw new InvalidArgumentError('It must be stop, skip-page or skip-block.')
  }
  return text
}
