// What `xylem plan` does: cuts dumps, or documents of records, into ranges.

import { UsageError } from '../errors/errors.ts'
import { dashed } from '../errors/or-usage.ts'
import { findInputs, requireFiles } from '../inputs/inputs.ts'
import { type GivenOptions, type PlanOptions, QUESTION, requireRecordOptions } from '../options/dump-options.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import { listFiles, readLists } from '../options/list-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { formatPlan, makePlan } from '../plan/plan.ts'
import { ask } from '../read/ask.ts'
import { requireAddedFields } from '../read/pages.ts'
import type { Question } from '../read/question.ts'
import { type QuestionOptions, readQuestion } from '../read/read-question.ts'
import { tell } from '../terminal/terminal.ts'

/** Options that say what is wanted of records, and those that say what is wanted of dumps. */
const OF_RECORDS = ['field', 'shape', 'lenient', 'prefix', 'encoding', 'entities', 'dtd'] as const
/** Options of plans that both kinds of questions have. */
const OF_BOTH: readonly string[] = ['where', 'written', 'maxRetained', 'onError']
const OF_DUMPS = ['revisions' as const, ...QUESTION.filter((name) => !OF_BOTH.includes(name))]

export async function printPlan(
  names: readonly string[],
  given: GivenOptions<PlanOptions>,
  signal: AbortSignal,
): Promise<void> {
  const { ranges, rangeSize, cuts, jobs, each, shape, format = 'jsonl', output } = given
  if (ranges !== undefined && rangeSize !== undefined)
    throw new UsageError('--ranges cannot be used together with --range-size')
  const wanted = { ...given, written: requireFormatOptions(format, given) }
  const question = each ? await askRecords(each, wanted, signal) : await askDumps(wanted, signal)
  requireFileName(output, ['jsonl'], 'plan')
  const files = requireFiles(await findInputs(names), 'xylem plan', 'files and URLs')
  const plan = await makePlan(files, { question, format, ranges, rangeSize, cuts, jobs, signal })
  const inputPaths = [...files, ...listFiles(given), ...(shape === undefined ? [] : [shape])]
  await writeOutput(output, inputPaths, signal, (written) => written.write(formatPlan(plan)))
  for (const { file, codec, size } of each ? plan.ranges : []) {
    const wanted = ranges ?? (rangeSize === undefined ? 1 : Math.round(size / rangeSize))
    if (codec === 'other' && wanted > 1) tell(`xylem: ${file}: ${ONE_RANGE}`)
  }
}

/** Why a document is not cut. */
const ONE_RANGE =
  'it is one range: only UTF-8 can be cut that is not compressed or in bzip2, whose first record is in the first MiB and not the root, by a path that ends with a name and has no conditions before it'

async function askDumps(given: GivenOptions<PlanOptions>, signal: AbortSignal): Promise<Question> {
  const kind = given.revisions ? 'revisions' : 'pages'
  const other = OF_RECORDS.find((name) => given[name] !== undefined)
  if (other) throw new UsageError(`--${dashed(other)} says what is wanted of records; use it together with --each`)
  requireRecordOptions(kind, given)
  requireAddedFields(kind, given)
  return { ...(await readLists(given, signal)), kind }
}

async function askRecords(
  each: readonly string[],
  given: GivenOptions<PlanOptions>,
  signal: AbortSignal,
): Promise<Question> {
  const other = OF_DUMPS.find((name) => given[name] !== undefined)
  if (other) throw new UsageError(`--${dashed(other)} is about dumps of wikis; it cannot be used together with --each`)
  if (given.onError !== 'stop' && given.cuts === 'verified')
    throw new UsageError('--on-error cannot be used together with --cuts verified; use --cuts guessed')
  if (!given.field && given.shape === undefined)
    throw new UsageError('--each needs fields: name them with --field or --shape')
  const question = await readQuestion(each, given as QuestionOptions, signal)
  // Whoever reads a range could only say that it is invalid.
  await ask({ question, format: 'jsonl' })
  return question
}
