// `xylem check`: whether documents are well-formed.

import type { Command } from 'commander'
import { makeJobs } from '../options/jobs.ts'
import { INPUTS } from '../options/option-values.ts'
import { addXmlOptions, type XmlCommandOptions } from '../options/xml-options.ts'

export interface CheckOptions extends XmlCommandOptions {
  jobs: number
  quiet?: true
}

const HELP = `
Checks whether XML documents of any size are well-formed, including their namespaces. For each
document with an error, prints "file:line:column: what is wrong" and an excerpt; checking a
document ends at its first error. Documents that cannot be read, and documents that exceed a limit,
are reported on standard error; the others are still checked. Documents can be compressed with
gzip, bzip2 or zstd. Exits with 1 if there was an error, and with 3 or 5 if a document exceeded a
limit or could not be read; with several of these, with the greatest.

Examples:
  xylem check feed.xml
  xylem check --no-namespaces 'feeds/**/*.xml'
  curl -s https://example.org/dump.xml.gz | xylem check -`

/** Adds the command. `signal` stops it. */
export function addCheckCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('check')
    .summary('check whether XML documents are well-formed')
    .argument('<document...>', `the documents to check: ${INPUTS}`)
  addXmlOptions(command)
    .addOption(makeJobs())
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem check --help)')
    .action(async (documents: string[], options: CheckOptions) => {
      const { checkDocuments } = await import('../actions/of-documents.ts')
      await checkDocuments(documents, options, signal)
    })
}
