// `xylem check`: whether documents are well-formed.

import { stdout } from 'node:process'
import type { Command } from 'commander'
import { decompress } from '../../compression/decompress.ts'
import { LimitError } from '../../stream/errors.ts'
import { FileSource, StandardInput } from '../../stream/sources/node.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { XmlError } from '../../xml/errors.ts'
import { readXml } from '../../xml/reader.ts'
import { FaultFound, InputError } from '../errors.ts'
import { type Output, openOutput } from '../output/output.ts'
import { ProgressLine } from '../progress.ts'
import { addXmlOptions, type XmlCommandOptions, xmlOptions } from '../xml-options.ts'

interface CheckOptions extends XmlCommandOptions {
  quiet?: true
}

const HELP = `
Reads XML documents of any size and tells whether they are well-formed, with their namespaces.
Prints a line for each document with a fault, as "file:line:column: what is wrong", and an excerpt
below it; the first fault of a document ends its reading. Documents may be compressed with gzip
or bzip2. Exits with 1 when there was a fault.

Examples:
  xylem check feed.xml
  xylem check --no-namespaces *.xml
  curl -s https://example.org/dump.xml.gz | xylem check -`

/** Adds the command. `signal` stops it. */
export function addCheckCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('check')
    .summary('tell whether XML documents are well-formed')
    .argument('<files...>', 'the documents to check, or - for standard input')
  addXmlOptions(command)
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem check --help tells what there is)')
    .action((files: string[], options: CheckOptions) => checkFiles(files, options, signal))
}

async function checkFiles(files: readonly string[], options: CheckOptions, signal: AbortSignal): Promise<void> {
  const output = await openOutput(undefined, undefined, signal)
  let hasFaults = false
  for (const file of files) {
    const fault = await findFault(file, options, signal)
    if (!fault) continue
    hasFaults = true
    await writeFault(file, fault, output)
  }
  if (hasFaults) throw new FaultFound(undefined)
}

/** The first fault of a document; undefined when there is none. */
async function findFault(
  file: string,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<XmlError | LimitError | undefined> {
  const source = decompress(file === '-' ? new StandardInput() : new FileSource(file))
  const cache = StreamCache.from(source, { signal })
  const progress = new ProgressLine(!options.quiet && !stdout.isTTY, 'documents')
  const timer = setInterval(() => progress.update(cache.progress, 0), 200)
  try {
    await readXml(cache, { ...xmlOptions(options), signal }).check()
    return undefined
  } catch (error) {
    if (error instanceof XmlError || error instanceof LimitError) return error
    throw new InputError(file === '-' ? 'standard input' : file, error)
  } finally {
    clearInterval(timer)
    progress.clear()
  }
}

async function writeFault(file: string, fault: XmlError | LimitError, output: Output): Promise<void> {
  const name = file === '-' ? 'standard input' : file
  if (fault instanceof LimitError) return output.write(`${name}: ${fault.message}\n`)
  const { line, column, detail, excerpt = '' } = fault
  const place = line === undefined ? '' : `:${line}:${column}`
  const below = excerpt === '' ? '' : excerpt.replace(/^/gm, '  ').concat('\n')
  await output.write(`${name}${place}: ${detail}\n${below}`)
}
