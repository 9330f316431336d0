// The commands that read dumps.

import type { CommandEntry } from '../command.ts'
import { dumpOptions, GET_OPTIONS, INDEX_OPTIONS } from '../options/dump-options.ts'
import { jobs } from '../options/option.ts'
import { INPUTS } from '../options/option-values.ts'

export const DUMP_COMMANDS: readonly CommandEntry[] = [
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    name: 'info',
    summary: 'describe dumps: wiki, format, size and estimated number of pages',
    arguments: [['<dump...>', `the dumps to describe: ${INPUTS}`]],
    options: [['--json', 'print one line of JSON for each dump'], jobs()],
    help: `
Prints the wiki, its namespaces, the format version, the compression and the size of dumps. From
the first 16 MiB of a dump, it estimates the number of pages and the size of the XML. A dump that
cannot be read does not keep the others from being described.

Examples:
  xylem info dump.xml.bz2
  xylem info 'dumps/*.bz2' --json`,
    load: async () => (await import('../actions/info.ts')).describeDumps,
  },
]
