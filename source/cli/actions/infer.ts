// What `xylem infer` does: prints a shape for the records of a document.

import { InputError, UsageError } from '../errors/errors.ts'
import { findInputs, orStandardInput, pathsOf } from '../inputs/inputs.ts'
import type { InferOptions } from '../options/infer-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { InferredInput } from '../xml/inferred-input.ts'

interface InferCommandOptions extends InferOptions {
  required?: true
  output?: string
}

export async function printShape(
  document: string | undefined,
  options: InferCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { output } = options
  requireFileName(output, ['shape'], 'infer')
  const [input, ...others] = await findInputs(orStandardInput(document === undefined ? [] : [document]))
  if (!input || others.length > 0) throw new UsageError(`infer reads one document, and ${document} stands for several`)
  const inferred = await InferredInput.of(input, options, false, signal)
  const text = inferred.format(output)
  await writeOutput(output, pathsOf([input]), signal, (opened) => opened.write(text))
  const { error } = inferred.inferred
  if (error !== undefined) throw new InputError(input.name, error)
}
