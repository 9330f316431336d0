#!/usr/bin/env node
// The command line. All commands end here: errors become a line on standard error, with an excerpt below it where there is one, and
// an exit code.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Command } from 'commander'
import { addCheckCommand } from './commands/check.ts'
import { addCommitCommand } from './commands/commit.ts'
import { addGetCommand } from './commands/get.ts'
import { addGrammarCommand } from './commands/grammar.ts'
import { addIndexCommand } from './commands/index.ts'
import { addInfoCommand } from './commands/info.ts'
import { addPagesCommand } from './commands/pages.ts'
import { addParseCommand } from './commands/parse.ts'
import { addPlanCommand } from './commands/plan.ts'
import { addReadCommand } from './commands/read.ts'
import { addRevisionsCommand } from './commands/revisions.ts'
import { addSelectCommand } from './commands/select.ts'
import { addTypesCommand } from './commands/types.ts'
import { settleCompiler } from './compiler.ts'
import { OutputClosed } from './errors.ts'
import { ExitCode, explain } from './exit-codes.ts'
import { Interruption } from './interruption.ts'

const EXIT_CODES = `
Exit codes:
  0    good
  1    faults were found (check), or passed over (--on-error), or texts differ (--verify)
  2    the command line is wrong
  3    the input is malformed, truncated or corrupt, or larger than a limit
  4    the input has changed
  5    the input could not be read, or the output not be written
  70   a fault in xylem itself
  130  interrupted by Ctrl-C, 143 by SIGTERM`

/** What the standard streams fail with, which nobody awaits: help and messages are written by the way. */
function watchStandardStreams(): { failed: boolean } {
  const state = { failed: false }
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that has gone has seen enough.
    if (code !== 'EPIPE') state.failed = true
  })
  process.stderr.on('error', () => {})
  return state
}

async function main(): Promise<number> {
  const interruption = new Interruption()
  try {
    await makeProgram(interruption.signal).parseAsync()
    return interruption.exitCode ?? ExitCode.GOOD
  } catch (error) {
    // A reader that has gone has seen enough; a person who interrupts knows that it is over.
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if (error instanceof OutputClosed) return ExitCode.GOOD
    return report(error)
  } finally {
    interruption.release()
  }
}

function makeProgram(signal: AbortSignal): Command {
  const program = new Command('xylem')
    .description('Reads Wikipedia dumps, XML, and other inputs larger than memory by a grammar, as streams.')
    .version(readVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'xylem: ')) })
    .showHelpAfterError('(xylem --help tells what there is)')
    .addHelpText('after', EXIT_CODES)
  addPagesCommand(program, signal)
  addRevisionsCommand(program, signal)
  addGetCommand(program, signal)
  addIndexCommand(program, signal)
  addInfoCommand(program, signal)
  addPlanCommand(program, signal)
  addReadCommand(program, signal)
  addCommitCommand(program)
  addCheckCommand(program, signal)
  addSelectCommand(program, signal)
  addParseCommand(program, signal)
  addGrammarCommand(program)
  addTypesCommand(program, signal)
  return program
}

function report(error: unknown): number {
  const explanation = explain(error)
  if (!explanation) {
    console.error('xylem: a fault in xylem itself; please report it with what follows')
    console.error(error)
    return ExitCode.INTERNAL
  }
  if (explanation.message !== '') console.error(`xylem: ${explanation.message}`)
  if (explanation.details) console.error(explanation.details)
  return explanation.code
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

const standardStreams = watchStandardStreams()
const exitCode = await main()
// Interrupted, a write to a reader that does not read may still be pending, and would keep the process.
if (exitCode === 130 || exitCode === 143) process.exit(exitCode)
process.exitCode = exitCode
await settleCompiler()
process.once('exit', () => {
  if (standardStreams.failed && exitCode === ExitCode.GOOD) process.exitCode = ExitCode.SOURCE_FAILED
})
