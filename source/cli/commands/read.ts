// `xylem read`: one range of a plan.

import type { Command } from 'commander'
import { makeJobs } from '../options/jobs.ts'

export interface ReadOptions {
  output?: string
  jobs: number
}

const HELP = `
Prints the records of a range as JSON lines. The last line, {"trailer": …}, has their number, bytes
and SHA-256, the first and last page, and what is needed to check the complete dump; if it is
missing, the range was not read completely. With --output, writes a part file into a folder. The
part appears when it is complete, and writing it twice does no harm.

Exit codes: 3 the input is corrupt: do not retry; 4 the input has changed since the plan was
created; 5 the input could not be read: a retry can succeed.

Example:
  sed -n 2p plan.jsonl | xylem read - --output parts`

/** Adds the command. `signal` stops it. */
export function addReadCommand(program: Command, signal: AbortSignal): void {
  program
    .command('read')
    .summary('read one range of a plan')
    .argument('<range>', 'a line of the plan, or - to read it from standard input')
    .option('--output <folder>', 'write a part file into this folder')
    .addOption(makeJobs(undefined, 1))
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem read --help)')
    .action(async (line: string, options: ReadOptions) => {
      const { readPlanned } = await import('../actions/of-plans.ts')
      await readPlanned(line, options, signal)
    })
}
