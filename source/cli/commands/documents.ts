// The commands that read documents of XML.

import type { CommandEntry } from '../command.ts'
import { CHECK_OPTIONS, EDIT_OPTIONS, INFER_COMMAND_OPTIONS, SELECT_OPTIONS } from '../options/document-options.ts'
import { INPUTS } from '../options/option-values.ts'

export const DOCUMENT_COMMANDS: readonly CommandEntry[] = [
  {
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
    load: async () => (await import('../actions/check.ts')).checkDocuments,
  },
  {
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
there, with ! before it not. Of a list, one value must satisfy the condition. With several paths,
a condition can be for one of them: --where 'item: price>10'.

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
    load: async () => (await import('../actions/select.ts')).selectFrom,
  },
  {
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
    load: async () => (await import('../actions/edit.ts')).editDocument,
  },
  {
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
    load: async () => (await import('../actions/infer.ts')).printShape,
  },
]
