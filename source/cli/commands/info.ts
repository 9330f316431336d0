// `xylem info`: what a dump is, from its first bytes.

import type { Command } from 'commander'

export interface InfoOptions {
  json?: true
}

const HELP = `
Tells the wiki, its namespaces, the version of the format, the compression and the size of a dump,
and estimates from its beginning how many pages it has and how much XML.

Examples:
  xylem info dump.xml.bz2
  xylem info dump.xml.bz2 --json`

/** Adds the command. `signal` stops it. */
export function addInfoCommand(program: Command, signal: AbortSignal): void {
  program
    .command('info')
    .summary('tell what a dump is: its wiki, format, size and about how many pages')
    .argument('<dump>', 'the dump')
    .option('--json', 'as one line of JSON')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem info --help tells what there is)')
    .action(async (dump: string, options: InfoOptions) => {
      const { printInfo } = await import('../actions/of-dumps.ts')
      await printInfo(dump, options, signal)
    })
}
