// What `xylem plan` does: cuts dumps into ranges.

import type { PlanCommandOptions } from '../commands/plan.ts'
import { findInputs } from '../dump-inputs.ts'
import { requireRecordOptions } from '../dump-options.ts'
import { UsageError } from '../errors.ts'
import { writeOutput } from '../output/output.ts'
import { formatPlan, makePlan } from '../plan.ts'

export async function printPlan(
  dumps: readonly string[],
  options: PlanCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { revisions, ranges, rangeSize } = options
  const kind = revisions ? 'revisions' : 'pages'
  requireRecordOptions(kind, options)
  const files = (await findInputs(dumps)).map(({ name, path }) => {
    if (path === undefined) throw new UsageError(`xylem plan can read files only, not ${name}`)
    return path
  })
  const plan = await makePlan(files, {
    kind,
    records: options,
    ranges,
    rangeSize,
  })
  await writeOutput(options.output, files, signal, (output) => output.write(formatPlan(plan)))
}
