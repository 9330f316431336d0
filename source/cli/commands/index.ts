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
    .action(async (dump: string, options: IndexOptions) => {
      const { writeIndex } = await import('../actions/of-dumps.ts')
      await writeIndex(dump, options, signal)
    })
}
