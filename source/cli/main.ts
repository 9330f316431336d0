#!/usr/bin/env node
// The command line. All commands end here: errors become a line on standard error, with an excerpt below it where there is one, and
// an exit code.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Command } from 'commander'
import { settleCompiler } from './compiler.ts'
import { OutputClosed } from './errors.ts'
import { ExitCode, explain } from './exit-codes.ts'
import { Interruption } from './interruption.ts'

type AddCommand = (program: Command, signal: AbortSignal) => void

/** In the order of the help. Each is loaded when it is asked for: all of them take some 100 ms. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  pages: async () => (await import('./commands/pages.ts')).addPagesCommand,
  revisions: async () => (await import('./commands/revisions.ts')).addRevisionsCommand,
  get: async () => (await import('./commands/get.ts')).addGetCommand,
  index: async () => (await import('./commands/index.ts')).addIndexCommand,
  info: async () => (await import('./commands/info.ts')).addInfoCommand,
  plan: async () => (await import('./commands/plan.ts')).addPlanCommand,
  read: async () => (await import('./commands/read.ts')).addReadCommand,
  commit: async () => (await import('./commands/commit.ts')).addCommitCommand,
  check: async () => (await import('./commands/check.ts')).addCheckCommand,
  select: async () => (await import('./commands/select.ts')).addSelectCommand,
  parse: async () => (await import('./commands/parse.ts')).addParseCommand,
  grammar: async () => (await import('./commands/grammar.ts')).addGrammarCommand,
  types: async () => (await import('./commands/types.ts')).addTypesCommand,
}

/** The command of a name, or all of them where there is none, or help is wanted. */
async function loadCommands(name: string | undefined): Promise<AddCommand[]> {
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return load ? [await load()] : Promise.all(Object.values(COMMANDS).map((all) => all()))
}

const EXIT_CODES = `
Exit codes:
  0    good
  1    faults were found (check) or passed over (--on-error), texts differ (--verify), or there is no such page (get)
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
    await (await makeProgram(interruption.signal)).parseAsync()
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

async function makeProgram(signal: AbortSignal): Promise<Command> {
  const program = new Command('xylem')
    .description('Reads Wikipedia dumps, XML, and other inputs larger than memory by a grammar, as streams.')
    .version(readVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'xylem: ')) })
    .showHelpAfterError('(xylem --help tells what there is)')
    .addHelpText('after', EXIT_CODES)
  for (const add of await loadCommands(process.argv[2])) add(program, signal)
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
