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
    .action(async (path: string, folder: string, { quick }: { quick?: true }) => {
      const totals = await new PartFolder(folder).finish(await readPlan(path), { scrutiny: quick ? 'size' : 'content' })
      if (quick) tell('xylem: the content of the parts was not compared with their digests (--quick)')
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
