// `xylem plan`: dumps as ranges for many workers.

import type { Command } from 'commander'
import { addRecordOptions, type GivenOptions, type RecordOptions } from '../options/dump-options.ts'
import { parsePositive, parseSize } from '../options/option-values.ts'

export interface PlanCommandOptions extends RecordOptions {
  revisions?: true
  ranges?: number
  rangeSize?: number
  output?: string
}

const HELP = `
Prints one line of JSON for the plan and one for each range, with everything that "xylem read"
needs. Ranges can be read in any order, in parallel, on many machines, and more than once; every
page is in exactly one range. Planning reads only the beginning of each file.

Example:
  xylem plan 'dumps/*.bz2' --ns 0 > plan.jsonl
  tail -n +2 plan.jsonl | parallel --pipe -N1 xylem read - --output parts
  xylem commit plan.jsonl parts`

/** Adds the command. `signal` stops it. */
export function addPlanCommand(program: Command, signal: AbortSignal): void {
  const command = program
    .command('plan')
    .summary('divide dumps into ranges that many workers can read')
    .argument('<dump...>', 'the dumps to read: files or patterns')
    .option('--revisions', 'read revisions instead of pages')
    .option('--ranges <n>', 'divide each file into N ranges', parsePositive)
    .option(
      '--range-size <bytes>',
      'divide files into ranges of about N bytes (default: 16 MiB for bzip2, 64 MiB for XML)',
      parseSize,
    )
  addRecordOptions(command)
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem plan --help)')
    .action(async (dumps: string[], options: GivenOptions<PlanCommandOptions>) => {
      const { printPlan } = await import('../actions/of-plans.ts')
      await printPlan(dumps, options, signal)
    })
}
