// `xylem info`: what a dump is, from its first bytes.

import type { Command } from 'commander'

export interface InfoOptions {
  json?: true
}

const HELP = `
Prints the wiki, its namespaces, the format version, the compression and the size of a dump. From
the beginning of the dump, it estimates the number of pages and the size of the XML.

Examples:
  xylem info dump.xml.bz2
  xylem info dump.xml.bz2 --json`

/** Adds the command. `signal` stops it. */
export function addInfoCommand(program: Command, signal: AbortSignal): void {
  program
    .command('info')
    .summary('describe a dump: its wiki, format, size and estimated number of pages')
    .argument('<dump>', 'the dump to read')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem info --help)')
    .action(async (dump: string, options: InfoOptions) => {
      const { printInfo } = await import('../actions/of-dumps.ts')
      await printInfo(dump, options, signal)
    })
}
