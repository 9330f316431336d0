// `xylem pages`: dumps to one page a line.

import type { CommandEntry } from '../command.ts'
import { dumpOptions } from '../options/dump-options.ts'
import { INPUTS } from '../options/option-values.ts'

export const pages: CommandEntry = {
  name: 'pages',
  summary: 'print the pages of dumps as JSON lines or as a table',
  arguments: [['<dump...>', `the dumps to read: ${INPUTS}`]],
  options: dumpOptions('pages'),
  help: `
Prints each page of MediaWiki XML dumps as one line of JSON: id, ns, title, redirect, and the
newest revision in the dump. Dumps can be uncompressed, or compressed with gzip, bzip2 (also
multistream), zstd or xz. The format is detected from the first bytes, not from the file name. The
JSON Schema "xylem/page.schema.json" describes the lines.

Examples:
  xylem pages dump.xml.bz2 > pages.jsonl
  xylem pages dump.xml.bz2 --ns 0,Template --redirects out --limit 10
  xylem pages 'dumps/*.xml*.bz2' --fields id,title,revision.text --output pages.csv.gz
  curl -s https://example.org/dump.xml.gz | xylem pages - | head`,
  load: async () => (await import('../actions/pages.ts')).runDumpCommand.bind(undefined, 'pages'),
}
