// `xylem select`: elements of a document, as JSON lines or as XML, or fields of them.

import type { CommandEntry } from '../../command.ts'
import { SELECT_OPTIONS } from '../../options/document-options.ts'
import { INPUTS } from '../../options/option-values.ts'

export const select: CommandEntry = {
  name: 'select',
  summary: 'print elements of XML documents, or fields of them in any format',
  arguments: [
    ['<path>', 'the elements to print (see Paths below); with --infer a document'],
    ['[document...]', `the documents to read: ${INPUTS} (the default)`],
  ],
  options: SELECT_OPTIONS,
  usesStandardInput: ({ infer }: { readonly infer?: true }) => !infer,
  help: `
Prints the elements that match a path, each as one line of JSON (name, attributes as pairs, and
children), with --as-object as a plain object (attributes @name, text #text, an array for elements
of one name), or with --xml as XML. Memory is bounded by the largest element. If you need only a few
fields of each element, use --field, which is much faster. Documents can be compressed with gzip,
bzip2, zstd or xz.

Paths:
  page                elements with this name, at any depth
  /mediawiki/page     from the root
  page/revision       a child; * matches any element, ** any number of them
  page//text          at any depth, like page/**/text
  page[@id="7"]       with an attribute; page[not(@id)] without one
  page[redirect]      with a child, in the last step; page[not(redirect)] without one
  {urn:x}page         in a namespace; x:page with --prefix x=urn:x; *:page in any namespace

Fields are paths that start at the element:
  title               the text of the first title in it, or null
  text=revision/text  with a name of its own
  tags[]=tag          all values, as an array
  //text              the text of the first text at any depth in it
  @id, name(), .      an attribute, the name of the element, all text in it
  size:integer=@size  of a kind: integer, int64, number, boolean, date, decimal(10,2), byteLength,
                      present, xml, offset, attributes, children, object or rest; string is the
                      default
  cases[].name=testcase/@name
  cases[].time=testcase/@time
                      one list of records, each of one testcase: the element that the paths begin
                      with. Lists can be in lists: suites[].cases[].name=suite/testcase/@name

Shapes are fields as JSON, which may have // comments: {"title": "title", "tags": ["tag"],
"size": {"path": "@size", "as": "integer"}, "cases": [{"of": "testcase", "fields": {"name":
"@name"}}]}. See "Numbers, records and conditions" in docs/xml.md for everything they can say.

Inferring: with --infer, all arguments are documents. Their beginnings, 4 MiB together, show which
elements are records and what is in them, as with xylem infer; --each says which elements are. What
these did not show is in the field rest, and is listed at the end, with what is in no record. A
value of another kind is an error, or with --lenient null and in the field rest. A document without
records is exit code 1.

Conditions compare a field: = != < <= > >= and ~ for a regular expression. A field alone must be
there, with ! before it not. Of a list, one value must satisfy the condition.

Examples:
  xylem select page dump.xml.bz2 | head -1
  xylem select page dump.xml.bz2 --field title --field text=revision/text
  xylem select --as-object entry feed.xml
  xylem select --xml /rss/channel/item 'feeds/*.xml'
  xylem select row 'book.xlsx/xl/worksheets/*.xml' --field row=@r
  xylem select item feed.rss --path entry --field title --output titles.csv
  xylem select file files.xml --field @name --field size:integer=@size --where 'size>10000'
  xylem select --infer Posts.xml.bz2 --output posts.csv
  xylem select atom:entry feed.xml --prefix atom=http://www.w3.org/2005/Atom --shape entry.json`,
  load: async () => (await import('../../actions/select.ts')).selectFrom,
}
