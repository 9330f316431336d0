// `xylem parse`: an input to trees, by a grammar.

import type { Command } from 'commander'
import type { MachineLimits } from '../../machine/limits.ts'
import { addDialectOption, type GrammarFileOptions, parseNames } from '../grammar-options.ts'
import { parseCount, parseNesting, parsePositive } from '../option-values.ts'

/** The limits of a parse, with what each is of. */
const LIMITS = {
  maxRetained: ['--max-retained <bytes>', 'keep at most N bytes of input in memory (default: 256 MiB)'],
  maxDepth: ['--max-depth <n>', 'allow at most N open rules, brackets and rewind points'],
  maxNodes: ['--max-nodes <n>', 'keep at most N nodes in memory'],
  maxRewound: ['--max-rewound <n>', 'read again at most N times the length of the input'],
  freeRewound: ['--free-rewound <bytes>', 'always allow N bytes to be read again'],
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
Prints the tree of the input as one line of JSON; with --emit, prints each node of a rule as soon
as it is certain, in bounded memory. A line has type, start and end (byte offsets), count, value
(text or nodes) and ref (lines and columns). Input can be compressed with gzip, bzip2 or zstd. The
grammar language is described in docs/grammar.md.

Examples:
  xylem parse --grammar json.bnf data.json
  xylem parse --grammar log.bnf --emit line huge.log.gz | head
  xylem parse --grammar csv.bnf --check table.csv && echo valid`

/** Adds the command. `signal` stops it. */
export function addParseCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('parse')
    .summary('parse an input with a grammar, and print its tree or parts of it as JSON lines')
    .argument('[file]', 'the input to parse, or - for standard input', '-')
    .requiredOption('-g, --grammar <file>', 'the grammar (required)')
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
    .option('--limit <n>', 'stop after N nodes', parseCount)
  for (const [flags, description] of Object.values(LIMITS)) command.option(flags, description, parsePositive)
  addDialectOption(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem parse --help)')
    .action(async (file: string, options: ParseOptions) => {
      const { parseInput } = await import('../actions/of-grammars.ts')
      await parseInput(file, options, signal)
    })
}
