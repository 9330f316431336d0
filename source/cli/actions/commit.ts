// What `xylem commit` does: checks that the parts of a plan are complete.

import { UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { readSmallInput } from '../inputs/read-inputs.ts'
import { type FindingOptions, reportMissing, requireGood } from '../output/findings.ts'
import { PartFolder } from '../plan/part-folder.ts'
import { type Plan, parsePlan } from '../plan/plan.ts'
import { tell } from '../terminal/terminal.ts'

interface CommitOptions extends FindingOptions {
  quick?: true
}

export async function commitParts(
  path: string,
  folder: string,
  { quick, ...options }: CommitOptions,
  signal: AbortSignal,
): Promise<void> {
  const plan = await readPlan(path, signal)
  const totals = await new PartFolder(folder).finish(plan, { scrutiny: quick ? 'size' : 'content' })
  if (quick) tell('xylem: only the sizes of the parts were checked, not their content (--quick)')
  const exitCode = reportMissing(plan.ranges[0]?.kind ?? 'pages', { missing: {}, ...totals }, options)
  process.stdout.write(`${JSON.stringify(totals)}\n`)
  if (totals.faults > 0) requireGood(ExitCode.FAULTS)
  requireGood(exitCode)
}

async function readPlan(path: string, signal: AbortSignal): Promise<Plan> {
  const { name, bytes } = await readSmallInput(path, signal)
  try {
    return parsePlan(new TextDecoder().decode(bytes))
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error
  }
}
