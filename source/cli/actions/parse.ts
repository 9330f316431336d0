// What `xylem parse` does: prints the values or the trees of inputs.

import {
  type CheckOptions,
  type Grammar,
  GrammarError,
  type SyntaxNode,
  type ValueStreamOptions,
} from '../../grammar/index.ts'
import type { ValueQuestion } from '../../grammar/values/value-questions.ts'
import { collectValues, findWriting } from '../../grammar/values/written-values.ts'
import { findFormat, formatNames, USUAL_FORMAT } from '../../record/format/index.ts'
import { Report, sum } from '../../record/report.ts'
import { formatPieces } from '../../text/json.ts'
import { ParseError } from '../../text/parse-error.ts'
import { ExitCode, InputError, UsageError } from '../errors/errors.ts'
import { dashed, inCommandWords, orUsage } from '../errors/or-usage.ts'
import { loadGrammar } from '../inputs/grammar-file.ts'
import { findNamed, nameCells } from '../inputs/header-names.ts'
import { findInputs, type Input, orStandardInput } from '../inputs/inputs.ts'
import { judgeInputs, openCache } from '../inputs/read-inputs.ts'
import { FORMAT_OPTION_NAMES, requireFormatOptions } from '../options/format-options.ts'
import type { ParseOptions as GivenOptions } from '../options/grammar-options.ts'
import { findGiven } from '../options/option.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { requireGood } from '../output/findings.ts'
import { requireObjects } from '../output/record-output.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import { noteFaults } from '../read/fault-handler.ts'

export async function parseInputs(
  inputNames: readonly string[],
  given: GivenOptions,
  signal: AbortSignal,
): Promise<void> {
  const { check } = given
  const clash = findGiven(given, CHECKLESS)
  if (check && clash) throw new UsageError(`--check prints nothing; it cannot be used together with --${dashed(clash)}`)
  const grammar = await loadGrammar(given.grammar, given, signal)
  const { entry = grammar.entry } = given
  const options = { ...given, entry }
  const names = orStandardInput(inputNames)
  if (check) return await judgeInputs(names, signal, (input) => checkInput(input, grammar, options, signal))
  const inputs = await findInputs(names)
  const counts = new Report<never, Counts>([sum('faults')])
  const open = hasValues(grammar, options) ? openValues : openTrees
  const written = await open(grammar, options, inputs.length, counts)
  const { exitCode } = await writeBatches({ inputs, options, otherPaths: [options.grammar], signal, ...written })
  requireGood(exitCode)
  if (counts.data.faults) requireGood(ExitCode.FAULTS)
}

/** How many errors were skipped. */
type Counts = { readonly faults: number }

type ParseOptions = GivenOptions & { readonly entry: string }

/** Options that say how values are printed, and all that say what is printed. */
const OF_VALUES = ['values', 'fields', 'as', 'positions', 'lenient', 'header', ...FORMAT_OPTION_NAMES]
const CHECKLESS = ['emit', 'tree', ...OF_VALUES, 'format', 'limit', 'output']

/** Whether values are printed: where there are fields, or an option is about values. Throws a `UsageError` if that is so with `--tree`. */
function hasValues(grammar: Grammar, options: ParseOptions): boolean {
  const { entry, emit = [], tree } = options
  const option = findGiven(options, OF_VALUES)
  if (tree && option) throw new UsageError(`--${dashed(option)} applies to values, not to trees`)
  const hasFields = orUsage(() => [entry, ...emit].filter((rule) => grammar.hasFields(rule)).length > 0)
  return !tree && (option !== undefined || hasFields)
}

/** What is written, and how. */
type Opened = Pick<BatchWriting, 'read' | 'noun' | 'format' | 'fields' | 'setup'>

