// `xylem plan`: dumps as ranges for many workers.

import type { Command } from 'commander'
import { addRecordOptions, type RecordOptions } from '../dump-options.ts'
import { parsePositive } from '../option-values.ts'

export interface PlanCommandOptions extends RecordOptions {
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
      const { printPlan } = await import('../actions/of-plans.ts')
      await printPlan(dumps, options, signal)
    })
}
