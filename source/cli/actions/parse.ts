// What `xylem parse` does: prints the trees of inputs.

import type { CheckOptions, Grammar, SyntaxNode } from '../../grammar/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import type { ParseOptions } from '../commands/parse.ts'
import { FaultFound, InputError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { report } from '../errors/report.ts'
import { loadGrammar, requireRules } from '../inputs/grammar-file.ts'
import { findInputs, type Input, orStandardInput, pathsOf } from '../inputs/inputs.ts'
import { InputsReader, judgeInputs, openCache } from '../inputs/read-inputs.ts'
import { requireFileName } from '../output/file-formats.ts'
import { formatNodeLine } from '../output/node-lines.ts'
import { writeBatches } from '../output/write-batches.ts'

export async function parseInputs(names: readonly string[], options: ParseOptions, signal: AbortSignal): Promise<void> {
  const { entry, emit = [], jobs, check, limit, output } = options
  if (check && (options.emit || limit !== undefined || output !== undefined))
    throw new UsageError('--check prints no nodes; it cannot be used together with --emit, --limit or --output')
  const grammar = await loadGrammar(options.grammar, options, signal)
  requireRules(grammar, [entry, ...emit])
  const given = orStandardInput(names)
  if (check) return await judgeInputs(given, signal, (input) => checkInput(input, grammar, options, signal))
  const inputs = await findInputs(given)
  // One tree is one value; several are not.
  requireFileName(output, options.emit || inputs.length > 1 ? ['jsonl'] : ['jsonl', 'json'], 'parse')
  const reader = new InputsReader<readonly SyntaxNode[]>(inputs, { jobs, signal }, (cache) =>
    stream(grammar, cache, options, signal),
  )
  await writeBatches(reader, {
    noun: 'nodes',
    options,
    inputPaths: [...pathsOf(inputs), options.grammar],
    signal,
    format: formatNodeLine,
  })
}

function runOptions({ entry, partial, ...options }: ParseOptions, signal: AbortSignal): CheckOptions {
  const { maxInput, maxRetained, maxDepth, maxNodes, maxRewound, freeRewound } = options
  return { entry, partial, signal, limits: { maxInput, maxRetained, maxDepth, maxNodes, maxRewound, freeRewound } }
}

/** The nodes that are wanted. */
function stream(
  grammar: Grammar,
  cache: StreamCache,
  options: ParseOptions,
  signal: AbortSignal,
): AsyncGenerator<SyntaxNode[], void, undefined> {
  const { emit, nested } = options
  try {
    return grammar.stream(cache, { ...runOptions(options, signal), emit, nested }).batches()
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

/** Whether an input matches, as an exit code; says why where it does not. */
async function checkInput(input: Input, grammar: Grammar, options: ParseOptions, signal: AbortSignal): Promise<number> {
  const cache = openCache(input, { jobs: options.jobs, signal })
  try {
    await grammar.check(cache, runOptions(options, signal))
    return ExitCode.GOOD
  } catch (error) {
    const named = new InputError(input.name, error)
    if (error instanceof ParseError) return report(new FaultFound(named))
    throw named
  }
}
