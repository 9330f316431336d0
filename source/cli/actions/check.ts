// What `xylem check` does: tells whether documents are well-formed.

import { XmlError } from '../../xml/errors/errors.ts'
import { ExitCode, InputError } from '../errors/errors.ts'
import { hasExcerpt } from '../errors/explain.ts'
import { inCommandWords } from '../errors/or-usage.ts'
import type { Input } from '../inputs/inputs.ts'
import { judgeInputs, openCache } from '../inputs/read-inputs.ts'
import {
  countReplaced,
  countSkipped,
  openReaders,
  openReading,
  warnOfReplaced,
  warnOfSkipped,
  type XmlReading,
} from '../inputs/xml-readers.ts'
import type { CheckOptions } from '../options/document-options.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { type Output, openOutput } from '../output/output.ts'
import { ProgressLine } from '../output/progress.ts'
import { escapeLine, escapeText, tellAll } from '../terminal/terminal.ts'

export async function checkDocuments(
  names: readonly string[],
  options: CheckOptions,
  signal: AbortSignal,
): Promise<void> {
  const reading = await xmlOptions(options, signal)
  const output = await openOutput(undefined, undefined, signal)
  await judgeInputs(names, signal, async (input) => {
    const fault = await findFault(input, reading, options, signal)
    if (!fault) return ExitCode.GOOD
    await writeFault(input.name, fault, output)
    return ExitCode.FAULTS
  })
}

/** The first error of a document; undefined if it has none. */
async function findFault(
  input: Input,
  reading: XmlReading,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<XmlError | undefined> {
  const cache = openCache(input, { jobs: options.jobs, signal })
  const progress = new ProgressLine(!options.quiet && !process.stdout.isTTY, 'documents')
  const [skipped, replaced] = [countSkipped(), countReplaced()]
  const timer = setInterval(() => progress.update(cache.progress, 0), 200)
  try {
    // A document is well-formed without them.
    const xml = { ...(await openReading(reading, undefined, replaced.see)), onSkippedEntity: skipped.see, signal }
    for await (const reader of openReaders(cache, reading, xml)) await reader.check()
    return undefined
  } catch (error) {
    if (error instanceof XmlError) return error
    throw new InputError(input.name, error)
  } finally {
    clearInterval(timer)
    progress.clear()
    tellAll([...warnOfSkipped(input.name, skipped.data), ...warnOfReplaced(replaced.data, input.name)])
  }
}

async function writeFault(name: string, fault: XmlError, output: Output): Promise<void> {
  const { line, column, detail } = fault
  const place = line === undefined ? '' : `:${line}:${column}`
  const excerpt = hasExcerpt(fault) ? fault.excerpt : undefined
  const below = excerpt === undefined ? '' : excerpt.replace(/^/gm, '  ').concat('\n')
  await output.write(`${escapeLine(`${name}${place}: ${inCommandWords(detail)}`)}\n${escapeText(below)}`)
}
