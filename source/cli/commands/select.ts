// `xylem select`: elements of a document, as JSON lines or as XML, or fields of them.

import type { Command } from 'commander'
import { decompress } from '../../compression/decompress.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import type { XmlElement } from '../../xml/element.ts'
import { parseFields, type XmlFields, type XmlRecord } from '../../xml/field.ts'
import { Path } from '../../xml/path.ts'
import { readXml } from '../../xml/reader.ts'
import { UsageError } from '../errors.ts'
import { nameFaults, openInput } from '../input.ts'
import { type FieldOption, parseCount, parseField, parseNesting } from '../option-values.ts'
import { formatElementLine } from '../output/element-lines.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { openOutput } from '../output/output.ts'
import { writeBatches } from '../output/write-batches.ts'
import { addXmlOptions, type XmlCommandOptions, xmlOptions } from '../xml-options.ts'

interface SelectCommandOptions extends XmlCommandOptions {
  xml?: true
  field?: FieldOption[]
  nested: 'outermost' | 'innermost'
  limit?: number
  output?: string
  quiet?: true
}

type Values = XmlRecord<XmlFields>

const HELP = `
Prints the elements that match a path, each as one line of JSON (name, attributes as pairs, and
children), or with --xml as XML. Memory is bounded by the largest element. If you need only a few
fields of each element, use --field, which is much faster. The document can be compressed with
gzip, bzip2 or zstd.

Paths:
  page                elements with this name, at any depth
  /mediawiki/page     from the root
  page/revision       a child; * matches any element, ** any number of them
  page[@id="7"]       with an attribute; {urn:x}page matches in a namespace

Fields are paths that start at the element:
  title               the text of the first title in it, or null
  text=revision/text  with a name of its own
  tags[]=tag          all values, as an array
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
    .argument('<path>', 'the elements to print (see Paths below)')
    .argument('[file]', 'the document to read, or - for standard input', '-')
    .option('--xml', 'print elements as XML, as they are in the input')
    .option('--field <name=path>', 'print only this field of each element (see Fields below); repeatable', parseField)
    .option(
      '--nested <which>',
      'of matches inside each other, print the outermost or innermost',
      parseNesting,
      'outermost',
    )
    .option('--limit <n>', 'stop after N elements', parseCount)
  addXmlOptions(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem select --help)')
    .action((path: string, file: string, options: SelectCommandOptions) => selectFrom(path, file, options, signal))
}

async function selectFrom(
  path: string,
  file: string,
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const fields = fieldsOf(options)
  requirePaths(path, fields)
  const isStandardInput = file === '-'
  const cache = StreamCache.from(decompress(openInput(file)), { signal })
  const reader = readXml(cache, { ...xmlOptions(options), signal })
  const { nested } = options
  const items: AsyncIterable<readonly (XmlElement | Values)[]> = fields
    ? reader.recordBatches(path, fields, { nested })
    : reader.selectBatches(path, { nested })
  const batches = nameFaults(isStandardInput ? 'standard input' : file, items)
  try {
    // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first elements.
    const first = await batches.next()
    const output = await openOutput(options.output, isStandardInput ? undefined : file, signal)
    await writeBatches<XmlElement | Values>(output, {
      first,
      others: batches,
      noun: fields ? 'records' : 'elements',
      limit: options.limit,
      isTold: !options.quiet && (options.output !== undefined || !process.stdout.isTTY),
      source: cache,
      format: (fields ? formatValues : options.xml ? formatXml : formatElementLine) as (
        item: unknown,
      ) => Iterable<string>,
    })
  } finally {
    await batches.return(undefined)
  }
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}

/** A record as a line of JSON, in which what is not there is null. */
function formatValues(values: Record<string, unknown>): string[] {
  for (const name in values) values[name] ??= null
  return [formatJsonLine(values)]
}

function fieldsOf({ field, xml }: SelectCommandOptions): XmlFields | undefined {
  if (!field) return undefined
  if (xml) throw new UsageError('--xml cannot be used together with --field')
  return Object.fromEntries(field.map(({ name, path }) => [name, path]))
}

function requirePaths(path: string, fields: XmlFields | undefined): void {
  try {
    new Path(path)
    if (fields) parseFields(fields)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
