// What `xylem parse` does: prints the trees of inputs.

import type { CheckOptions, Grammar, SyntaxNode } from '../../grammar/index.ts'
import { formatNames } from '../../record/format/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import { FaultFound, InputError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { report } from '../errors/report.ts'
import { loadGrammar, requireRules } from '../inputs/grammar-file.ts'
import { findInputs, type Input, orStandardInput } from '../inputs/inputs.ts'
import { judgeInputs, openCache } from '../inputs/read-inputs.ts'
import type { FormatOptions } from '../options/format-options.ts'
import type { GrammarFileOptions } from '../options/grammar-options.ts'
import type { LimitValues, PARSE_LIMITS } from '../options/limit-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { requireObjects } from '../output/record-output.ts'
import { formatNodeLine } from '../output/tree-lines.ts'
import { batchLines, writeBatches } from '../output/write-batches.ts'

interface ParseOptions extends GrammarFileOptions, Pick<FormatOptions, 'format'>, LimitValues<typeof PARSE_LIMITS> {
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

export async function parseInputs(names: readonly string[], options: ParseOptions, signal: AbortSignal): Promise<void> {
  const { entry, emit = [], check, limit, output } = options
  if (check && (options.emit || options.format || limit !== undefined || output !== undefined))
    throw new UsageError(
      '--check prints no nodes; it cannot be used together with --emit, --format, --limit or --output',
    )
  const grammar = await loadGrammar(options.grammar, options, signal)
  requireRules(grammar, [entry, ...emit])
  const given = orStandardInput(names)
  if (check) return await judgeInputs(given, signal, (input) => checkInput(input, grammar, options, signal))
  const inputs = await findInputs(given)
  // The only line of one tree is one value.
  const isOneTree = !options.emit && inputs.length === 1 && !options.format
  if (isOneTree) requireFileName(output, ['jsonl', 'value'], 'parse')
  else requireRecordsName(output, options.format, 'parse', formatNames('objects'))
  const format = isOneTree ? 'jsonl' : (options.format ?? guessFormat(output))
  requireObjects(format, 'nodes', 'they are not rows of a table')
  await writeBatches({
    inputs,
    read: (cache, _name, left, leaving) => batchLines(stream(grammar, cache, options, leaving), formatNodeLine, left),
    noun: 'nodes',
    options,
    format,
    fields: [],
    otherPaths: [options.grammar],
    signal,
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
