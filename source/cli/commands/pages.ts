// `xylem pages`: dumps to one page a line.

import type { Command } from 'commander'
import { addDumpOptions, type DumpCommandOptions, type GivenOptions } from '../options/dump-options.ts'
import { INPUTS } from '../options/option-values.ts'

const HELP = `
Prints each page of MediaWiki XML dumps as one line of JSON: id, ns, title, redirect, and the
newest revision in the dump. Dumps can be uncompressed, or compressed with gzip, bzip2 (also
multistream) or zstd. The format is detected from the first bytes, not from the file name. The
JSON Schema "xylem/page.schema.json" describes the lines.

Examples:
  xylem pages dump.xml.bz2 > pages.jsonl
  xylem pages dump.xml.bz2 --ns 0,Template --redirects out --limit 10
  xylem pages 'dumps/*.xml*.bz2' --fields id,title,revision.text --output pages.csv.gz
  curl -s https://example.org/dump.xml.gz | xylem pages - | head`

/** Adds the command. `signal` stops it. */
export function addPagesCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('pages')
    .summary('print the pages of dumps as JSON lines or as a table')
    .argument('<dump...>', `the dumps to read: ${INPUTS}`)
  addDumpOptions(command, 'pages')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem pages --help)')
    .action(async (dumps: string[], options: GivenOptions<DumpCommandOptions>) => {
      const { runDumpCommand } = await import('../actions/of-dumps.ts')
      await runDumpCommand('pages', dumps, options, signal)
    })
}
