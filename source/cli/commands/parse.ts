// `xylem parse`: an input to trees, by a grammar.

import type { Command } from 'commander'
import type { MachineLimits } from '../../machine/limits.ts'
import { addDialectOption, type GrammarFileOptions, parseNames } from '../grammar-options.ts'
import { parseCount, parseNesting, parsePositive } from '../option-values.ts'

/** The limits of a parse, with what each is of. */
const LIMITS = {
  maxRetained: ['--max-retained <bytes>', 'bytes of input that may be held at once'],
  maxDepth: ['--max-depth <n>', 'rules, brackets and rewind points that may be open at once'],
  maxNodes: ['--max-nodes <n>', 'nodes that may be held at once'],
  maxRewound: ['--max-rewound <n>', 'how many times as much input may be read again as there is'],
  freeRewound: ['--free-rewound <bytes>', 'bytes that may be read again besides, however short the input is'],
} as const satisfies Partial<Record<keyof MachineLimits, readonly [flags: string, description: string]>>

type LimitOptions = { [Name in keyof typeof LIMITS]?: number }

export interface ParseOptions extends GrammarFileOptions, LimitOptions {
  grammar: string
  entry: string
  emit?: string[]
  nested: 'outermost' | 'innermost'
  check?: true
  partial?: true
  limit?: number
  output?: string
  quiet?: true
}

const HELP = `
Prints the tree of the input as one line of JSON; with --emit, each node of a rule as soon as it
is certain, in bounded memory. A line holds type, start and end (byte offsets), count, value (text
or nodes) and ref (lines and columns). Input may be compressed with gzip or bzip2. The grammar
language is described in docs/grammar.md.

Examples:
  xylem parse --grammar json.bnf data.json
  xylem parse --grammar log.bnf --emit line huge.log.gz | head
  xylem parse --grammar csv.bnf --check table.csv && echo good`

/** Adds the command. `signal` stops it. */
export function addParseCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('parse')
    .summary('parse an input by a grammar, and print its tree or parts of it as JSON lines')
    .argument('[file]', 'the input to parse, or - for standard input', '-')
    .requiredOption('-g, --grammar <file>', 'the grammar')
    .option('--entry <rule>', 'the rule to begin with', 'program')
    .option('--emit <rules>', 'print the nodes of these rules, separated by commas, not the whole tree', parseNames)
    .option('--nested <which>', 'which of nested nodes to print: outermost or innermost', parseNesting, 'outermost')
    .option('--check', 'print nothing: only tell whether the input matches (exit code 0 or 1)')
    .option('--partial', 'let the input go on behind what the entry matches')
    .option('--limit <n>', 'stop after this many nodes', parseCount)
  for (const [flags, description] of Object.values(LIMITS)) command.option(flags, description, parsePositive)
  addDialectOption(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem parse --help tells what there is)')
    .action(async (file: string, options: ParseOptions) => {
      const { parseInput } = await import('../actions/of-grammars.ts')
      await parseInput(file, options, signal)
    })
}
