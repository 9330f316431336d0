// `xylem select`: elements of a document, as JSON lines or as XML.

import type { Command } from 'commander'
import { decompress } from '../../compression/decompress.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import type { XmlElement } from '../../xml/element.ts'
import { Path } from '../../xml/path.ts'
import { readXml } from '../../xml/reader.ts'
import { UsageError } from '../errors.ts'
import { nameFaults, openInput } from '../input.ts'
import { parseCount, parseNesting } from '../option-values.ts'
import { formatElementLine } from '../output/element-lines.ts'
import { openOutput } from '../output/output.ts'
import { writeBatches } from '../output/write-batches.ts'
import { addXmlOptions, type XmlCommandOptions, xmlOptions } from '../xml-options.ts'

interface SelectCommandOptions extends XmlCommandOptions {
  xml?: true
  nested: 'outermost' | 'innermost'
  limit?: number
  output?: string
  quiet?: true
}

const HELP = `
Prints the elements that a path means, each as one line of JSON (name, attributes as pairs, and
children), or with --xml as it stands in the input. Memory is bounded by the largest of them.
Documents may be compressed with gzip, bzip2 or zstd.

Paths:
  page                elements of this name at any depth
  /mediawiki/page     from the root
  page/revision       a child; * is any one, ** any number of them
  page[@id="7"]       with an attribute; {urn:x}page is of a namespace

Examples:
  xylem select page dump.xml.bz2 | head -1
  xylem select --xml /rss/channel/item feed.xml`

/** Adds the command. `signal` stops it. */
export function addSelectCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('select')
    .summary('print elements of an XML document as JSON lines or as XML')
    .argument('<path>', 'which elements')
    .argument('[file]', 'the document to read, or - for standard input', '-')
    .option('--xml', 'print the elements as they stand in the input')
    .option('--nested <which>', 'which of nested matches to print: outermost or innermost', parseNesting, 'outermost')
    .option('--limit <n>', 'stop after this many elements', parseCount)
  addXmlOptions(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem select --help tells what there is)')
    .action((path: string, file: string, options: SelectCommandOptions) => selectFrom(path, file, options, signal))
}

async function selectFrom(
  path: string,
  file: string,
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  requirePath(path)
  const isStandardInput = file === '-'
  const cache = StreamCache.from(decompress(openInput(file)), { signal })
  const reader = readXml(cache, { ...xmlOptions(options), signal })
  const elements = reader.selectBatches(path, { nested: options.nested })
  const batches = nameFaults(isStandardInput ? 'standard input' : file, elements)
  try {
    // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first elements.
    const first = await batches.next()
    const output = await openOutput(options.output, isStandardInput ? undefined : file, signal)
    await writeBatches<XmlElement>(output, {
      first,
      others: batches,
      noun: 'elements',
      limit: options.limit,
      isTold: !options.quiet && (options.output !== undefined || !process.stdout.isTTY),
      source: cache,
      format: options.xml ? formatXml : formatElementLine,
    })
  } finally {
    await batches.return(undefined)
  }
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}

function requirePath(path: string): void {
  try {
    new Path(path)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
