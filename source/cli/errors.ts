// What can go wrong in a command, by whose fault it is.

/** The command line cannot be carried out. */
export class UsageError extends Error {}

/** A fault in a named input; `cause` is the fault. */
export class InputError extends Error {
  readonly input: string

  constructor(input: string, cause: unknown) {
    super(`${input}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.input = input
  }
}

/** A fault was found that was looked for; `cause` tells what it is. */
export class FaultFound extends Error {
  constructor(cause: unknown) {
    super('an error was found', { cause })
  }
}

/** What went wrong was told where it happened, and the rest was done; `exitCode` is how the command exits. */
export class ToldAlready extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('the errors were reported')
    this.exitCode = exitCode
  }
}

/** An input is not what it was when the work was planned. */
export class InputChanged extends Error {}

/** The parts of a plan are not all there, or do not agree. */
export class PartsError extends Error {}

/** A named output could not be written; `cause` is why. */
export class OutputError extends Error {
  readonly output: string

  constructor(output: string, cause: Error) {
    super(cause.message, { cause })
    this.output = output
  }
}

/** The reader of the output has gone (`xylem … | head`): no fault, but no reason to go on. */
export class OutputClosed extends Error {}
