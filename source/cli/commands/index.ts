// `xylem index`: where the pages of a dump are.

import type { CommandEntry } from '../command.ts'
import { INDEX_OPTIONS } from '../options/page-options.ts'

export const index: CommandEntry = {
  name: 'index',
  summary: 'write indexes of dumps, to find single pages',
  arguments: [['<dump...>', 'the dumps: files, patterns, or URLs; uncompressed, or compressed with bzip2']],
  options: INDEX_OPTIONS,
  help: `
Writes one line for each page, with its position, id and title; "xylem get DUMP" finds pages with
it. For an uncompressed dump, a line is offset:id:title, as in MediaWiki's own indexes. For bzip2
it is bit+skip:id:title: the page begins "skip" bytes into the block that begins at that bit. The
first line identifies the dump. The last line shows that the index is complete. Each dump gets an
index of its own.

Example:
  xylem index dump.xml.bz2 && xylem get dump.xml.bz2 --title Xylem`,
  load: async () => (await import('../actions/index.ts')).writeIndexes,
}
