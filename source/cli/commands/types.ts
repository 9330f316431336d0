// `xylem types`: TypeScript declarations for a grammar's trees.

import type { Command } from 'commander'
import { addDialectOption, type GrammarFileOptions } from '../options/grammar-options.ts'

export interface TypesOptions extends GrammarFileOptions {
  output?: string
}

const HELP = `
Prints a type for each rule, whose members are a tuple. The types import one type from
xylem/grammar.

Example:
  xylem types json.bnf --output json.d.ts`

/** Adds the command. `signal` stops it. */
export function addTypesCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('types')
    .summary("write TypeScript declarations for a grammar's trees")
    .argument('<grammar>', 'the grammar: a file, a URL, or - for standard input')
  addDialectOption(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem types --help)')
    .action(async (path: string, options: TypesOptions) => {
      const { writeTypes } = await import('../actions/of-grammars.ts')
      await writeTypes(path, options, signal)
    })
}
