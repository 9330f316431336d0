// What `xylem grammar` does: tells what becomes of a grammar.

import { explainGrammar } from '../../grammar/report.ts'
import { formatProblem } from '../../grammar/syntax/errors.ts'
import { UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { listGrammars, loadGrammar } from '../inputs/grammar-file.ts'
import type { TypesOptions } from '../options/grammar-options.ts'
import { print } from '../terminal/outcome.ts'
import { tellText } from '../terminal/terminal.ts'

interface GrammarOptions extends Pick<TypesOptions, 'dialect'> {
  list?: true
  entry?: string
  emit?: string[]
  program?: true
}

export async function printGrammar(
  path: string | undefined,
  options: GrammarOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.list) {
    if (path !== undefined) throw new UsageError('--list prints all grammars that come along; it goes with no other')
    print(await listGrammars())
    return
  }
  if (path === undefined) throw new UsageError('name a grammar, or list those that come along with --list')
  const grammar = await loadGrammar(path, { ...options, warnings: false }, signal)
  const entry = options.entry ?? grammar.entry
  const parts = options.emit ?? [entry]
  const explanation = orUsage(() => explainGrammar(grammar, { entry, parts, showsProgram: options.program ?? false }))
  for (const warning of grammar.warnings) tellText(`warning: ${formatProblem(warning)}\n`)
  print(explanation)
}
