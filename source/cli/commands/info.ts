// `xylem info`: what dumps are, from their first bytes.

import type { Command } from 'commander'
import { makeJobs } from '../options/jobs.ts'
import { INPUTS } from '../options/option-values.ts'

export interface InfoOptions {
  json?: true
  jobs: number
}

const HELP = `
Prints the wiki, its namespaces, the format version, the compression and the size of dumps. From
the first 16 MiB of a dump, it estimates the number of pages and the size of the XML. A dump that
cannot be read does not keep the others from being described.

Examples:
  xylem info dump.xml.bz2
  xylem info 'dumps/*.bz2' --json`

/** Adds the command. `signal` stops it. */
export function addInfoCommand(program: Command, signal: AbortSignal): void {
  program
    .command('info')
    .summary('describe dumps: wiki, format, size and estimated number of pages')
    .argument('<dump...>', `the dumps to describe: ${INPUTS}`)
    .option('--json', 'print one line of JSON for each dump')
    .addOption(makeJobs())
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem info --help)')
    .action(async (dumps: string[], options: InfoOptions) => {
      const { describeDumps } = await import('../actions/of-dumps.ts')
      await describeDumps(dumps, options, signal)
    })
}
