// `xylem select`: elements of a document, as JSON lines or as XML, or fields of them.

import type { Command } from 'commander'
import { type FormatOptions, makeCsvSafe, makeFormat } from '../options/format-options.ts'
import { makeJobs } from '../options/jobs.ts'
import { type FieldOption, INPUTS, parseCount, parseField, parseMatchNesting } from '../options/option-values.ts'
import { addXmlOptions, type XmlCommandOptions } from '../options/xml-options.ts'

export interface SelectCommandOptions extends XmlCommandOptions, FormatOptions {
  xml?: true
  field?: FieldOption[]
  nested: 'outermost' | 'innermost' | 'all'
  limit?: number
  jobs: number
  output?: string
  quiet?: true
}

const HELP = `
Prints the elements that match a path, each as one line of JSON (name, attributes as pairs, and
children), or with --xml as XML. Memory is bounded by the largest element. If you need only a few
fields of each element, use --field, which is much faster. Documents can be compressed with gzip,
bzip2 or zstd.

Paths:
  page                elements with this name, at any depth
  /mediawiki/page     from the root
  page/revision       a child; * matches any element, ** any number of them
  page//text          at any depth, like page/**/text
  page[@id="7"]       with an attribute; {urn:x}page matches in a namespace, *:page in any

Fields are paths that start at the element:
  title               the text of the first title in it, or null
  text=revision/text  with a name of its own
  tags[]=tag          all values, as an array
  //text              the text of the first text at any depth in it
  @id, name(), .      an attribute, the name of the element, all text in it

Examples:
  xylem select page dump.xml.bz2 | head -1
  xylem select page dump.xml.bz2 --field title --field text=revision/text
  xylem select --xml /rss/channel/item 'feeds/*.xml'`

/** Adds the command. `signal` stops it. */
export function addSelectCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('select')
    .summary('print elements of XML documents as JSON lines or as XML')
    .argument('<path>', 'the elements to print (see Paths below)')
    .argument('[document...]', `the documents to read: ${INPUTS} (the default)`)
    .option('--xml', 'print elements as XML, as they are in the input')
    .option('--field <name=path>', 'print only this field of each element (see Fields below); repeatable', parseField)
    .option(
      '--nested <which>',
      'of matches inside each other, print the outermost, innermost or all (inner ones first)',
      parseMatchNesting,
      'outermost',
    )
    .addOption(makeFormat())
    .addOption(makeCsvSafe())
    .option('--limit <n>', 'stop after N elements', parseCount)
  addXmlOptions(command)
    .addOption(makeJobs())
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem select --help)')
    .action(async (path: string, documents: string[], options: SelectCommandOptions) => {
      const { selectFrom } = await import('../actions/of-documents.ts')
      await selectFrom(path, documents, options, signal)
    })
}
