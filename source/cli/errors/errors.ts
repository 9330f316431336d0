// What can go wrong in a command, by who caused it.

/** The exit codes of every command. */
export const ExitCode = {
  GOOD: 0,
  /** `check` found faults. */
  FAULTS: 1,
  /** Nothing was found, or something that was asked for was not. */
  NOTHING_FOUND: 1,
  /** The command line is wrong. */
  USAGE: 2,
  /** The input is malformed, truncated or corrupt, or larger than a limit. */
  BAD_INPUT: 3,
  /** The input is not what it was when the work was planned. */
  INPUT_CHANGED: 4,
  /** The source could not be read, or the output not be written. */
  SOURCE_FAILED: 5,
  /** A fault in xylem itself. */
  INTERNAL: 70,
} as const

/** An error with an exit code of its own. `details` are lines to be shown below the message. */
export abstract class CommandError extends Error {
  abstract readonly code: string
  abstract readonly exitCode: number
  readonly details: string | undefined

  constructor(message: string, details?: string) {
    super(message)
    this.details = details
  }
}

/** The command line cannot be carried out, or a small file that it names. */
export class UsageError extends CommandError {
  readonly code = 'usage'
  readonly exitCode = ExitCode.USAGE
}

/** An error in a named input; `cause` is the error. */
export class InputError extends Error {
  readonly input: string
  /** How the command exits, if not as for the cause. */
  readonly exitCode: number | undefined

  constructor(input: string, cause: unknown, exitCode?: number) {
    super(`${input}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.input = input
    this.exitCode = exitCode
  }
}

/** What a function gives whose errors are those of an input. */
export async function inInput<Result>(name: string, read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw new InputError(name, error)
  }
}

/** Whether an input was to be a dump, and is other XML. */
export function isOtherXml(error: unknown): error is InputError {
  if (!(error instanceof InputError) || !(error.cause instanceof Error)) return false
  return (error.cause as { code?: unknown }).code === 'not-a-dump'
}

/** A member of an archive cannot be read, or the archive is not read as an input itself. */
export class ArchiveError extends CommandError {
  readonly code = 'archive'
  readonly exitCode = ExitCode.BAD_INPUT
}

/** An archive has no such member. */
export class MissingMember extends CommandError {
  readonly code = 'no-such-member'
  readonly exitCode = ExitCode.SOURCE_FAILED
}

/** The error was reported where it happened, and the rest was done; `exitCode` is how the command exits. */
export class ReportedError extends CommandError {
  readonly code = 'reported'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('the errors were reported')
    this.exitCode = exitCode
  }
}

/** An input is not what it was when the work was planned. */
export class InputChanged extends CommandError {
  readonly code = 'source-changed'
  readonly exitCode = ExitCode.INPUT_CHANGED
}

/** The parts of a plan are not all there, or do not agree. */
export class PartsError extends CommandError {
  readonly code = 'incomplete-parts'
  readonly exitCode = ExitCode.BAD_INPUT
}

/** A named output could not be written; `cause` is why. */
export class OutputError extends Error {
  readonly output: string

  constructor(output: string, cause: Error) {
    super(cause.message, { cause })
    this.output = output
  }
}

/** The reader of the output has gone (`xylem … | head`): not an error, but no reason to continue. */
export class OutputClosed extends Error {
  readonly code = 'reader-gone'

  constructor() {
    super('the reader of the output has gone')
  }
}
