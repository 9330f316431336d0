// `xylem plan`: dumps as ranges for many workers.

import type { CommandEntry } from '../command.ts'
import { recordOptions } from '../options/dump-options.ts'
import { OUTPUT } from '../options/option.ts'
import { parsePositive, parseSize } from '../options/option-values.ts'

export const plan: CommandEntry = {
  name: 'plan',
  summary: 'divide dumps into ranges that many workers can read',
  arguments: [['<dump...>', 'the dumps to read: files or patterns']],
  options: [
    ['--revisions', 'read revisions instead of pages'],
    ['--ranges <n>', 'divide each file into N ranges', parsePositive],
    [
      '--range-size <bytes>',
      'divide files into ranges of about N bytes (default: 16 MiB for bzip2, 64 MiB for XML)',
      parseSize,
    ],
    ...recordOptions('pages'),
    OUTPUT,
  ],
  help: `
Prints one line of JSON for the plan and one for each range, with everything that "xylem read"
needs. Ranges can be read in any order, in parallel, on many machines, and more than once; every
page is in exactly one range. Planning reads the beginning and the end of each file.

Example:
  xylem plan 'dumps/*.bz2' --ns 0 > plan.jsonl
  tail -n +2 plan.jsonl | parallel --pipe -N1 xylem read - --output parts
  xylem commit plan.jsonl parts`,
  load: async () => (await import('../actions/plan.ts')).printPlan,
}
