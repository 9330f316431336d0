// The command line. All commands end here: errors become a line on standard error, with an excerpt below it where there is one, and
// an exit code. What a command does is loaded when it runs: see commands/ and actions/.

import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
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
import { OutputClosed, OutputError } from './errors/errors.ts'
import { ExitCode } from './errors/exit-codes.ts'
import { report } from './errors/report.ts'
import { Interruption } from './terminal/interruption.ts'
import { escapeText } from './terminal/terminal.ts'

type AddCommand = (program: Command, signal: AbortSignal) => void

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, AddCommand>> = {
  pages: addPagesCommand,
  revisions: addRevisionsCommand,
  get: addGetCommand,
  index: addIndexCommand,
  info: addInfoCommand,
  plan: addPlanCommand,
  read: addReadCommand,
  commit: addCommitCommand,
  check: addCheckCommand,
  select: addSelectCommand,
  parse: addParseCommand,
  grammar: addGrammarCommand,
  types: addTypesCommand,
}

/** Adds the command of a name, or all of them where there is none, or help is wanted. */
function addCommands(program: Command, signal: AbortSignal, name: string | undefined): void {
  const add = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  for (const each of add ? [add] : Object.values(COMMANDS)) each(program, signal)
}

const EXIT_CODES = `
Exit codes:
  0    success
  1    errors were found (check) or skipped (--on-error), texts differ (--verify), or no page was found (get)
  2    the command line is invalid, or a plan or a list that it names
  3    the input is malformed, truncated or corrupt, or exceeds a limit
  4    the input has changed
  5    the input cannot be read, or the output cannot be written
  70   an internal error of xylem
  130  interrupted by Ctrl-C
  143  stopped by SIGTERM`

/** What the standard streams fail with, which nobody awaits: help and messages are written by the way. */
function watchStandardStreams(): { error?: Error } {
  const state: { error?: Error } = {}
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has gone has seen enough.
    if (error.code !== 'EPIPE') state.error = error
  })
  process.stderr.on('error', () => {})
  return state
}

/** Carries out a command line, given without the names of Node and of the program. Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const interruption = new Interruption()
  try {
    await makeProgram(args[0], interruption.signal).parseAsync(args, { from: 'user' })
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

function makeProgram(name: string | undefined, signal: AbortSignal): Command {
  const program = new Command('xylem')
    .description('Reads Wikipedia dumps, XML documents and, with a grammar, any other format as a stream.')
    .version(manifest.version, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(escapeText(text.replace(/^error: /, 'xylem: '))) })
    .showHelpAfterError('(see xylem --help)')
    .addHelpText('after', EXIT_CODES)
  addCommands(program, signal, name)
  return program
}

/** Carries out the command line of this process, which ends with its exit code. */
export async function main(): Promise<void> {
  const standardStreams = watchStandardStreams()
  const exitCode = await runCommandLine(process.argv.slice(2))
  // Interrupted, a write to a reader that does not read may still be pending, and would keep the process.
  if (exitCode === 130 || exitCode === 143) process.exit(exitCode)
  process.exitCode = exitCode
  await settleCompiler()
  process.once('exit', () => {
    const { error } = standardStreams
    if (error && exitCode === ExitCode.GOOD) process.exitCode = report(new OutputError('standard output', error))
  })
}
