// `xylem get`: one page of a dump, without reading the dump where there is an index.

import type { CommandEntry } from '../command.ts'
import { INPUTS } from '../options/option-values.ts'
import { GET_OPTIONS } from '../options/page-options.ts'

export const get: CommandEntry = {
  name: 'get',
  summary: 'print one page of a dump, by title or id',
  arguments: [['<dump...>', `the dumps to look in: ${INPUTS}`]],
  options: GET_OPTIONS,
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
