// `xylem index`: where the pages of a dump are.

import type { Command } from 'commander'
import { makeJobs } from '../options/jobs.ts'
import { makeMaxInput, makeMaxRetained } from '../options/limit-options.ts'

export interface IndexOptions {
  output?: string
  jobs: number
  maxRetained?: number
  maxInput?: number
  quiet?: true
}

const HELP = `
Writes one line for each page, with its position, id and title; "xylem get DUMP" finds pages with
it. For an uncompressed dump, a line is offset:id:title, as in MediaWiki's own indexes. For bzip2
it is bit+skip:id:title: the page begins "skip" bytes into the block that begins at that bit. The
first line identifies the dump. The last line shows that the index is complete. Each dump gets an
index of its own.

Example:
  xylem index dump.xml.bz2 && xylem get dump.xml.bz2 --title Xylem`

/** Adds the command. `signal` stops it. */
export function addIndexCommand(program: Command, signal: AbortSignal): void {
  program
    .command('index')
    .summary('write indexes of dumps, to find single pages')
    .argument('<dump...>', 'the dumps: files, patterns, or URLs; uncompressed, or compressed with bzip2')
    .option('--output <file>', 'write to this file, or - for standard output (default: DUMP.index)')
    .addOption(makeJobs())
    .addOption(makeMaxRetained())
    .addOption(makeMaxInput())
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem index --help)')
    .action(async (dumps: string[], options: IndexOptions) => {
      const { writeIndexes } = await import('../actions/of-dumps.ts')
      await writeIndexes(dumps, options, signal)
    })
}
