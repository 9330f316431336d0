// What `xylem infer` does: prints a shape for the records of documents.

import { InputError } from '../errors/errors.ts'
import { findInputs, orStandardInput, pathsOf } from '../inputs/inputs.ts'
import type { InferOptions } from '../options/document-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { InferredInputs } from '../xml/inferred-inputs.ts'

export async function printShape(
  documents: readonly string[],
  options: InferOptions,
  signal: AbortSignal,
): Promise<void> {
  const { output } = options
  requireFileName(output, ['shape'], 'infer')
  const inputs = await findInputs(orStandardInput(documents))
  const found = await InferredInputs.of(inputs, options, false, signal)
  const text = found.format(options)
  await writeOutput(output, pathsOf(inputs), signal, (opened) => opened.write(text))
  if (found.failed) throw new InputError(found.failed.name, found.inferred.error)
}
