// `xylem read`: one range of a plan.

import type { Command } from 'commander'
import { parsePositive } from '../option-values.ts'

export interface ReadOptions {
  output?: string
  jobs: number
}

const HELP = `
Prints the records of a range as lines of JSON, and last a line {"trailer": …} with their number,
bytes and SHA-256, the first and the last page, and what is needed to check the whole dump: without
it the reading has failed. With --output the records become a part file in a folder, which appears
when it is whole; doing that twice is harmless.

Exit codes: 3 the input is corrupt, which trying again does not mend; 4 it has changed since the
plan was made; 5 it could not be read, which may pass.

Example:
  sed -n 2p plan.jsonl | xylem read - --output parts`

/** Adds the command. `signal` stops it. */
export function addReadCommand(program: Command, signal: AbortSignal): void {
  program
    .command('read')
    .summary('read one range of a plan')
    .argument('<range>', 'a line of the plan, or - to read it from standard input')
    .option('--output <folder>', 'write a part file into a folder')
    .option('--jobs <n>', 'threads that decompress bzip2', parsePositive, 1)
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem read --help tells what there is)')
    .action(async (line: string, options: ReadOptions) => {
      const { readPlanned } = await import('../actions/of-plans.ts')
      await readPlanned(line, options, signal)
    })
}
