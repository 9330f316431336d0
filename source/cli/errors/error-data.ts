// Errors as data, for programs that start xylem. The messages for people are made in exit-codes.ts.

import { CommanderError } from 'commander'
import { LimitError, SourceError } from '../../stream/errors.ts'
import { XylemError } from '../../stream/xylem-error.ts'
import { ParseError } from '../../text/parse-error.ts'
import type { ErrorData } from '../terminal/outcome.ts'
import { FaultFound, InputError, OutputError } from './errors.ts'
import type { Explanation } from './exit-codes.ts'

/** An error as data. `explanation` has the message for people and the exit code; it is undefined for an internal error of xylem. */
export function describeError(error: unknown, explanation: Explanation | undefined): ErrorData {
  const { cause, file } = findCause(error)
  const message = explanation ? explanation.message || messageOf(cause) : `internal error: ${messageOf(cause)}`
  const { byteOffset, line, column } = cause instanceof XylemError ? cause : ({} as Partial<XylemError>)
  return {
    message,
    code: explanation ? codeOf(cause) : 'internal',
    ...(file !== undefined && { file }),
    ...(byteOffset !== undefined && { byteOffset }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
}

/** The error that says what is wrong, and the file that it is about. */
function findCause(error: unknown, file?: string): { cause: unknown; file?: string | undefined } {
  if (error instanceof FaultFound) return findCause(error.cause, file)
  if (error instanceof InputError) return findCause(error.cause, file ?? error.input)
  if (error instanceof OutputError) return { cause: error, file: error.output }
  if (error instanceof SourceError) {
    const { cause, code } = error
    if (cause instanceof ParseError || cause instanceof LimitError) return { cause, file }
    if (code !== 'source-changed' && cause instanceof SourceError) return findCause(cause, file)
    // What the system says of a file is more than that its source has failed.
    if (code === 'source-failed' && typeof (cause as { code?: unknown } | undefined)?.code === 'string')
      return { cause, file }
  }
  return { cause: error, file }
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage'
  if (error instanceof OutputError) return codeOf(error.cause)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
}
