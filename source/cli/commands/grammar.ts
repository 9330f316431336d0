// `xylem grammar`: what becomes of a grammar.

import type { Command } from 'commander'
import { formatProblem } from '../../grammar/errors.ts'
import type { Grammar } from '../../grammar/index.ts'
import { explainGrammar } from '../../grammar/report.ts'
import { addDialectOption, type GrammarFileOptions, loadGrammar, parseNames, requireRules } from '../grammar-file.ts'

interface GrammarOptions extends GrammarFileOptions {
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

/** Adds the command. */
export function addGrammarCommand(program: Command): void {
  const command = program
    .command('grammar')
    .summary('check a grammar and show how it is compiled')
    .argument('<grammar>', 'the grammar file')
    .option('--entry <rule>', 'the rule to start with (default: "program", or the first rule)')
    .option('--emit <rules>', 'the rules whose nodes are printed, separated by commas', parseNames)
    .option('--program', 'print the program of the parsing machine')
  addDialectOption(command)
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem grammar --help)')
    .action(async (path: string, options: GrammarOptions) => {
      const grammar = await loadGrammar(path, options)
      const entry = options.entry ?? chooseEntry(grammar)
      const parts = options.emit ?? [entry]
      requireRules(grammar, [entry, ...parts])
      for (const warning of grammar.warnings) console.error(`warning: ${formatProblem(warning)}\n`)
      process.stdout.write(explainGrammar(grammar, { entry, parts, showsProgram: options.program ?? false }))
    })
}

function chooseEntry({ rules }: Grammar): string {
  const entry = rules.find(({ name }) => name === 'program') ?? rules[0]
  return (entry as { name: string }).name
}
