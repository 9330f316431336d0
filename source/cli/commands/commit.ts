// `xylem commit`: the end of a plan.

import type { Command } from 'commander'

export interface CommitOptions {
  quick?: true
}

const HELP = `
Checks that the folder has a part for every range of the plan, that no part has changed since it
was written (by its SHA-256), that the ranges cover every byte and every page of the dumps, and
that the checksums of the archives match. Then writes the totals to _SUCCESS, and prints them. With
--quick, it compares only the sizes of the parts and does not read them.

Example:
  xylem commit plan.jsonl parts`

/** Adds the command. `signal` stops it. */
export function addCommitCommand(program: Command, signal: AbortSignal): void {
  program
    .command('commit')
    .summary('check that the parts of a plan are complete, and mark them as complete')
    .argument('<plan>', 'the output of xylem plan, or - for standard input')
    .argument('<folder>', 'the folder with the parts that xylem read wrote')
    .option('--quick', 'compare only the sizes of the parts, not their content')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem commit --help)')
    .action(async (plan: string, folder: string, options: CommitOptions) => {
      const { commitParts } = await import('../actions/of-plans.ts')
      await commitParts(plan, folder, options, signal)
    })
}
