// `xylem infer`: a shape for the records of documents, of what is in them.

import type { CommandEntry } from '../../command.ts'
import { INFER_COMMAND_OPTIONS } from '../../options/document-options.ts'
import { INPUTS } from '../../options/option-values.ts'

export const infer: CommandEntry = {
  name: 'infer',
  summary: 'write a shape for the records of XML documents',
  arguments: [['[document...]', `the documents to look at: ${INPUTS} (the default)`]],
  options: INFER_COMMAND_OPTIONS,
  usesStandardInput: () => true,
  help: `
Looks at the beginnings of documents, finds the elements that repeat and what is in them, and
prints one shape: JSON with // comments, which say in how many records each field is, with an
example. The first comment is the command that reads the documents with it. Where nothing repeats,
all of a document of less than 16 MiB is one record.

A value has the kind integer, int64, number, boolean or date only if each one that was seen is
printed as it is written: 007, 1e3 and +1 are texts. What occurs several times in one record is a
list. Elements with attributes or elements in them are records in the record; those with elements
in their text are kept as XML. So nothing of what was seen is lost.

To read a document with its shape at once: xylem select --infer.

Examples:
  xylem infer Posts.xml
  xylem infer 'invoices/*.xml'
  xylem infer Posts.xml.bz2 --output posts.json
  xylem infer map.osm --each node --all
  curl -s https://example.org/feed.rss | xylem infer`,
  load: async () => (await import('../../actions/infer.ts')).printShape,
}
