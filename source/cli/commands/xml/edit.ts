// `xylem edit`: a document of XML with something changed.

import type { CommandEntry } from '../../command.ts'
import { EDIT_OPTIONS } from '../../options/document-options.ts'

export const edit: CommandEntry = {
  name: 'edit',
  summary: 'change elements of an XML document, and copy everything else byte for byte',
  arguments: [['[document]', 'the document: a file, a URL, or - for standard input (the default)']],
  options: EDIT_OPTIONS,
  usesStandardInput: () => true,
  help: `
Prints a document with some of its elements changed. What no path matches is copied byte for byte:
blanks and quotation marks in tags, references, comments and the document type. Documents may be
larger than memory: of an element that matches, only the start tag is held. They can be compressed
with gzip, bzip2, zstd or xz; what is printed is not.

Paths are those of xylem select (see xylem select --help), without conditions on children in the
last step. A prefix of --prefix holds for the attribute after PATH/@ too: it is found whatever its
prefix in the document. One that is new gets a prefix that stands for its namespace there, or one
that is declared for it. New names of elements are those in the document.

Several changes of one element are made together. Elements in one that is removed, or whose
content is replaced, are not changed. A path that matches nothing is reported, and so is an
attribute that is to be removed and is not found. The exit code is then 1.

With --in-place, the new document gets the name of the old one when it is complete, unless nothing
was changed. It keeps its permissions, and a symbolic link still leads to it. Its owner is whoever
runs this; the superuser keeps it. Extended attributes and access control lists are not kept. A
document that is compressed, that has other hard links, or that is not a regular file is refused. If
another program has changed it meanwhile, it stays as it is then, and the exit code is 4.

Documents in UTF-8, UTF-16, ISO-8859-1 and US-ASCII keep their encoding; others need
--encoding utf-8. For this command, --encoding is what the document is converted to. What it is
converted from is always what the document says.

Examples:
  xylem edit dump.xml.bz2 --remove page/revision/text --output small.xml
  xylem edit feed.xml --set 'item[@lang="de"]/@lang=de-DE' --text channel/title=News
  xylem edit book.xml --rename para=p --unwrap i --remove '*/@style' --in-place`,
  load: async () => (await import('../../actions/edit.ts')).editDocument,
}
