// What `xylem commit` does: checks that the parts of a plan are complete.

import { ReportedError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { readSmallInput } from '../inputs/read-inputs.ts'
import { PartFolder } from '../plan/part-folder.ts'
import { type Plan, parsePlan } from '../plan/plan.ts'
import { describeEmptyNamespaces } from '../records/wanted-namespaces.ts'
import { tell } from '../terminal/terminal.ts'

interface CommitOptions {
  quick?: true
}

export async function commitParts(
  path: string,
  folder: string,
  { quick }: CommitOptions,
  signal: AbortSignal,
): Promise<void> {
  const totals = await new PartFolder(folder).finish(await readPlan(path, signal), {
    scrutiny: quick ? 'size' : 'content',
  })
  if (quick) tell('xylem: only the sizes of the parts were checked, not their content (--quick)')
  if (totals.emptyNamespaces) tell(describeEmptyNamespaces(totals.emptyNamespaces))
  process.stdout.write(`${JSON.stringify(totals)}\n`)
  if (totals.faults > 0) throw new ReportedError(ExitCode.FAULTS)
}

async function readPlan(path: string, signal: AbortSignal): Promise<Plan> {
  const { name, bytes } = await readSmallInput(path, signal)
  try {
    return parsePlan(new TextDecoder().decode(bytes))
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error
  }
}
