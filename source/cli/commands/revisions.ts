// `xylem revisions`: dumps to one revision a line.

import type { Command } from 'commander'
import { addDumpOptions, type DumpCommandOptions, type GivenOptions } from '../options/dump-options.ts'
import { INPUTS } from '../options/option-values.ts'

const HELP = `
Prints each revision of MediaWiki XML dumps as one line of JSON, with its page in "page". Memory
is bounded by the largest revision, whatever the number of revisions of a page. Filters for pages
(--ns, --redirects, --title, --ids) and filters for revisions can be combined.

Examples:
  xylem revisions history.xml.bz2 --fields page.title,id,timestamp,contributor.username --format csv
  xylem revisions history.xml.bz2 --since 2026-01-01 --minor out > changes.jsonl`

/** Adds the command. `signal` stops it. */
export function addRevisionsCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('revisions')
    .summary('print the revisions of dumps as JSON lines or as a table')
    .argument('<dump...>', `the dumps to read: ${INPUTS}`)
  addDumpOptions(command, 'revisions')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem revisions --help)')
    .action(async (dumps: string[], options: GivenOptions<DumpCommandOptions>) => {
      const { runDumpCommand } = await import('../actions/of-dumps.ts')
      await runDumpCommand('revisions', dumps, options, signal)
    })
}
