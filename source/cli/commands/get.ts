// `xylem get`: one page of a dump, without reading the dump where there is an index.

import { InvalidArgumentError } from 'commander'
import type { CommandEntry } from '../command.ts'
import { MAX_INPUT, MAX_RETAINED } from '../options/limit-options.ts'
import { jobs, OUTPUT, QUIET } from '../options/option.ts'
import { INPUT, INPUTS, normalizeTitle, parseCount } from '../options/option-values.ts'

export const get: CommandEntry = {
  name: 'get',
  summary: 'print one page of a dump, by title or id',
  arguments: [['<dump...>', `the dumps to look in: ${INPUTS}`]],
  options: [
    [
      '--title <title>',
      'the title of the page, with its namespace; spaces, underscores and the first letter as on the wiki',
      parseTitle,
    ],
    ['--id <n>', 'the id of the page', parseCount],
    ['--index <file>', `the index of the dump: ${INPUT}`],
    ['--text', 'print the wikitext instead of JSON'],
    jobs(),
    MAX_RETAINED,
    MAX_INPUT,
    OUTPUT,
    QUIET,
  ],
  help: `
Prints one page as a line of JSON, or its wikitext with --text. With an index, it reads only a
small part of the dump, also of one at a URL. It looks for an index beside a file, with the name
that MediaWiki uses (…-multistream-index.txt.bz2) or that "xylem index" uses (DUMP.index). Without
an index, it reads the dump up to the page. It looks in several dumps one after another, and prints
the page from the first that has it. Exits with 1 if no page is found.

Examples:
  xylem get enwiki-20261101-pages-articles-multistream.xml.bz2 --title Xylem
  xylem get dump.xml.bz2 --id 7 --text
  xylem get 'parts/*.bz2' --title Xylem`,
  load: async () => (await import('../actions/get.ts')).printPage,
}

function parseTitle(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a page title.')
  return normalizeTitle(text)
}
