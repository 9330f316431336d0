// `xylem pages`: a dump to one JSON object a line.

import { type Command, InvalidArgumentError } from 'commander'
import { type DumpReader, readDump } from '../../mediawiki/dump-reader.ts'
import type { Page } from '../../mediawiki/page.ts'
import { FileSource, StandardInput } from '../../stream/sources/node.ts'
import { nameFaults } from '../input.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { type Output, openOutput } from '../output/output.ts'
import { ProgressLine } from '../progress.ts'

interface PagesOptions {
  limit?: number
  ns?: ReadonlySet<number>
  output?: string
  quiet?: true
}

// Smaller than the default: parsing pages takes far longer than reading them, and the fewer large buffers wait for the garbage
// collector, the lower the peak of memory (200 MB of a dump, Node 20: 146 MB with 1 MiB, 118 MB with 128 KiB, equal time).
const CHUNK_SIZE = 128 * 1024
const READ_AHEAD = 2 * CHUNK_SIZE

const HELP = `
Prints each page of a MediaWiki XML dump as one line of JSON: id, ns, title, redirect, and the
newest revision in the dump. A dump may be plain, or compressed with gzip or bzip2 (also
multistream); its first bytes decide, not its name. What a line holds is described by the JSON
Schema "xylem/page.schema.json".

Examples:
  xylem pages dump.xml.bz2 > pages.jsonl
  xylem pages dump.xml.bz2 --ns 0 --limit 10
  curl -s https://example.org/dump.xml.gz | xylem pages - | head`

/** Adds the command. `signal` stops it. */
export function addPagesCommand(program: Command, signal: AbortSignal): void {
  program
    .command('pages')
    .summary('print the pages of a dump as JSON lines')
    .argument('<dump>', 'the dump to read, or - for standard input')
    .option('--limit <n>', 'stop after this many pages', parseCount)
    .option('--ns <numbers>', 'only pages of these namespaces, separated by commas, such as 0,10', parseNumbers)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem pages --help tells what there is)')
    .action((dump: string, options: PagesOptions) => printPages(dump, options, signal))
}

async function printPages(dump: string, options: PagesOptions, signal: AbortSignal): Promise<void> {
  const isStandardInput = dump === '-'
  const source = isStandardInput ? new StandardInput() : new FileSource(dump, { chunkSize: CHUNK_SIZE })
  const reader = readDump(source, { signal, highWaterMark: READ_AHEAD })
  const batches = nameFaults(isStandardInput ? 'standard input' : dump, reader.pageBatches())
  try {
    // A dump that cannot be read must not empty the output of an earlier run, so the output is opened after the first pages.
    const first = await batches.next()
    const output = await openOutput(options.output, isStandardInput ? undefined : dump, signal)
    await writeAll(first, batches, reader, output, options)
  } finally {
    await batches.return(undefined)
  }
}

/** Writes what is wanted of all batches, shows how far it has come, and closes the output. */
async function writeAll(
  first: IteratorResult<Page[], void>,
  others: AsyncGenerator<Page[]>,
  reader: DumpReader,
  output: Output,
  options: PagesOptions,
): Promise<void> {
  // Where pages scroll over the same terminal, a line about them would be in the way.
  const progress = new ProgressLine(!options.quiet && (options.output !== undefined || !process.stdout.isTTY))
  try {
    const report = (pages: number) => progress.update(reader.progress, pages)
    if (!first.done) await writePages(first.value, others, output, options, report)
  } catch (error) {
    // Why writing stopped counts, not what closing then says.
    await output.close().catch(() => {})
    throw error
  } finally {
    progress.clear()
  }
  await output.close()
}

/** Writes the wanted pages, and reports how many there are after each batch. */
async function writePages(
  first: Page[],
  others: AsyncGenerator<Page[]>,
  output: Output,
  { limit = Number.POSITIVE_INFINITY, ns }: PagesOptions,
  report: (pages: number) => void,
): Promise<void> {
  let written = 0
  for await (const batch of prepend(first, others)) {
    const wanted = ns ? batch.filter((page) => isInNamespace(page, ns)) : batch
    const pages = wanted.slice(0, limit - written)
    if (pages.length > 0) await output.write(pages.map(formatJsonLine).join(''))
    written += pages.length
    report(written)
    if (written === limit) return
  }
}

async function* prepend<T>(first: T, others: AsyncGenerator<T>): AsyncGenerator<T, void, undefined> {
  yield first
  yield* others
}

function isInNamespace(page: Page, namespaces: ReadonlySet<number>): boolean {
  return page.ns !== undefined && namespaces.has(page.ns)
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.')
  return Number(text)
}

function parseNumbers(text: string): ReadonlySet<number> {
  if (!/^-?\d+(,-?\d+)*$/.test(text)) throw new InvalidArgumentError('It must be whole numbers separated by commas.')
  return new Set(text.split(',').map(Number))
}
