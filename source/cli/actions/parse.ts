// What `xylem parse` does: prints the trees of an input.

import { decompress } from '../../compression/decompress.ts'
import type { CheckOptions, Grammar, SyntaxNode } from '../../grammar/index.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import type { ParseOptions } from '../commands/parse.ts'
import { FaultFound, InputError, UsageError } from '../errors.ts'
import { loadGrammar, requireRules } from '../grammar-file.ts'
import { nameFaults, openInput } from '../input.ts'
import { formatNodeLine } from '../output/node-lines.ts'
import { openOutput } from '../output/output.ts'
import { writeBatches } from '../output/write-batches.ts'

export async function parseInput(file: string, options: ParseOptions, signal: AbortSignal): Promise<void> {
  const grammar = await loadGrammar(options.grammar, options)
  requireRules(grammar, [options.entry, ...(options.emit ?? [])])
  const isStandardInput = file === '-'
  const source = decompress(openInput(file))
  const cache = StreamCache.from(source, { signal })
  const name = isStandardInput ? 'standard input' : file
  if (options.check) return await checkInput(grammar.check(cache, runOptions(options, signal)), name)
  const nodes = stream(grammar, cache, options, signal)
  const batches = nameFaults(name, nodes)
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

function runOptions({ entry, partial, ...options }: ParseOptions, signal: AbortSignal): CheckOptions {
  const { maxRetained, maxDepth, maxNodes, maxRewound, freeRewound } = options
  return { entry, partial, signal, limits: { maxRetained, maxDepth, maxNodes, maxRewound, freeRewound } }
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
    return grammar.streamBatches(cache, { ...runOptions(options, signal), emit, nested })
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
