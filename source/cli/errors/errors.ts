// What can go wrong in a command, by who caused it.

/** The command line cannot be carried out, or a small file that it names. `details` are lines to be shown below the message. */
export class UsageError extends Error {
  readonly code = 'usage'
  readonly details: string | undefined

  constructor(message: string, details?: string) {
    super(message)
    this.details = details
  }
}

/** An error in a named input; `cause` is the error. */
export class InputError extends Error {
  readonly input: string

  constructor(input: string, cause: unknown) {
    super(`${input}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.input = input
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
export class ArchiveError extends Error {
  readonly code = 'archive'
}

/** An archive has no such member. */
export class MissingMember extends Error {
  readonly code = 'no-such-member'
}

/** A check found an error; `cause` is the error. */
export class FaultFound extends Error {
  constructor(cause: unknown) {
    super('an error was found', { cause })
  }
}

/** The error was reported where it happened, and the rest was done; `exitCode` is how the command exits. */
export class ReportedError extends Error {
  readonly code = 'reported'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('the errors were reported')
    this.exitCode = exitCode
  }
}

/** An input is not what it was when the work was planned. */
export class InputChanged extends Error {
  readonly code = 'source-changed'
}

/** The parts of a plan are not all there, or do not agree. */
export class PartsError extends Error {
  readonly code = 'incomplete-parts'
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
