// What `xylem parse` does: prints the trees of an input.

import { decompress } from '../../compression/decompress.ts'
import type { Grammar } from '../../grammar/index.ts'
import type { NodeStream } from '../../grammar/node-stream.ts'
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
  const nodes = stream(grammar, cache, options, signal)
  const name = isStandardInput ? 'standard input' : file
  if (options.check) return await checkInput(nodes, name)
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

/** The nodes that are wanted; when the input is only checked, as few as can be. */
function stream(grammar: Grammar, cache: StreamCache, options: ParseOptions, signal: AbortSignal): NodeStream {
  const { entry, emit, nested, partial, maxRetained, maxDepth, check } = options
  try {
    return grammar.stream(cache, {
      entry,
      nested,
      emit: check ? [] : (emit ?? entry),
      partial: partial ?? false,
      signal,
      ...(maxRetained !== undefined && { maxRetained }),
      ...(maxDepth !== undefined && { maxDepth }),
    })
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

async function checkInput(nodes: NodeStream, name: string): Promise<void> {
  try {
    for await (const _ of nodes.batches());
  } catch (error) {
    throw error instanceof ParseError ? new FaultFound(new InputError(name, error)) : new InputError(name, error)
  }
}
