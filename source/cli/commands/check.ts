// `xylem check`: whether documents are well-formed.

import type { Command } from 'commander'
import { addXmlOptions, type XmlCommandOptions } from '../xml-options.ts'

export interface CheckOptions extends XmlCommandOptions {
  quiet?: true
}

const HELP = `
Reads XML documents of any size and tells whether they are well-formed, with their namespaces.
Prints a line for each document with a fault, as "file:line:column: what is wrong", and an excerpt
below it; the first fault of a document ends its reading. A document that cannot be read is told
of on standard error, and so is one that passes a limit; the others are read. Documents may be
compressed with gzip, bzip2 or zstd. Exits with 1 when there was a fault, with 3 or 5 when a
document could not be read or passed a limit.

Examples:
  xylem check feed.xml
  xylem check --no-namespaces *.xml
  curl -s https://example.org/dump.xml.gz | xylem check -`

/** Adds the command. `signal` stops it. */
export function addCheckCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('check')
    .summary('tell whether XML documents are well-formed')
    .argument('<files...>', 'the documents to check, or - for standard input')
  addXmlOptions(command)
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem check --help tells what there is)')
    .action(async (files: string[], options: CheckOptions) => {
      const { checkFiles } = await import('../actions/of-documents.ts')
      await checkFiles(files, options, signal)
    })
}
