// `xylem commit`: the end of a plan.

import { readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Command } from 'commander'
import { describeEmptyNamespaces } from '../dump-filter.ts'
import { InputError, ToldAlready, UsageError } from '../errors.ts'
import { ExitCode } from '../exit-codes.ts'
import { PartFolder } from '../part-folder.ts'
import { type Plan, parsePlan } from '../plan.ts'
import { tell } from '../terminal.ts'

const HELP = `
Checks that the folder has a part for every range of the plan, that no part has changed since it
was written (by its SHA-256), that the ranges cover every byte and every page of the dumps, and
that the checksums of the archives match. Then writes the totals to _SUCCESS, and prints them. With
--quick, it compares only the sizes of the parts and does not read them.

Example:
  xylem commit plan.jsonl parts`

/** Adds the command. */
export function addCommitCommand(program: Command): void {
  program
    .command('commit')
    .summary('check that the parts of a plan are complete, and mark them as complete')
    .argument('<plan>', 'the output of xylem plan')
    .argument('<folder>', 'the folder with the parts that xylem read wrote')
    .option('--quick', 'compare only the sizes of the parts, not their content')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see xylem commit --help)')
    .action(async (path: string, folder: string, { quick }: { quick?: true }) => {
      const totals = await new PartFolder(folder).finish(await readPlan(path), { scrutiny: quick ? 'size' : 'content' })
      if (quick) tell('xylem: only the sizes of the parts were checked, not their content (--quick)')
      if (totals.emptyNamespaces) tell(describeEmptyNamespaces(totals.emptyNamespaces))
      process.stdout.write(`${JSON.stringify(totals)}\n`)
      if (totals.faults > 0) throw new ToldAlready(ExitCode.FAULTS)
    })
}

async function readPlan(path: string): Promise<Plan> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new InputError(path, error)
  }
  try {
    return parsePlan(text)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error
  }
}
