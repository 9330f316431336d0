// The command line. All commands end here: errors become a line on standard error, with an excerpt below it where there is one, and
// an exit code. What a command does is loaded when it runs: see commands/ and actions/.

import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addCommand, type CommandEntry, refuseSwallowed } from './command.ts'
import { completion } from './commands/completion.ts'
import { DOCUMENT_COMMANDS } from './commands/documents.ts'
import { DUMP_COMMANDS } from './commands/dumps.ts'
import { GRAMMAR_COMMANDS } from './commands/grammars.ts'
import { PLAN_COMMANDS } from './commands/plans.ts'
import { ExitCode, isOtherXml, OutputClosed, OutputError, UsageError } from './errors/errors.ts'
import { report, tellOfOtherXml } from './errors/report.ts'
import { addHelp, fitHelp } from './help/help-text.ts'
import { readFlags } from './options/option.ts'
import { Interruption } from './terminal/interruption.ts'
import { noteError, print } from './terminal/outcome.ts'
import { isMark, leaveParent, markOfParent, openTrailer } from './terminal/parent.ts'
import { escapeText, tell } from './terminal/terminal.ts'
import { listFirst } from './terminal/word-list.ts'

/** In the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  ...DUMP_COMMANDS,
  ...PLAN_COMMANDS,
  ...DOCUMENT_COMMANDS,
  ...GRAMMAR_COMMANDS,
  completion(() => COMMANDS),
]

/** What is said of the program, before and after the list of commands. */
export const DESCRIPTION = 'Reads Wikipedia dumps, XML documents and, with a grammar, any other format as a stream.'
export const EXIT_CODES = `
Exit codes:
  0    success
  1    errors were found (check) or skipped (--on-error), texts differ (--verify), types are not up to date
       (types --check), or nothing, or not everything that was asked for, was found (see --allow-empty)
  2    the command line is invalid, or a plan, a list or a shape that it names
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
    requireMark()
    const known = correctArguments(args)
    await makeProgram(known, interruption.signal).parseAsync(known, { from: 'user' })
    return interruption.exitCode ?? ExitCode.GOOD
  } catch (error) {
    // A reader that has gone has seen enough; a person who interrupts knows that it is over.
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if (error instanceof OutputClosed) {
      noteError({ message: error.message, code: error.code })
      return ExitCode.GOOD
    }
    const exitCode = report(error)
    if (error instanceof CommanderError) tellWayOut(error, args)
    if (isOtherXml(error)) await tellOfOtherXml(error, args[0] ?? '', interruption.signal)
    return exitCode
  } finally {
    interruption.release()
    leaveParent()
  }
}

function requireMark(): void {
  const mark = markOfParent()
  if (mark !== undefined && !isMark(mark)) throw new UsageError('XYLEM_TRAILER must be letters, digits and hyphens')
}

/** The name of a command that there is not stands alone: then it is an error, also after `help` and before `--help`. */
function correctArguments(args: readonly string[]): readonly string[] {
  const name = args[0] === 'help' ? args[1] : args[0]
  if (name === undefined || name.startsWith('-')) return args
  if (name === 'help') return [name]
  return COMMANDS.some((entry) => entry.name === name) ? args : [name]
}

/** Says which commands have an option that another one does not have, or that stands before the command, and what comes before the name of a file. */
function tellWayOut({ code, message }: CommanderError, [first = '']: readonly string[]): void {
  if (code === 'commander.unknownCommand' && /[./]/.test(first))
    tell('(the name of a command comes first, such as: xylem pages FILE, or xylem select PATH FILE)')
  if (code !== 'commander.unknownOption') return
  const [, option] = /unknown option '(--[\w-]+)/.exec(message) ?? []
  const commands = COMMANDS.filter(({ options }) => options.some(([flags]) => readFlags(flags).long === option))
  if (commands.length > 0)
    tell(`(${option} is an option of ${listFirst(commands.map(({ name }) => name))}, after the name of the command)`)
}

function makeProgram(args: readonly string[], signal: AbortSignal): Command {
  const program = new Command('xylem')
    .description(DESCRIPTION)
    .version(manifest.version, '-V')
    .version(manifest.version, '-v, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: print,
      outputError: (text, write) => write(escapeText(text.replace(/^error: /, 'xylem: '))),
    })
    .showHelpAfterError('(see xylem --help)')
  // The name that it had before.
  program.options[0]?.hideHelp()
  addHelp(fitHelp(program), EXIT_CODES)
  // The command that is named, or all of them where there is none, or help is wanted.
  const named = COMMANDS.find(({ name }) => name === args[0])
  for (const entry of named ? [named] : COMMANDS) {
    const command = addCommand(program, entry, signal)
    if (named) refuseSwallowed(command, entry, args)
  }
  return program
}

/** Carries out the command line of this process, which ends with its exit code. */
export async function main(): Promise<void> {
  const standardStreams = watchStandardStreams()
  const writeTrailer = await openTrailer()
  process.once('exit', (exitCode) => {
    const { error } = standardStreams
    if (error && exitCode === ExitCode.GOOD) process.exitCode = report(new OutputError('standard output', error))
    writeTrailer(Number(process.exitCode ?? exitCode))
  })
  const exitCode = await runCommandLine(process.argv.slice(2))
  // Interrupted, a write to a reader that does not read may still be pending, and would keep the process.
  if (exitCode === 130 || exitCode === 143) process.exit(exitCode)
  process.exitCode = exitCode
  await settleCompiler()
}

/** Longer than nearly all optimisations take. */
const GRACE = 25

/**
 * Waits until V8 optimises nothing any more. The V8 of Node 20 can lock up where a process ends: the main thread waits for the thread
 * that optimises, which waits for the main thread to collect garbage. So nothing new is begun, and what runs may still have its garbage
 * collected. Later versions end the wait themselves.
 */
async function settleCompiler(): Promise<void> {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--no-opt')
  await new Promise((resolve) => setTimeout(resolve, GRACE))
}
