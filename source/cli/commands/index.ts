// `xylem index`: where the pages of a dump are.

import type { Command } from 'commander'
import { defaultJobs, makeMaxRetained } from '../dump-options.ts'
import { parsePositive } from '../option-values.ts'

export interface IndexOptions {
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
    .action(async (dump: string, options: IndexOptions) => {
      const { writeIndex } = await import('../actions/of-dumps.ts')
      await writeIndex(dump, options, signal)
    })
}
