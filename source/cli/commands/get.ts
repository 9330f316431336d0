// `xylem get`: one page of a dump, without reading the dump where there is an index.

import { type Command, InvalidArgumentError } from 'commander'
import { makeJobs } from '../options/jobs.ts'
import { makeMaxInput, makeMaxRetained } from '../options/limit-options.ts'
import { INPUTS, normalizeTitle, parseCount } from '../options/option-values.ts'

export interface GetOptions {
  title?: string
  id?: number
  index?: string
  text?: true
  jobs: number
  maxRetained?: number
  maxInput?: number
  output?: string
  quiet?: true
}

const HELP = `
Prints one page as a line of JSON, or its wikitext with --text. With an index, it reads only a
small part of the dump, also of one at a URL. It looks for an index beside a file, with the name
that MediaWiki uses (…-multistream-index.txt.bz2) or that "xylem index" uses (DUMP.index). Without
an index, it reads the dump up to the page. It looks in several dumps one after another, and prints
the page from the first that has it. Exits with 1 if no page is found.

Examples:
  xylem get enwiki-20261101-pages-articles-multistream.xml.bz2 --title Xylem
  xylem get dump.xml.bz2 --id 7 --text
  xylem get 'parts/*.bz2' --title Xylem`

/** Adds the command. `signal` stops it. */
export function addGetCommand(program: Command, signal: AbortSignal): void {
  program
    .command('get')
    .summary('print one page of a dump, by title or id')
    .argument('<dump...>', `the dumps to look in: ${INPUTS}`)
    .option('--title <title>', 'the title of the page, with its namespace; an underscore matches a space', parseTitle)
    .option('--id <n>', 'the id of the page', parseCount)
    .option('--index <file>', 'the index of the dump: a file, a URL, or - for standard input')
    .option('--text', 'print the wikitext instead of JSON')
    .addOption(makeJobs())
    .addOption(makeMaxRetained())
    .addOption(makeMaxInput())
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem get --help)')
    .action(async (dumps: string[], options: GetOptions) => {
      const { printPage } = await import('../actions/of-dumps.ts')
      await printPage(dumps, options, signal)
    })
}

function parseTitle(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a page title.')
  return normalizeTitle(text)
}
