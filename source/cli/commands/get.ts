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
Prints one page as a line of JSON, or its wikitext with --text. With an index only a small part of
the dump is read, which may then be a URL: the index is looked for beside the dump, as MediaWiki
names it (…-multistream-index.txt.bz2) and as "xylem index" does (DUMP.index). Without one the dump
is read until the page comes. The exit code is 1 when there is no such page.

Examples:
  xylem get enwiki-20261101-pages-articles-multistream.xml.bz2 --title Xylem
  xylem get dump.xml.bz2 --id 7 --text`

/** Adds the command. `signal` stops it. */
export function addGetCommand(program: Command, signal: AbortSignal): void {
  program
    .command('get')
    .summary('print one page of a dump, by its title or its id')
    .argument('<dump>', 'the dump: a file, or with --index a URL')
    .option('--title <title>', 'the title, with its namespace; underscores are spaces', parseTitle)
    .option('--id <n>', "the page's id", parseCount)
    .option('--index <file>', 'the index of the dump: a file or a URL')
    .option('--text', 'print the wikitext in place of JSON')
    .addOption(makeMaxRetained())
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem get --help tells what there is)')
    .action(async (dump: string, options: GetOptions) => {
      const { printPage } = await import('../actions/of-dumps.ts')
      await printPage(dump, options, signal)
    })
}

function parseTitle(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a title.')
  return text.replaceAll('_', ' ').trim()
}
