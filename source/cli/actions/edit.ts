// What `xylem edit` does: writes a document with something changed.

import { stat } from 'node:fs/promises'
import { detectCompression, LONGEST_SIGNATURE } from '../../compression/detect.ts'
import { editXml } from '../../xml/edit/edit-xml.ts'
import { InputChanged, UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { findInputs, type Input, orStandardInput, pathsOf, readHead, requireFiles } from '../inputs/inputs.ts'
import { nameFaults, openCache } from '../inputs/read-inputs.ts'
import { openReading } from '../inputs/xml-readers.ts'
import type { EditOptions } from '../options/document-options.ts'
import { readPrefixes } from '../options/shape-options.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { conclude, requireGood } from '../output/findings.ts'
import { type Output, writeOutput } from '../output/output.ts'
import { ProgressLine, showsProgress } from '../output/progress.ts'
import { type InputState, isSameState, PlannedFile } from '../plan/planned-file.ts'
import { PlannedChanges } from '../xml/planned-changes.ts'

export async function editDocument(name: string | undefined, options: EditOptions, signal: AbortSignal): Promise<void> {
  const { encoding: convert, prefix, jobs, inPlace, quiet, ...others } = options
  if (inPlace && options.output !== undefined) throw new UsageError('--in-place cannot be used together with --output')
  requireFileName(options.output, ['markup'], 'edit')
  const prefixes = prefix && readPrefixes(prefix)
  const changes = new PlannedChanges(options, prefixes)
  const inputs = await findInputs(orStandardInput(name === undefined ? [] : [name]))
  const [input] = inputs
  if (!input || inputs.length > 1)
    throw new UsageError(`xylem edit reads one document; ${name} matches ${inputs.length}`)
  const replaced = inPlace ? await requireReplaceable(input) : undefined
  const output = replaced?.path ?? options.output
  // References stay as they are.
  const { onSkippedEntity: _, ...xml } = await openReading(await xmlOptions(others, signal))
  const reading = { ...xml, prefixes, convert, signal }
  const cache = openCache(input, { jobs, signal })
  const edited = orUsage(() => editXml(cache, changes.edits, reading))
  const progress = new ProgressLine(showsProgress({ quiet, output }), 'elements changed')
  try {
    const write = async (written: Output) => {
      for await (const bytes of nameFaults(input.name, edited)) {
        await written.write(bytes)
        progress.update(cache.progress, changes.changed)
      }
      // A document that is the same as before stays where it is.
      return !(inPlace && changes.changed === 0)
    }
    const allow = replaced && (() => requireUnchanged(replaced))
    await writeOutput(output, inPlace ? undefined : pathsOf(inputs), signal, write, allow)
  } finally {
    progress.clear()
    await edited.return()
  }
  requireGood(conclude(changes.missing, [], options))
}

/** A file that is to be replaced, and what it was before it was read. */
interface Replaced {
  readonly path: string
  readonly state: InputState
}

/** Throws an `InputChanged` if somebody else has changed a file since: that would be lost. */
async function requireUnchanged({ path, state }: Replaced): Promise<void> {
  if (isSameState(await new PlannedFile(path).readState(), state)) return
  throw new InputChanged(`${path}: the file was changed while it was edited, and is left as it is now; edit it again`)
}

/** A file that can be replaced. Throws a `UsageError` for what is no file, is compressed, or has several names: the others would keep what is replaced. */
async function requireReplaceable(input: Input): Promise<Replaced> {
  const [path] = requireFiles([input], 'xylem edit --in-place') as [string]
  const state = await new PlannedFile(path).readState()
  const status = await stat(path)
  if (status.nlink > 1)
    throw new UsageError(`${path} has other hard links, which --in-place would not change: use --output`)
  const isCompressed =
    /\.(gz|zst)$/i.test(path) || detectCompression(await readHead(path, LONGEST_SIGNATURE)) !== 'none'
  if (isCompressed) throw new UsageError(`${path} is compressed; --in-place replaces only what is not: use --output`)
  return { path, state }
}
