// What the commands that read dumps are told.

import { CommanderError } from 'commander'
import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { RecordFilter } from '../../mediawiki/lines/filter-conditions.ts'
import type { FormatOptions } from '../../record/format/format.ts'
import { UsageError } from '../errors/errors.ts'
import { listFields, requireFields } from '../output/field-names.ts'
import { print } from '../terminal/outcome.ts'
import { FORMAT, FORMAT_OPTION_NAMES, formatOptions } from './format-options.ts'
import { MAX_INPUT, MAX_RETAINED } from './limit-options.ts'
import { type GivenLists, parseIds, parseTitles } from './list-options.ts'
import {
  ALLOW_EMPTY,
  jobs,
  NO_WARNINGS,
  nameOfValue,
  type OptionEntry,
  type OptionValues,
  OUTPUT,
  QUIET,
  readFlags,
  VERIFY_INPUTS,
} from './option.ts'
import {
  INPUT,
  normalizeTitle,
  oneOf,
  parseCount,
  parseFieldList,
  parseList,
  parseName,
  parsePattern,
  parsePositive,
  parseRepeated,
  parserOf,
  parseSize,
  parseSizeOrNone,
  parseTime,
} from './option-values.ts'
import { ENCODING, ENTITIES, NO_NAMESPACES } from './xml-options.ts'

const HOW = ['stop', 'skip', 'skip-page', 'skip-block'] as const
const parseHow = oneOf(...HOW)
const parseOnError = Object.assign((text: string): OnError => (text === 'skip' ? 'skip-page' : parseHow(text)), {
  words: HOW,
})
const parsePresence = oneOf('in', 'out', 'only')

/** What is done at faults. Of dumps, `skip` is `skip-page`. */
export type OnError = 'stop' | 'skip' | 'skip-page' | 'skip-block'

/** Which records are wanted, and what of them. */
export type RecordOptions = RecordFilter &
  Omit<OptionValues<ReturnType<typeof recordOptions>>, keyof RecordFilter> & {
    /** The options of the format. */
    written?: FormatOptions | undefined
  }

/** Options as they are given: ids and titles may stand in files, see `readLists`. */
export type GivenOptions<Options extends RecordFilter> = Omit<Options, keyof GivenLists> & GivenLists

/** What `pages` and `revisions` are told. */
export type DumpCommandOptions = RecordOptions & Omit<OptionValues<ReturnType<typeof dumpOptions>>, keyof RecordOptions>

export type PlanOptions = RecordOptions & Omit<OptionValues<typeof PLAN_OPTIONS>, keyof RecordOptions>

/** The options that say which records are wanted, and what of them. */
function recordOptions(kind: RecordKind) {
  const example = kind === 'pages' ? 'id,title,revision.text' : 'page.title,id,text'
  return [
    [
      '--ns <list>',
      'only pages in these namespaces, such as 0,Template: numbers, names on the wiki, or English names',
      parseList,
    ],
    ['--redirects <how>', 'redirect pages: in, out or only (default: "in")', parsePresence],
    ['--title <pattern>', 'only pages whose title matches a regular expression', parsePattern],
    ['--ignore-case', 'match --title without regard to case'],
    [
      '--titles <list>',
      'only pages with these titles, such as "Tree|Wood"; @FILE: one title on each line',
      parseTitles,
    ],
    ['--ids <ranges>', 'only pages with these ids, such as 7,100-200,5000-; @FILE: one on each line', parseIds],
    ['--since <date>', 'only revisions from this time on, such as 2026, 2026-01-31 or 2026-01-31T12:00:00Z', parseTime],
    ['--until <date>', 'only revisions up to this time; a year, month or day is included completely', parseTime],
    ['--model <list>', 'only revisions with these content models, such as wikitext', parseList],
    ['--minor <how>', 'minor revisions: in, out or only (default: "in")', parsePresence],
    ['--min-size <bytes>', 'only revisions whose text has at least N bytes, such as 10k', parseSizeOrNone],
    ['--max-size <bytes>', 'only revisions whose text has at most N bytes (default: no limit)', parseSizeOrNone],
    ['--contributor <list>', 'only revisions by these user names or IP addresses', parseList],
    [
      '--where <condition>',
      'only records for which a condition on a field holds, such as "page.id>100"; repeatable',
      parseRepeated,
    ],
    [
      '--fields <list>',
      `only these fields, such as ${example} (--list-fields prints all); name=path adds what a path of XML leads to`,
      parseFieldList,
    ],
    ['--check-all-fields', 'stop at errors in all fields, not only in those that are written'],
    FORMAT,
    ...formatOptions(),
    [
      '--on-error <how>',
      'at an error: stop, skip-page (or skip), or skip-block, which also skips damaged bzip2 blocks',
      { parse: parseOnError, default: 'stop' },
    ],
    ['--strict', 'refuse characters that XML does not allow, instead of replacing them'],
    MAX_RETAINED,
  ] as const satisfies readonly OptionEntry[]
}

/** The names of the values that say what is wanted of records, but for their format: those of the options, and what stands for some of them. */
export const QUESTION: readonly (keyof RecordOptions)[] = [
  ...recordOptions('pages').map(([flags]) => nameOfValue(readFlags(flags)) as keyof RecordOptions),
  ...(['prefixes', 'resolvedTitles', 'written'] as const),
].filter((name) => name !== 'format' && !FORMAT_OPTION_NAMES.includes(name))

