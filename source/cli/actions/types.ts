// What `xylem types` does: writes the types of a grammar's trees.

import { writeTypes as declareTypes } from '../../grammar/index.ts'
import { loadGrammar } from '../inputs/grammar-file.ts'
import type { GrammarFileOptions } from '../options/grammar-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'

interface TypesOptions extends GrammarFileOptions {
  output?: string
}

export async function writeTypes(path: string, options: TypesOptions, signal: AbortSignal): Promise<void> {
  requireFileName(options.output, ['typings'], 'types')
  const grammar = await loadGrammar(path, options, signal)
  await writeOutput(options.output, path, signal, (output) => output.write(declareTypes(grammar)))
}
