// `xylem get`: one page of a dump, without reading the dump where there is an index.

import { type Command, InvalidArgumentError } from 'commander'
import { makeMaxRetained } from '../dump-options.ts'
import { parseCount } from '../option-values.ts'

export interface GetOptions {
  title?: string
  id?: number
  index?: string
  text?: true
  maxRetained?: number
  output?: string
}

const HELP = `
Prints one page as a line of JSON, or its wikitext with --text. With an index, it reads only a
small part of the dump, which can then be a URL. It looks for an index beside the dump, with the
name that MediaWiki uses (…-multistream-index.txt.bz2) or that "xylem index" uses (DUMP.index).
Without an index, it reads the dump up to the page. Exits with 1 if no page is found.

Examples:
  xylem get enwiki-20261101-pages-articles-multistream.xml.bz2 --title Xylem
  xylem get dump.xml.bz2 --id 7 --text`

/** Adds the command. `signal` stops it. */
export function addGetCommand(program: Command, signal: AbortSignal): void {
  program
    .command('get')
    .summary('print one page of a dump, by title or id')
    .argument('<dump>', 'the dump: a file, or a URL (needs --index)')
    .option('--title <title>', 'the title of the page, with its namespace; an underscore matches a space', parseTitle)
    .option('--id <n>', 'the id of the page', parseCount)
    .option('--index <file>', 'the index of the dump: a file or a URL')
    .option('--text', 'print the wikitext instead of JSON')
    .addOption(makeMaxRetained())
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem get --help)')
    .action(async (dump: string, options: GetOptions) => {
      const { printPage } = await import('../actions/of-dumps.ts')
      await printPage(dump, options, signal)
    })
}

function parseTitle(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a page title.')
  return text.replaceAll('_', ' ').trim()
}
