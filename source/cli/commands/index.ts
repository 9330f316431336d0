// `xylem index`: where the pages of a dump are.

import type { Command } from 'commander'
import { buildIndex, makeIndexHead } from '../../mediawiki/index-builder.ts'
import { formatIndexEnd, formatIndexEntry, formatIndexHead } from '../../mediawiki/index-format.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { defaultJobs, makeMaxRetained } from '../dump-options.ts'
import { InputError } from '../errors.ts'
import { nameFaults } from '../input.ts'
import { parsePositive } from '../option-values.ts'
import { writeOutput } from '../output/output.ts'
import { ProgressLine } from '../progress.ts'

interface IndexOptions {
  output?: string
  jobs: number
  maxRetained?: number
  quiet?: true
}

const HELP = `
Writes for each page a line with its place, its id and its title, by which "xylem get" finds it: as
MediaWiki's own indexes, offset:id:title, for a dump that is not compressed, and bit+skip:id:title
for bzip2, where the page begins "skip" bytes into the block that begins at that bit. The first line
says which dump it is of, and the last one that it is complete. "xylem get DUMP" uses DUMP.index.

Example:
  xylem index dump.xml.bz2 && xylem get dump.xml.bz2 --title Xylem`

/** Adds the command. `signal` stops it. */
export function addIndexCommand(program: Command, signal: AbortSignal): void {
  program
    .command('index')
    .summary('write an index of a dump, by which single pages are found')
    .argument('<dump>', 'the dump: plain, or compressed with bzip2')
    .option('--output <file>', 'where to write it, or - for standard output (default: DUMP.index)')
    .option('--jobs <n>', 'threads that decompress bzip2', parsePositive, defaultJobs())
    .addOption(makeMaxRetained())
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem index --help tells what there is)')
    .action((dump: string, options: IndexOptions) => writeIndex(dump, options, signal))
}

/** Lines that are put together before they are written. */
const BATCH = 1000

async function writeIndex(dump: string, options: IndexOptions, signal: AbortSignal): Promise<void> {
  const { output: path = `${dump}.index`, jobs, maxRetained, quiet } = options
  const source = new FileSource(dump)
  const head = await makeIndexHead(source).catch((error) => {
    throw new InputError(dump, error)
  })
  const entries = nameFaults(dump, buildIndex(source, { signal, threads: jobs, limits: { maxRetained } }))
  const progress = new ProgressLine(!quiet && (path !== '-' || !process.stdout.isTTY))
  try {
    let next = await entries.next()
    await writeOutput(path === '-' ? undefined : path, dump, signal, async (output) => {
      let text = formatIndexHead(head)
      let count = 0
      try {
        for (; !next.done; next = await entries.next()) {
          text += formatIndexEntry(next.value)
          if (++count % BATCH > 0) continue
          await output.write(text)
          text = ''
          progress.update(source.progress, count)
        }
        text += formatIndexEnd(count)
      } finally {
        await output.write(text)
      }
    })
  } finally {
    progress.clear()
    await entries.return(undefined)
  }
}
