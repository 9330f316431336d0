// `xylem commit`: the end of a plan.

import type { Command } from 'commander'

export interface CommitOptions {
  quick?: true
}

const HELP = `
Checks that the folder has the part of every range of the plan, that each is as it was written
(by its SHA-256), that the ranges account for every byte and every page of the dumps, and that the
checksums of the archives agree with what was read. Then writes _SUCCESS with the totals, and prints
them. With --quick parts are not read again, and only their sizes are compared.

Example:
  xylem commit plan.jsonl parts`

/** Adds the command. */
export function addCommitCommand(program: Command): void {
  program
    .command('commit')
    .summary('check that the parts of a plan are complete, and say so')
    .argument('<plan>', 'what xylem plan has printed')
    .argument('<folder>', 'where xylem read has written the parts')
    .option('--quick', 'compare the sizes of parts, and not their content')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem commit --help tells what there is)')
    .action(async (plan: string, folder: string, options: CommitOptions) => {
      const { commitParts } = await import('../actions/of-plans.ts')
      await commitParts(plan, folder, options)
    })
}
