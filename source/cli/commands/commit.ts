// `xylem commit`: the end of a plan.

import { readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Command } from 'commander'
import { InputError, ToldAlready, UsageError } from '../errors.ts'
import { ExitCode } from '../exit-codes.ts'
import { PartFolder } from '../part-folder.ts'
import { parseRange } from '../plan.ts'

const HELP = `
Checks that the folder has the part of every range of the plan, that no page is in two of them, and
that the checksums of the archives agree with what was read; then writes _SUCCESS with the totals,
and prints them.

Example:
  xylem commit plan.jsonl parts`

/** Adds the command. */
export function addCommitCommand(program: Command): void {
  program
    .command('commit')
    .summary('check the parts of a plan, and say that they are all')
    .argument('<plan>', 'what xylem plan has printed')
    .argument('<folder>', 'where xylem read has written the parts')
    .addHelpText('after', HELP)
    .showHelpAfterError('(xylem commit --help tells what there is)')
    .action(async (plan: string, path: string) => {
      const lines = (await readPlan(plan)).split('\n').filter((line) => line !== '')
      const head = parseHead(lines[0])
      if (head?.type !== 'plan') throw new UsageError(`${plan} is no plan: it must be what xylem plan prints`)
      const ranges = lines.slice(1).map(parseRange)
      if (ranges.length !== head.ranges)
        throw new UsageError(`${plan} has ${ranges.length} of its ${head.ranges} ranges`)
      const totals = await new PartFolder(path).finish(ranges)
      process.stdout.write(`${JSON.stringify(totals)}\n`)
      if (totals.faults > 0) throw new ToldAlready(ExitCode.FAULTS)
    })
}

function parseHead(line = ''): { type?: string; ranges?: number } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function readPlan(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new InputError(path, error)
  }
}
