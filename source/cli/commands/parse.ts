// `xylem parse`: an input to trees, by a grammar.

import type { Command } from 'commander'
import { type FormatOptions, makeFormat } from '../options/format-options.ts'
import { addDialectOption, type GrammarFileOptions, parseNames } from '../options/grammar-options.ts'
import { makeJobs } from '../options/jobs.ts'
import { addLimits, type LimitValues, PARSE_LIMITS } from '../options/limit-options.ts'
import { INPUTS, parseCount, parseNesting } from '../options/option-values.ts'

export interface ParseOptions
  extends GrammarFileOptions,
    Pick<FormatOptions, 'format'>,
    LimitValues<typeof PARSE_LIMITS> {
  grammar: string
  entry: string
  emit?: string[]
  nested: 'outermost' | 'innermost'
  check?: true
  partial?: true
  limit?: number
  jobs: number
  output?: string
  quiet?: true
}

const HELP = `
Prints the tree of the input as one line of JSON; with --emit, prints each node of a rule as soon
as it is certain, in bounded memory. A line has type, start and end (byte offsets), count, value
(text or nodes) and ref (lines and columns). Input can be compressed with gzip, bzip2 or zstd. With
--check, an input that does not match does not keep the others from being checked. The grammar
language is described in docs/grammar.md.

Examples:
  xylem parse --grammar json.bnf data.json
  xylem parse --grammar log.bnf --emit line huge.log.gz | head
  xylem parse --grammar csv.bnf --check 'tables/*.csv' && echo valid`

/** Adds the command. `signal` stops it. */
export function addParseCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('parse')
    .summary('parse an input with a grammar, and print its tree or parts of it as JSON lines')
    .argument('[input...]', `the inputs to parse: ${INPUTS} (the default)`)
    .requiredOption('-g, --grammar <file>', 'the grammar (required): a file, a URL, or - for standard input')
    .option('--entry <rule>', 'the rule to start with', 'program')
    .option('--emit <rules>', 'print the nodes of these rules, separated by commas, instead of the tree', parseNames)
    .option(
      '--nested <which>',
      'of nodes inside each other, print the outermost or innermost',
      parseNesting,
      'outermost',
    )
    .option('--check', 'print no nodes; check whether the input matches (exit code 0 or 1)')
    .option('--partial', 'allow more input after what the entry rule matches')
    .addOption(makeFormat())
    .option('--limit <n>', 'stop after N nodes', parseCount)
  addLimits(command, PARSE_LIMITS)
  addDialectOption(command)
    .addOption(makeJobs())
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem parse --help)')
    .action(async (inputs: string[], options: ParseOptions) => {
      const { parseInputs } = await import('../actions/of-grammars.ts')
      await parseInputs(inputs, options, signal)
    })
}
