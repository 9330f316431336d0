// The exit codes of every command.

import { CommanderError } from 'commander'
import { GrammarError } from '../../grammar/syntax/errors.ts'
import { LimitError, SourceError } from '../../stream/errors.ts'
import { ParseError } from '../../text/parse-error.ts'
import { XmlEditError } from '../../xml/edit/edit-error.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { dashed } from './dashed.ts'
import {
  ArchiveError,
  FaultFound,
  InputChanged,
  InputError,
  MissingMember,
  OutputError,
  PartsError,
  ReportedError,
  UsageError,
} from './errors.ts'
import { inCommandWords } from './or-usage.ts'

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

/** What a person is told about an error. */
export interface Explanation {
  /** One line. */
  message: string
  /** What is shown below it, on lines of its own. */
  details?: string
  code: number
}

/** What a person is told about an error, and the exit code. Undefined for an error that is ours. */
export function explain(error: unknown): Explanation | undefined {
  if (error instanceof FaultFound) {
    const explanation = explain(error.cause)
    return explanation && { ...explanation, code: ExitCode.FAULTS }
  }
  if (error instanceof ReportedError) return { message: '', code: error.exitCode }
  if (error instanceof InputError) {
    const explanation = explain(error.cause)
    // Some messages begin with the name already.
    const isNamed = [' ', ': '].some((end) => explanation?.message.startsWith(error.input + end))
    return isNamed || !explanation ? explanation : { ...explanation, message: `${error.input}: ${explanation.message}` }
  }
  if (error instanceof SourceError) {
    if (error.cause instanceof ParseError || error.cause instanceof LimitError) return explain(error.cause)
    // The cache of whoever reads a source that has changed makes an error of its own of that.
    if (error.code !== 'source-changed' && error.cause instanceof SourceError) return explain(error.cause)
    const code = error.code === 'source-changed' ? ExitCode.INPUT_CHANGED : ExitCode.SOURCE_FAILED
    return { message: describe(error), code }
  }
  if (error instanceof ParseError || error instanceof LimitError) {
    const isShown =
      error instanceof ParseError && (error.rules !== undefined || (error instanceof XmlError && hasExcerpt(error)))
    const details = isShown ? joinLines(error.report().split('\n').slice(1)) : ''
    const message = error instanceof LimitError ? nameOptions(error.message) : inCommandWords(error.message)
    return { message: oneLine(message), ...(details && { details }), code: ExitCode.BAD_INPUT }
  }
  if (error instanceof XmlEditError)
    return { message: oneLine(inCommandWords(error.message)), code: ExitCode.BAD_INPUT }
  if (error instanceof GrammarError) {
    const [message = '', ...lines] = error.message.split('\n')
    const details = joinLines(lines)
    return { message, ...(details && { details }), code: ExitCode.BAD_INPUT }
  }
  if (error instanceof OutputError) {
    const { code } = error.cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such folder' : describe(error)
    return { message: `cannot write ${error.output}: ${reason}`, code: ExitCode.SOURCE_FAILED }
  }
  if (error instanceof InputChanged) return { message: oneLine(error.message), code: ExitCode.INPUT_CHANGED }
  if (error instanceof PartsError || error instanceof ArchiveError)
    return { message: oneLine(error.message), code: ExitCode.BAD_INPUT }
  if (error instanceof MissingMember) return { message: oneLine(error.message), code: ExitCode.SOURCE_FAILED }
  // What a format needs: its message says how to install it.
  if (error instanceof Error && 'code' in error && error.code === 'package-missing')
    return { message: error.message, code: ExitCode.USAGE }
  if (error instanceof Error && 'code' in error && error.code === 'xml-character')
    return { message: error.message, code: ExitCode.BAD_INPUT }
  if (isSystemError(error))
    return { message: REASONS[error.code] ?? oneLine(error.message), code: ExitCode.SOURCE_FAILED }
  if (error instanceof UsageError) {
    const { message, details } = error
    return { message: oneLine(message), ...(details && { details }), code: ExitCode.USAGE }
  }
  // Commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError)
    return { message: '', code: error.exitCode === 0 ? ExitCode.GOOD : ExitCode.USAGE }
  return undefined
}

/** Whether there is something to be seen at the place of a fault in XML. */
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

/** Whether the operating system has refused something. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
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
