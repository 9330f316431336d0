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
Writes one line for each page, with its position, id and title; "xylem get DUMP" finds pages with
it. For an uncompressed dump, a line is offset:id:title, as in MediaWiki's own indexes. For bzip2
it is bit+skip:id:title: the page begins "skip" bytes into the block that begins at that bit. The
first line identifies the dump. The last line shows that the index is complete.

Example:
  xylem index dump.xml.bz2 && xylem get dump.xml.bz2 --title Xylem`

/** Adds the command. `signal` stops it. */
export function addIndexCommand(program: Command, signal: AbortSignal): void {
  program
    .command('index')
    .summary('write an index of a dump, to find single pages')
    .argument('<dump>', 'the dump: uncompressed, or compressed with bzip2')
    .option('--output <file>', 'write to this file, or - for standard output (default: DUMP.index)')
    .option('--jobs <n>', 'use N threads to decompress bzip2', parsePositive, defaultJobs())
    .addOption(makeMaxRetained())
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem index --help)')
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
