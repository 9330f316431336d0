// `xylem get`: one page of a dump, without reading the dump where there is an index.

import { stat } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { readDump } from '../../mediawiki/dump-reader.ts'
import { type IndexEntry, readIndex, readPageAt } from '../../mediawiki/multistream-index.ts'
import type { Page } from '../../mediawiki/page.ts'
import { HttpSource } from '../../stream/sources/http.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { defaultJobs, makeMaxRetained } from '../dump-options.ts'
import { InputError, ToldAlready, UsageError } from '../errors.ts'
import { ExitCode } from '../exit-codes.ts'
import { parseCount } from '../option-values.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { writeOutput } from '../output/output.ts'
import { tell } from '../terminal.ts'

interface GetOptions {
  title?: string
  id?: number
  index?: string
  text?: true
  maxRetained?: number
  output?: string
}

const HELP = `
Prints one page as a line of JSON, or its wikitext with --text. With an index only a small part of
the dump is read, which may then be a URL: the index is looked for beside the dump, as MediaWiki
names it (…-multistream-index.txt.bz2) and as "xylem index" does (DUMP.index). Without one the dump
is read until the page comes. The exit code is 1 when there is no such page.

Examples:
  xylem get enwiki-20261101-pages-articles-multistream.xml.bz2 --title Xylem
  xylem get dump.xml.bz2 --id 7 --text`

/** Adds the command. `signal` stops it. */
export function addGetCommand(program: Command, signal: AbortSignal): void {
  program
    .command('get')
    .summary('print one page of a dump, by its title or its id')
    .argument('<dump>', 'the dump: a file, or with --index a URL')
    .option('--title <title>', 'the title, with its namespace; underscores are spaces', parseTitle)
    .option('--id <n>', "the page's id", parseCount)
    .option('--index <file>', 'the index of the dump: a file or a URL')
    .option('--text', 'print the wikitext in place of JSON')
    .addOption(makeMaxRetained())
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem get --help tells what there is)')
    .action((dump: string, options: GetOptions) => printPage(dump, options, signal))
}

async function printPage(dump: string, options: GetOptions, signal: AbortSignal): Promise<void> {
  const { title, id, text, output: path } = options
  if ((title === undefined) === (id === undefined)) throw new UsageError('say which page: --title or --id')
  const page = await findPage(dump, options, signal)
  if (!page) {
    tell(`xylem: ${dump}: there is no page with the ${title === undefined ? `id ${id}` : `title ${title}`}`)
    throw new ToldAlready(ExitCode.FAULTS)
  }
  const line = text ? `${page.revision?.text ?? ''}\n` : formatJsonLine(page)
  await writeOutput(path, isUrl(dump) ? undefined : dump, signal, (output) => output.write(line))
}

async function findPage(
  dump: string,
  { title, id, index, maxRetained }: GetOptions,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const isWanted = (page: { id: number; title: string }) =>
    title === undefined ? page.id === id : page.title === title
  const indexPath = index ?? (isUrl(dump) ? undefined : await findIndex(dump))
  if (indexPath === undefined && isUrl(dump)) throw new UsageError('a dump behind a URL is read by an index: --index')
  if (indexPath !== undefined) {
    const entry = await findEntry(indexPath, isWanted, signal)
    if (!entry) return undefined
    try {
      return await readPageAt(open(dump, signal), entry, { signal, maxRetained })
    } catch (error) {
      throw new InputError(dump, error)
    }
  }
  try {
    for await (const page of readDump(new FileSource(dump), { signal, threads: defaultJobs(), maxRetained }).pages(
      isWanted,
    ))
      return page
    return undefined
  } catch (error) {
    throw new InputError(dump, error)
  }
}

async function findEntry(
  path: string,
  isWanted: (entry: IndexEntry) => boolean,
  signal: AbortSignal,
): Promise<IndexEntry | undefined> {
  try {
    for await (const entry of readIndex(open(path, signal))) {
      signal.throwIfAborted()
      if (isWanted(entry)) return entry
    }
    return undefined
  } catch (error) {
    throw new InputError(path, error)
  }
}

/** The index beside a dump; undefined when there is none. */
async function findIndex(dump: string): Promise<string | undefined> {
  const multistream = dump.replace(/-multistream(\d*)\.xml/, '-multistream-index$1.txt')
  const names = [`${dump}.index`, ...(multistream === dump ? [] : [multistream, multistream.replace(/\.bz2$/, '')])]
  for (const name of names) {
    const isThere = await stat(name).then(
      (status) => status.isFile(),
      () => false,
    )
    if (isThere) return name
  }
  return undefined
}

function open(name: string, signal: AbortSignal): FileSource | HttpSource {
  return isUrl(name) ? new HttpSource(name, { signal }) : new FileSource(name)
}

function isUrl(name: string): boolean {
  return /^https?:\/\//.test(name)
}

function parseTitle(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a title.')
  return text.replaceAll('_', ' ').trim()
}
