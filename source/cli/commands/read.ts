// `xylem read`: one range of a plan.

import process from 'node:process'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { ToldAlready } from '../errors.ts'
import { ExitCode } from '../exit-codes.ts'
import { parsePositive } from '../option-values.ts'
import { openOutput } from '../output/output.ts'
import { PartFolder } from '../part-folder.ts'
import { type PlannedRange, parseRange } from '../plan.ts'
import { readRange } from '../range-job.ts'
import { tell } from '../terminal.ts'

interface ReadOptions {
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
    .action(async (line: string, { output, jobs }: ReadOptions) => {
      const range = parseRange(line === '-' ? await text(process.stdin) : line)
      const pieces = readRange(range, { jobs, signal, tell })
      const faults = output === undefined ? await print(range, pieces, signal) : await commit(range, output, pieces)
      if (faults > 0) throw new ToldAlready(ExitCode.FAULTS)
    })
}

type Pieces = ReturnType<typeof readRange>

async function print(_range: PlannedRange, pieces: Pieces, signal: AbortSignal): Promise<number> {
  const output = await openOutput(undefined, undefined, signal)
  try {
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) await output.write(next.value)
    await output.write(`${JSON.stringify({ trailer: next.value })}\n`)
    return next.value.faults
  } finally {
    await pieces.return(undefined as never)
  }
}

async function commit(range: PlannedRange, path: string, pieces: Pieces): Promise<number> {
  const folder = new PartFolder(path)
  await folder.open()
  const trailer = (await folder.find(range)) ?? (await folder.write(range, pieces))
  return trailer.faults
}
