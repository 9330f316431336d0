// `xylem grammar`: what becomes of a grammar.

import type { Command } from 'commander'
import { addDialectOption, type GrammarFileOptions, parseNames } from '../options/grammar-options.ts'

export interface GrammarOptions extends GrammarFileOptions {
  entry?: string
  emit?: string[]
  program?: true
}

const HELP = `
Checks a grammar. Prints what the compiler did with it, and where a stream would have to hold back
input. With --program, also prints the program of the parsing machine.

Examples:
  xylem grammar json.bnf
  xylem grammar log.bnf --emit line --program`

/** Adds the command. `signal` stops it. */
export function addGrammarCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('grammar')
    .summary('check a grammar and show how it is compiled')
    .argument('<grammar>', 'the grammar: a file, a URL, or - for standard input')
    .option('--entry <rule>', 'the rule to start with (default: "program", or the first rule)')
    .option('--emit <rules>', 'the rules whose nodes are printed, separated by commas', parseNames)
    .option('--program', 'print the program of the parsing machine')
  addDialectOption(command)
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem grammar --help)')
    .action(async (path: string, options: GrammarOptions) => {
      const { printGrammar } = await import('../actions/of-grammars.ts')
      await printGrammar(path, options, signal)
    })
}
