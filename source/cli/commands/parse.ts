// `xylem parse`: an input to trees, by a grammar.

import type { Command } from 'commander'
import { decompress } from '../../compression/decompress.ts'
import type { CheckOptions, Grammar } from '../../grammar/index.ts'
import type { NodeStream } from '../../grammar/node-stream.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import { FaultFound, InputError, UsageError } from '../errors.ts'
import { addDialectOption, type GrammarFileOptions, loadGrammar, parseNames, requireRules } from '../grammar-file.ts'
import { nameFaults, openInput } from '../input.ts'
import { parseCount, parseNesting } from '../option-values.ts'
import { formatNodeLine } from '../output/node-lines.ts'
import { openOutput } from '../output/output.ts'
import { writeBatches } from '../output/write-batches.ts'

interface ParseOptions extends GrammarFileOptions {
  grammar: string
  entry: string
  emit?: string[]
  nested: 'outermost' | 'innermost'
  check?: true
  partial?: true
  limit?: number
  maxRetained?: number
  maxDepth?: number
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
    .option('--max-retained <bytes>', 'bytes of input that may be held at once', parseCount)
    .option('--max-depth <n>', 'rules that may be open at once', parseCount)
  addDialectOption(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .option('--quiet', 'show no progress on the terminal')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem parse --help tells what there is)')
    .action((file: string, options: ParseOptions) => parseInput(file, options, signal))
}

async function parseInput(file: string, options: ParseOptions, signal: AbortSignal): Promise<void> {
  const grammar = await loadGrammar(options.grammar, options)
  requireRules(grammar, [options.entry, ...(options.emit ?? [])])
  const isStandardInput = file === '-'
  const source = decompress(openInput(file))
  const cache = StreamCache.from(source, { signal })
  const name = isStandardInput ? 'standard input' : file
  if (options.check) return await checkInput(grammar.check(cache, runOptions(options, signal)), name)
  const nodes = stream(grammar, cache, options, signal)
  const batches = nameFaults(name, nodes.batches())
  try {
    // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first nodes.
    const first = await batches.next()
    const output = await openOutput(options.output, isStandardInput ? undefined : file, signal)
    await writeBatches(output, {
      first,
      others: batches,
      noun: 'nodes',
      limit: options.limit,
      isTold: !options.quiet && (options.output !== undefined || !process.stdout.isTTY),
      source: cache,
      format: formatNodeLine,
    })
  } finally {
    await batches.return(undefined)
  }
}

function runOptions({ entry, partial, maxRetained, maxDepth }: ParseOptions, signal: AbortSignal): CheckOptions {
  return { entry, partial, signal, limits: { maxRetained, maxDepth } }
}

/** The nodes that are wanted. */
function stream(grammar: Grammar, cache: StreamCache, options: ParseOptions, signal: AbortSignal): NodeStream {
  const { emit, nested } = options
  try {
    return grammar.stream(cache, { ...runOptions(options, signal), emit, nested })
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

async function checkInput(checked: Promise<void>, name: string): Promise<void> {
  try {
    await checked
  } catch (error) {
    throw error instanceof ParseError ? new FaultFound(new InputError(name, error)) : new InputError(name, error)
  }
}