/** The options of `pages` and `revisions`. */
export function dumpOptions(kind: RecordKind) {
  return [
    ...recordOptions(kind),
    ['--list-fields', 'print the names and types of all fields', () => printFields(kind)],
    ...formatOptions('file'),
    ['--limit <n>', 'stop after N records', parseCount],
    [OUTPUT[0], `${OUTPUT[1]} (.gz and .zst are compressed); a folder with --resume`, parseName],
    ['--resume', 'write part files into the --output folder, and continue where an earlier run stopped'],
    VERIFY_INPUTS,
    ['--range-size <bytes>', 'with --resume, write a part for about every N bytes of the dump', parseSize],
    jobs('use N threads to decompress and parse'),
    ['--verify', 'check the sizes and hashes of texts'],
    MAX_INPUT,
    ['--stats', 'print totals, speed and memory use at the end'],
    ALLOW_EMPTY,
    NO_WARNINGS,
    QUIET,
  ] as const satisfies readonly OptionEntry[]
}

export const PLAN_OPTIONS = [
  ['--revisions', 'read revisions instead of pages'],
  ['--ranges <n>', 'divide each file into N ranges', parsePositive],
  [
    '--range-size <bytes>',
    'divide files into ranges of about N bytes (default: 16 MiB for bzip2, 64 MiB for XML)',
    parseSize,
  ],
  [
    '--cuts <how>',
    'find where each range begins and ends: guessed (reads a little at each cut) or verified (reads all of each file)',
    oneOf('guessed', 'verified'),
  ],
  jobs('with --cuts verified: use N threads to decompress bzip2'),
  ['--each <names>', 'read these elements of any XML instead of dumps, such as row or node,way', parseFieldList],
  ['--field <name=path>', 'with --each: this field of each element, as in "xylem select"; repeatable', parseRepeated],
  ['--shape <file>', 'with --each: the fields of this shape, a file of JSON'],
  ['--lenient', 'with --each: null for a value that is not of its kind; otherwise it is an error'],
  ['--prefix <prefix=URI>', 'with --each: the namespace that a prefix stands for; repeatable', parseRepeated],
  [
    '--nested <which>',
    'with --each: of matches inside each other, the outermost, innermost or all',
    { parse: oneOf('outermost', 'innermost', 'all'), default: 'outermost' },
  ],
  NO_NAMESPACES,
  ENCODING,
  ...ENTITIES,
  ...recordOptions('pages'),
  OUTPUT,
] as const satisfies readonly OptionEntry[]

/** Throws a `UsageError` for fields that records of a kind cannot have, and for conditions that nothing can meet. */
export function requireRecordOptions(
  kind: RecordKind,
  options: Pick<RecordOptions, 'fields' | 'since' | 'until' | 'title' | 'ignoreCase' | 'minSize' | 'maxSize'>,
): void {
  const { fields, since, until, title, ignoreCase, minSize = 0, maxSize = minSize } = options
  if (fields) requireFields(kind, fields)
  if (ignoreCase && title === undefined) throw new UsageError('--ignore-case applies to --title; use both together')
  if (minSize > maxSize) throw new UsageError(`--min-size ${minSize} is greater than --max-size ${maxSize}`)
  if (since === undefined || until === undefined) return
  // What is named less exactly has all that begins with it.
  const length = Math.min(since.length, until.length)
  if (since.slice(0, length) > until.slice(0, length))
    throw new UsageError(`--since ${since} is later than --until ${until}`)
}

/** Prints the fields of a kind of records, and ends the command, whatever else the command line says. */
function printFields(kind: RecordKind): never {
  const fields = listFields(kind)
  const width = Math.max(...fields.map(({ name }) => name.length))
  for (const { name, type, description } of fields)
    print(`${name.padEnd(width)}  ${type.padEnd(7)}  ${description}`.trimEnd().concat('\n'))
  throw new CommanderError(0, 'xylem.listFields', 'the fields were printed')
}

export type GetOptions = OptionValues<typeof GET_OPTIONS>
export type IndexOptions = OptionValues<typeof INDEX_OPTIONS>

export const GET_OPTIONS = [
  [
    '--title <title>',
    'the title of the page, with its namespace; spaces, underscores and the first letter as on the wiki',
    parserOf((text) => (text.trim() === '' ? undefined : normalizeTitle(text)), 'a page title.'),
  ],
  ['--id <n>', 'the id of the page', parseCount],
  ['--index <file>', `the index of the dump: ${INPUT}`],
  ['--text', 'print the wikitext instead of JSON'],
  jobs(),
  MAX_RETAINED,
  MAX_INPUT,
  OUTPUT,
  QUIET,
] as const satisfies readonly OptionEntry[]

export const INDEX_OPTIONS = [
  ['-o, --output <file>', 'write to this file, or - for standard output (default: DUMP.index)', parseName],
  jobs(),
  MAX_RETAINED,
  MAX_INPUT,
  QUIET,
] as const satisfies readonly OptionEntry[]
