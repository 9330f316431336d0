// What `xylem commit` does: checks that the parts of a plan, or the reports on its ranges, are complete.

import type { Boundary } from '../../xml/ranges/range.ts'
import { ExitCode, UsageError } from '../errors/errors.ts'
import { readSmallText } from '../inputs/read-inputs.ts'
import { type FindingOptions, reportMissing, reportUnseen, requireGood } from '../output/findings.ts'
import { PartFolder } from '../plan/part-folder.ts'
import type { PartTotals } from '../plan/part-totals.ts'
import { type Plan, type PlannedRange, parsePlan } from '../plan/plan.ts'
import { readRange } from '../plan/range-job.ts'
import { InputCheck } from '../plan/read-input.ts'
import { withoutInner } from '../read/records.ts'
import { print } from '../terminal/outcome.ts'
import { tell } from '../terminal/terminal.ts'

interface CommitOptions extends FindingOptions {
  quick?: true
  reports?: true
  verifyInputs?: true
}

export async function commitParts(
  path: string,
  folder: string,
  { quick, reports, verifyInputs, ...options }: CommitOptions,
  signal: AbortSignal,
): Promise<void> {
  if (quick && reports)
    throw new UsageError('--quick cannot be used together with --reports: there are no parts whose content is compared')
  const plan = await readPlan(path, signal)
  const readAgain = (range: PlannedRange, from: Boundary) => {
    tell(
      `${range.file}: the part of range ${range.index} is written again, because its first record is not the first that it seemed to have`,
    )
    return readRange(range, { jobs: 1, signal, tell, from })
  }
  const scrutiny = quick ? 'size' : 'content'
  const how = reports ? ({ scrutiny: 'report' } as const) : ({ scrutiny, readAgain } as const)
  const totals = await new PartFolder(folder).finish(plan, { ...how, check: new InputCheck(verifyInputs) })
  if (quick) tell('xylem: only the sizes of the parts were checked, not their content (--quick)')
  const exitCode = reportTotals(plan, totals, options)
  print(`${JSON.stringify(totals)}\n`)
  if (totals.faults > 0) requireGood(ExitCode.FAULTS)
  requireGood(exitCode)
}

/** Says what was not found. Returns the exit code. */
function reportTotals({ ranges: [first] }: Plan, totals: PartTotals, options: FindingOptions): number {
  const question = first?.question
  if (question?.kind !== 'records') return reportMissing(question?.kind ?? 'pages', { missing: {}, ...totals }, options)
  const { records, missing } = totals
  // Fields of which a condition is asked may be in records that are not wanted.
  const unseen = { [question.where ? 'empty' : 'missing']: withoutInner(missing?.fields ?? []) }
  return reportUnseen('record', { records, ...unseen }, options)
}

async function readPlan(path: string, signal: AbortSignal): Promise<Plan> {
  const { name, text } = await readSmallText(path, signal)
  try {
    return parsePlan(text)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error
  }
}
