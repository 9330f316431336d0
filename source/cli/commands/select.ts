// `xylem select`: elements of a document, as JSON lines or as XML, or fields of them.

import type { CommandEntry } from '../command.ts'
import { CSV_SAFE, FORMAT } from '../options/format-options.ts'
import { jobs, OUTPUT, QUIET } from '../options/option.ts'
import { INPUTS, oneOf, parseCount, parseField } from '../options/option-values.ts'
import { XML_OPTIONS } from '../options/xml-options.ts'

export const select: CommandEntry = {
  name: 'select',
  summary: 'print elements of XML documents as JSON lines or as XML',
  arguments: [
    ['<path>', 'the elements to print (see Paths below)'],
    ['[document...]', `the documents to read: ${INPUTS} (the default)`],
  ],
  options: [
    ['--xml', 'print elements as XML, as they are in the input'],
    ['--field <name=path>', 'print only this field of each element (see Fields below); repeatable', parseField],
    [
      '--nested <which>',
      'of matches inside each other, print the outermost, innermost or all (inner ones first)',
      { parse: oneOf('outermost', 'innermost', 'all'), default: 'outermost' },
    ],
    FORMAT,
    CSV_SAFE,
    ['--limit <n>', 'stop after N elements', parseCount],
    ...XML_OPTIONS,
    jobs(),
    OUTPUT,
    QUIET,
  ],
  help: `
Prints the elements that match a path, each as one line of JSON (name, attributes as pairs, and
children), or with --xml as XML. Memory is bounded by the largest element. If you need only a few
fields of each element, use --field, which is much faster. Documents can be compressed with gzip,
bzip2, zstd or xz.

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
  xylem select --xml /rss/channel/item 'feeds/*.xml'
  xylem select row 'book.xlsx/xl/worksheets/*.xml' --field row=@r`,
  load: async () => (await import('../actions/select.ts')).selectFrom,
}
