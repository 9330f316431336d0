// `xylem check`: whether documents are well-formed.

import type { CommandEntry } from '../../command.ts'
import { CHECK_OPTIONS } from '../../options/document-options.ts'
import { INPUTS } from '../../options/option-values.ts'

export const check: CommandEntry = {
  name: 'check',
  summary: 'check whether XML documents are well-formed',
  arguments: [['<document...>', `the documents to check: ${INPUTS}`]],
  options: CHECK_OPTIONS,
  help: `
Checks whether XML documents of any size are well-formed, including their namespaces. For each
document with an error, prints "file:line:column: what is wrong" and an excerpt; checking a
document ends at its first error. Documents that cannot be read, and documents that exceed a limit,
are reported on standard error; the others are still checked. Documents can be compressed with
gzip, bzip2, zstd or xz. Exits with 1 if there was an error, and with 3 or 5 if a document exceeded
a limit or could not be read; with several of these, with the greatest.

Examples:
  xylem check feed.xml
  xylem check --no-namespaces 'feeds/**/*.xml'
  xylem check 'book.xlsx/**/*.xml'
  curl -s https://example.org/dump.xml.gz | xylem check -`,
  load: async () => (await import('../../actions/check.ts')).checkDocuments,
}
