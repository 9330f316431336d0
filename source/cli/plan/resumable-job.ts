// `--resume`: a plan, its ranges into a folder of parts, and its end. What an earlier run has finished is not read again.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { ExitCode, UsageError } from '../errors/errors.ts'
import { type Input, requireFiles } from '../inputs/inputs.ts'
import type { DumpCommandOptions } from '../options/dump-options.ts'
import { reportMissing, requireGood } from '../output/findings.ts'
import { isStandardOutput } from '../output/output.ts'
import { ProgressLine } from '../output/progress.ts'
import { makeRangePool } from '../read/range-pool.ts'
import { tell } from '../terminal/terminal.ts'
import { PartFolder } from './part-folder.ts'
import { makePlan, type PlannedRange } from './plan.ts'
import type { PartsSetup, RangeResult } from './range-task.ts'
import { InputCheck } from './read-input.ts'

export async function runResumably(
  kind: RecordKind,
  inputs: readonly Input[],
  options: DumpCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { output, limit, rangeSize, jobs, quiet, stats, verify, verifyInputs } = options
  if (output === undefined || isStandardOutput(output))
    throw new UsageError('--resume needs a folder to write to: --output DIR')
  if (limit !== undefined || verify) {
    throw new UsageError('--resume cannot be used together with --limit or --verify')
  }
  const files = requireFiles(inputs, '--resume')
  const plan = await makePlan(files, { question: { ...options, kind }, format: options.format, rangeSize, signal })
  const folder = new PartFolder(output)
  await folder.open(plan)
  if (!quiet && (await folder.isBusy()))
    tell(`${output}: another run seems to be writing the same parts; both will produce the same files`)
  const check = new InputCheck(verifyInputs)
  const kept = await readParts(plan.ranges, output, { kind, jobs, isQuiet: quiet === true, signal, check })
  const totals = await folder.finish(plan, { known: new Set(plan.ranges.map(({ id }) => id)), check })
  const exitCode = reportMissing(kind, { missing: {}, ...totals }, options)
  if (stats) {
    const { parts, records, bytes } = totals
    const counts = `${records.toLocaleString('en')} ${kind}, ${bytes.toLocaleString('en')} bytes`
    tell(`${parts} parts (${kept} of them from earlier runs), ${counts}`)
  }
  if (totals.faults > 0) requireGood(ExitCode.FAULTS)
  requireGood(exitCode)
}

interface ReadPartsOptions {
  readonly kind: RecordKind
  readonly jobs: number
  readonly isQuiet: boolean
  readonly signal: AbortSignal
  readonly check: InputCheck
}

/** Reads the ranges that have no part yet. Returns how many parts are from earlier runs. `path`: the folder. */
async function readParts(
  ranges: readonly PlannedRange[],
  path: string,
  { kind, jobs, isQuiet, signal, check }: ReadPartsOptions,
): Promise<number> {
  const progress = new ProgressLine(!isQuiet, kind)
  const totalBytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const isAlone = ranges.length === 1
  // One range has all threads for itself, to decompress.
  const setup: PartsSetup = { kind: 'parts', folder: path, jobs: isAlone ? jobs : 1 }
  const threads = jobs === 1 || isAlone ? 0 : Math.min(jobs, ranges.length)
  const pool = makeRangePool<PlannedRange, RangeResult>(setup, { threads, signal })
  let kept = 0
  let bytesRead = 0
  let count = 0
  try {
    for await (const [range, results] of pool.inOrder(ranges, signal)) {
      const [{ trailer, told, isKept }] = results.flat() as [RangeResult]
      const { start, end } = range
      for (const text of told) tell(text)
      await check.add(range, trailer.input)
      if (isKept) kept++
      bytesRead += end - start
      count += trailer.records
      progress.update({ bytesRead, totalBytes }, count)
    }
  } finally {
    pool.close()
    progress.clear()
  }
  return kept
}
