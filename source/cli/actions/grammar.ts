// What `xylem grammar` does: tells what becomes of a grammar.

import type { Grammar } from '../../grammar/index.ts'
import { explainGrammar } from '../../grammar/report.ts'
import { formatProblem } from '../../grammar/syntax/errors.ts'
import { loadGrammar, requireRules } from '../inputs/grammar-file.ts'
import type { GrammarFileOptions } from '../options/grammar-options.ts'
import { tellText } from '../terminal/terminal.ts'

interface GrammarOptions extends GrammarFileOptions {
  entry?: string
  emit?: string[]
  program?: true
}

export async function printGrammar(path: string, options: GrammarOptions, signal: AbortSignal): Promise<void> {
  const grammar = await loadGrammar(path, options, signal)
  const entry = options.entry ?? chooseEntry(grammar)
  const parts = options.emit ?? [entry]
  requireRules(grammar, [entry, ...parts])
  for (const warning of grammar.warnings) tellText(`warning: ${formatProblem(warning)}\n`)
  process.stdout.write(explainGrammar(grammar, { entry, parts, showsProgram: options.program ?? false }))
}

function chooseEntry({ rules }: Grammar): string {
  const entry = rules.find(({ name }) => name === 'program') ?? rules[0]
  return (entry as { name: string }).name
}
