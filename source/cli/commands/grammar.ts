// `xylem grammar`: what becomes of a grammar, and which come along.

import type { CommandEntry } from '../command.ts'
import { DIALECT, GRAMMAR_SOURCE, parseNames } from '../options/grammar-options.ts'

export const grammar: CommandEntry = {
  name: 'grammar',
  summary: 'check a grammar and show how it is compiled',
  arguments: [['[grammar]', `the grammar: ${GRAMMAR_SOURCE}`]],
  options: [
    ['--list', 'list the grammars that come along'],
    ['--entry <rule>', 'the rule to start with (default: "program", or the first rule)'],
    ['--emit <rules>', 'the rules whose nodes are printed, separated by commas', parseNames],
    ['--program', 'print the program of the parsing machine'],
    DIALECT,
  ],
  help: `
Checks a grammar. Prints what the compiler did with it, and where a stream would have to hold back
input. With --program, also prints the program of the parsing machine. With --list, prints the names
of the grammars that come along, which all commands read as @name.

Examples:
  xylem grammar --list
  xylem grammar log.bnf
  xylem grammar log.bnf --emit line --program`,
  load: async () => (await import('../actions/grammar.ts')).printGrammar,
}
