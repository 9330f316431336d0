// What `xylem plan` does: cuts dumps into ranges.

import { findInputs, requireFiles } from '../inputs/inputs.ts'
import { type GivenOptions, type RecordOptions, requireRecordOptions } from '../options/dump-options.ts'
import { readLists } from '../options/list-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { requireTable } from '../output/record-output.ts'
import { formatPlan, makePlan } from '../plan/plan.ts'
import { requireAddedFields } from '../records/added-fields.ts'

interface PlanCommandOptions extends RecordOptions {
  revisions?: true
  ranges?: number
  rangeSize?: number
  output?: string
}

export async function printPlan(
  dumps: readonly string[],
  given: GivenOptions<PlanCommandOptions>,
  signal: AbortSignal,
): Promise<void> {
  const { revisions, ranges, rangeSize } = given
  const kind = revisions ? 'revisions' : 'pages'
  requireRecordOptions(kind, given)
  requireAddedFields(kind, given.fields ?? [])
  requireFileName(given.output, ['jsonl'], 'plan')
  requireTable(given.format ?? 'jsonl', given)
  const files = requireFiles(await findInputs(dumps), 'xylem plan')
  const plan = await makePlan(files, {
    kind,
    records: await readLists(given, signal),
    ranges,
    rangeSize,
  })
  await writeOutput(given.output, files, signal, (output) => output.write(formatPlan(plan)))
}
