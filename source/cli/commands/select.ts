// `xylem select`: elements of a document, as JSON lines or as XML, or fields of them.

import type { Command } from 'commander'
import { type FieldOption, parseCount, parseField, parseNesting } from '../option-values.ts'
import { addXmlOptions, type XmlCommandOptions } from '../xml-options.ts'

export interface SelectCommandOptions extends XmlCommandOptions {
  xml?: true
  field?: FieldOption[]
  nested: 'outermost' | 'innermost'
  limit?: number
  output?: string
  quiet?: true
}

const HELP = `
Prints the elements that a path means, each as one line of JSON (name, attributes as pairs, and
children), or with --xml as it stands in the input. Memory is bounded by the largest of them.
With --field only what is named is printed of each, which is a good deal faster. The document
may be compressed with gzip, bzip2 or zstd.

Paths:
  page                elements of this name at any depth
  /mediawiki/page     from the root
  page/revision       a child; * is any one, ** any number of them
  page[@id="7"]       with an attribute; {urn:x}page is of a namespace

Fields lead on from the element:
  title               the text of the first title in it; null where there is none
  text=revision/text  with another name than its path
  tags[]=tag          all there are, as an array
  @id, name(), .      an attribute, the name of the element, all text in it

Examples:
  xylem select page dump.xml.bz2 | head -1
  xylem select page dump.xml.bz2 --field title --field text=revision/text
  xylem select --xml /rss/channel/item feed.xml`

/** Adds the command. `signal` stops it. */
export function addSelectCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('select')
    .summary('print elements of an XML document as JSON lines or as XML')
    .argument('<path>', 'which elements')
    .argument('[file]', 'the document to read, or - for standard input', '-')
    .option('--xml', 'print the elements as they stand in the input')
    .option('--field <name=path>', 'print this of each element, by its path; may be repeated', parseField)
    .option('--nested <which>', 'which of nested matches to print: outermost or innermost', parseNesting, 'outermost')
    .option('--limit <n>', 'stop after this many elements', parseCount)
  addXmlOptions(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem select --help tells what there is)')
    .action(async (path: string, file: string, options: SelectCommandOptions) => {
      const { selectFrom } = await import('../actions/of-documents.ts')
      await selectFrom(path, file, options, signal)
    })
}
