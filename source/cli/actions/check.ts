// What `xylem check` does: tells whether documents are well-formed.

import { decompress } from '../../compression/decompress.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { XmlError } from '../../xml/errors.ts'
import { readXml } from '../../xml/reader.ts'
import type { CheckOptions } from '../commands/check.ts'
import { InputError, ToldAlready, UsageError } from '../errors.ts'
import { ExitCode, hasExcerpt } from '../exit-codes.ts'
import { openInput } from '../input.ts'
import { type Output, openOutput } from '../output/output.ts'
import { ProgressLine } from '../progress.ts'
import { report } from '../report.ts'
import { SkippedEntities } from '../skipped-entities.ts'
import { escapeLine, escapeText } from '../terminal.ts'
import { xmlOptions } from '../xml-options.ts'

export async function checkFiles(files: readonly string[], options: CheckOptions, signal: AbortSignal): Promise<void> {
  const output = await openOutput(undefined, undefined, signal)
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input can be read only once; give - only once')
  let exitCode: number = ExitCode.GOOD
  for (const file of files) {
    try {
      const fault = await findFault(file, options, signal)
      if (!fault) continue
      exitCode = Math.max(exitCode, ExitCode.FAULTS)
      await writeFault(file, fault, output)
    } catch (error) {
      // What cannot be read keeps nobody from reading the others.
      if (!(error instanceof InputError) || signal.aborted) throw error
      exitCode = Math.max(exitCode, report(error))
    }
  }
  if (exitCode !== ExitCode.GOOD) throw new ToldAlready(exitCode)
}

/** The first fault of a document; undefined when there is none. */
async function findFault(file: string, options: CheckOptions, signal: AbortSignal): Promise<XmlError | undefined> {
  const source = decompress(openInput(file))
  const cache = StreamCache.from(source, { signal })
  const progress = new ProgressLine(!options.quiet && !process.stdout.isTTY, 'documents')
  const skipped = new SkippedEntities()
  const timer = setInterval(() => progress.update(cache.progress, 0), 200)
  try {
    await readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal }).check()
    return undefined
  } catch (error) {
    if (error instanceof XmlError) return error
    throw new InputError(file === '-' ? 'standard input' : file, error)
  } finally {
    clearInterval(timer)
    progress.clear()
    skipped.report(file === '-' ? 'standard input' : file)
  }
}

async function writeFault(file: string, fault: XmlError, output: Output): Promise<void> {
  const name = file === '-' ? 'standard input' : file
  const { line, column, detail } = fault
  const place = line === undefined ? '' : `:${line}:${column}`
  const excerpt = hasExcerpt(fault) ? fault.excerpt : undefined
  const below = excerpt === undefined ? '' : excerpt.replace(/^/gm, '  ').concat('\n')
  await output.write(`${escapeLine(`${name}${place}: ${detail}`)}\n${escapeText(below)}`)
}
