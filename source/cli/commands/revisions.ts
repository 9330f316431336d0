// `xylem revisions`: dumps to one revision a line.

import type { CommandEntry } from '../command.ts'
import { dumpOptions } from '../options/dump-options.ts'
import { INPUTS } from '../options/option-values.ts'

export const revisions: CommandEntry = {
  name: 'revisions',
  summary: 'print the revisions of dumps as JSON lines or as a table',
  arguments: [['<dump...>', `the dumps to read: ${INPUTS}`]],
  options: dumpOptions('revisions'),
  help: `
Prints each revision of MediaWiki XML dumps as one line of JSON, with its page in "page". Memory
is bounded by the largest revision, whatever the number of revisions of a page. Filters for pages
(--ns, --redirects, --title, --ids) and filters for revisions can be combined.

Examples:
  xylem revisions history.xml.bz2 --fields page.title,id,timestamp,contributor.username --format csv
  xylem revisions history.xml.bz2 --since 2026-01-01 --minor out > changes.jsonl`,
  load: async () => (await import('../actions/pages.ts')).runDumpCommand.bind(undefined, 'revisions'),
}