/** Values, in any format. That of one input which is not made of others is one value. */
async function openValues(
  grammar: Grammar,
  options: ParseOptions,
  inputs: number,
  counts: Report<never, Counts>,
): Promise<Opened> {
  const { entry, output, fields: names, nested, header } = options
  if (header && options.positions) throw new UsageError('--header and --positions cannot be used together')
  const made = {
    // Errors of rows say where they are.
    positions: header ?? options.positions,
    lenient: options.lenient,
    as: options.as && Object.fromEntries(options.as),
  }
  const question = ask(grammar, { entry, emit: options.emit, ...made }, options.grammar)
  const { emitted: emit, emittedRules, shapes } = question
  const isOne = !options.emit && emit[0] === entry && inputs === 1 && !options.format
  const format = isOne ? 'jsonl' : (options.format ?? guessFormat(output))
  if (isOne) requireFileName(output, ['jsonl', 'value'], 'parse')
  else requireRecordsName(output, options.format, 'parse')
  const written = requireFormatOptions(format, options)
  const writing = orUsage(() =>
    header
      ? findNamed(findWriting(shapes, emittedRules, undefined), names, format)
      : findWriting(shapes, emittedRules, names),
  )
  const { format: collecting } = await findFormat(format).module.load()
  return {
    read: ({ name, cache }, left, signal) => {
      const reading = { ...runOptions(options, signal, name, counts), ...made, emit, nested }
      const values = orUsage(() => grammar.values(cache, reading))
      const given = header ? nameCells(values.batches(), names, cache) : values.batches()
      const batches = collectValues(given, writing, collecting, { ...USUAL_FORMAT, ...written, limit: left })
      return batches as AsyncGenerator<Batch, void, undefined>
    },
    noun: 'values',
    format,
    fields: writing.fields,
    setup: written,
  }
}

/** Trees, as objects of JSON. That of one input is one value. */
async function openTrees(
  grammar: Grammar,
  options: ParseOptions,
  inputs: number,
  counts: Report<never, Counts>,
): Promise<Opened> {
  const { emit, output, nested } = options
  const isOne = !emit && inputs === 1 && !options.format
  if (isOne) requireFileName(output, ['jsonl', 'value'], 'parse')
  else requireRecordsName(output, options.format, 'parse', formatNames('objects'))
  const format = isOne ? 'jsonl' : (options.format ?? guessFormat(output))
  requireObjects(format, 'nodes', 'they are not rows of a table')
  return {
    read: ({ name, cache }, left, signal) => {
      const reading = { ...runOptions(options, signal, name, counts), emit, nested }
      const nodes = orUsage(() => grammar.stream(cache, reading))
      return batchLines(nodes.batches(), (node) => formatPieces(node, dataOf), left)
    },
    noun: 'nodes',
    format,
    fields: [],
  }
}

function dataOf({ type, start, end, count, value, ref }: SyntaxNode): object {
  return { type, start, end, count, value, ref }
}

/** Asks for values. A grammar that does not say what it gives is an error in its file. */
function ask(grammar: Grammar, options: ValueStreamOptions, path: string): ValueQuestion {
  try {
    return orUsage(() => grammar.ask(options))
  } catch (error) {
    throw error instanceof GrammarError ? new InputError(path, error) : error
  }
}

function runOptions(
  { entry, partial, onError: how, ...options }: ParseOptions,
  signal: AbortSignal,
  input: string,
  counts: Report<never, Counts>,
): CheckOptions {
  const onError = how === 'skip' ? noteFaults(input, counts) : how
  const { maxInput, maxRetained, maxDepth, maxNodes, maxRewound, freeRewound } = options
  const limits = { maxInput, maxRetained, maxDepth, maxNodes, maxRewound, freeRewound }
  return { entry, partial, onError, signal, limits }
}

/** Throws where an input does not match, and reading does not continue. */
async function checkInput(input: Input, grammar: Grammar, options: ParseOptions, signal: AbortSignal): Promise<number> {
  const cache = openCache(input, { jobs: options.jobs, signal })
  const counts = new Report<never, Counts>([sum('faults')])
  try {
    await grammar.check(cache, runOptions(options, signal, input.name, counts))
    return counts.data.faults ? ExitCode.FAULTS : ExitCode.GOOD
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(inCommandWords(error.message))
    throw new InputError(input.name, error, error instanceof ParseError ? ExitCode.FAULTS : undefined)
  }
}
