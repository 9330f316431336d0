// What errors say to people, and as data to programs that start xylem.

import { CommanderError } from 'commander'
import { GrammarError } from '../../grammar/syntax/errors.ts'
import { LimitError, SourceError } from '../../stream/errors.ts'
import { XylemError } from '../../stream/xylem-error.ts'
import { ParseError } from '../../text/parse-error.ts'
import { XmlEditError } from '../../xml/edit/edit-error.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import type { ErrorData } from '../terminal/outcome.ts'
import { CommandError, ExitCode, InputError, OutputError, ReportedError } from './errors.ts'
import { dashed, inCommandWords } from './or-usage.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the quota of the disk is used up',
  EMFILE: 'too many open files',
}

/** Exit codes of errors of formats, by their codes. */
const OF_FORMATS: Readonly<Record<string, number>> = {
  'package-missing': ExitCode.USAGE,
  'xml-character': ExitCode.BAD_INPUT,
}

/** An error in words for people, and the exit code. */
export interface Explanation {
  /** One line. */
  message: string
  /** What is shown below it, on lines of its own. */
  details?: string
  code: number
}

/** Explains an error. Undefined for an internal error of xylem. */
export function explain(error: unknown): Explanation | undefined {
  const inner = innerOf(error)
  if (inner !== undefined) return nameInput(error, explain(inner))
  if (error instanceof SourceError) {
    const code = error.code === 'source-changed' ? ExitCode.INPUT_CHANGED : ExitCode.SOURCE_FAILED
    return { message: describe(error), code }
  }
  if (error instanceof ParseError || error instanceof LimitError) {
    const isShown =
      error instanceof ParseError && (error.rules !== undefined || (error instanceof XmlError && hasExcerpt(error)))
    const message = error instanceof LimitError ? nameOptions(error.message) : inCommandWords(error.message)
    return explanation(message, ExitCode.BAD_INPUT, isShown ? joinLines(error.report().split('\n').slice(1)) : '')
  }
  if (error instanceof XmlEditError) return explanation(inCommandWords(error.message), ExitCode.BAD_INPUT)
  if (error instanceof GrammarError) {
    const [message = '', ...lines] = error.message.split('\n')
    return explanation(message, ExitCode.BAD_INPUT, joinLines(lines))
  }
  if (error instanceof OutputError) {
    const { code } = error.cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such folder' : describe(error)
    return { message: `cannot write ${error.output}: ${reason}`, code: ExitCode.SOURCE_FAILED }
  }
  if (error instanceof ReportedError) return { message: '', code: error.exitCode }
  if (error instanceof CommandError) return explanation(error.message, error.exitCode, error.details)
  // Commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError)
    return { message: '', code: error.exitCode === 0 ? ExitCode.GOOD : ExitCode.USAGE }
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code, message } = error
  const ofFormat = OF_FORMATS[String(code)]
  if (ofFormat !== undefined) return { message, code: ofFormat }
  // What the operating system has refused.
  if ('syscall' in error) return explanation(REASONS[String(code)] ?? message, ExitCode.SOURCE_FAILED)
  return undefined
}

/** The error that says more than one that has it as its cause; undefined for others. */
function innerOf(error: unknown): unknown {
  if (error instanceof InputError) return error.cause
  if (!(error instanceof SourceError)) return undefined
  const { cause, code } = error
  if (cause instanceof ParseError || cause instanceof LimitError) return cause
  // The cache of whoever reads a source that has changed makes an error of its own of that.
  return code !== 'source-changed' && cause instanceof SourceError ? cause : undefined
}

/** An explanation with the name of the input that an error has, unless it begins with that already. */
function nameInput(error: unknown, cause: Explanation | undefined): Explanation | undefined {
  if (!cause || !(error instanceof InputError)) return cause
  const { input, exitCode = cause.code } = error
  const isNamed = [' ', ': '].some((end) => cause.message.startsWith(input + end))
  return { ...cause, message: isNamed ? cause.message : `${input}: ${cause.message}`, code: exitCode }
}

function explanation(message: string, code: number, details?: string): Explanation {
  return { message: oneLine(message), ...(details && { details }), code }
}

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
function findCause(error: unknown): { cause: unknown; file?: string | undefined } {
  let cause = error
  let file: string | undefined
  for (let inner = innerOf(cause); inner !== undefined; inner = innerOf(cause)) {
    if (cause instanceof InputError) file ??= cause.input
    cause = inner
  }
  if (cause instanceof OutputError) file = cause.output
  // What the system says of a file is more than that its source has failed.
  const { cause: system } = cause instanceof SourceError && cause.code === 'source-failed' ? cause : {}
  const isSystem = typeof (system as { code?: unknown } | undefined)?.code === 'string'
  return { cause: isSystem ? system : cause, file }
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage'
  if (error instanceof OutputError) return codeOf(error.cause)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return oneLine(message.replace(/^error: /, ''))
}

/** Whether the excerpt of an error in XML has anything but blanks. */
export function hasExcerpt(error: XmlError): boolean {
  return /\S/.test(error.excerpt?.split('\n')[0] ?? '')
}

function describe(error: SourceError | OutputError): string {
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && REASONS[code]) return REASONS[code]
  // That the source has failed is known already where it says why.
  const isSaidByCause = error instanceof SourceError && error.code === 'source-failed' && typeof message === 'string'
  return oneLine(isSaidByCause ? message : error.message)
}

/** Limits by the names that they have on the command line: `--max-retained` for `maxRetained`. */
function nameOptions(message: string): string {
  return message.replace(/\b(?:max[A-Z][A-Za-z]*|freeExpansion|freeRewound)\b/g, (name) => `--${dashed(name)}`)
}

/** The lines as one text, without an excerpt in which there is nothing to be seen. */
function joinLines(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trimEnd())
  const isBlank = trimmed[0] === '' && /^\s*\^$/.test(trimmed[1] ?? '')
  return trimmed.slice(isBlank ? 2 : 0).join('\n')
}

function oneLine(message: string): string {
  return message.replace(/\s*\n\s*/g, ' ')
}
