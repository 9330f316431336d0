// `xylem plan`: dumps as ranges for many workers.

import type { Command } from 'commander'
import { findInputs } from '../dump-inputs.ts'
import { addRecordOptions, type RecordOptions, requireRecordOptions } from '../dump-options.ts'
import { UsageError } from '../errors.ts'
import { parsePositive } from '../option-values.ts'
import { writeOutput } from '../output/output.ts'
import { formatPlan, makePlan } from '../plan.ts'

interface PlanCommandOptions extends RecordOptions {
  revisions?: true
  ranges?: number
  rangeSize?: number
  output?: string
}

const HELP = `
Prints a line of JSON about the plan, and one for each range: everything that "xylem read" needs.
Ranges can be read in any order, at the same time, on many machines and more than once; every page
is in exactly one of them. Planning reads only the beginning of each file.

Example:
  xylem plan 'dumps/*.bz2' --ns 0 > plan.jsonl
  tail -n +2 plan.jsonl | parallel --pipe -N1 xylem read - --output parts
  xylem commit plan.jsonl parts`

/** Adds the command. `signal` stops it. */
export function addPlanCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('plan')
    .summary('cut dumps into ranges that many workers can read')
    .argument('<dump...>', 'the dumps: files, or patterns for files')
    .option('--revisions', 'plan to read revisions, not pages')
    .option('--ranges <n>', 'cut each file into so many ranges', parsePositive)
    .option(
      '--range-size <bytes>',
      'about how much of a file is in a range (16 MiB of bzip2, 64 MiB of XML)',
      parsePositive,
    )
  addRecordOptions(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem plan --help tells what there is)')
    .action(async (dumps: string[], options: PlanCommandOptions) => {
      const { revisions, ranges, rangeSize } = options
      const kind = revisions ? 'revisions' : 'pages'
      requireRecordOptions(kind, options)
      const files = (await findInputs(dumps)).map(({ name, path }) => {
        if (path === undefined) throw new UsageError(`only files can be planned, not ${name}`)
        return path
      })
      const plan = await makePlan(files, {
        kind,
        records: options,
        ranges,
        rangeSize,
      })
      await writeOutput(options.output, files, signal, (output) => output.write(formatPlan(plan)))
    })
}
