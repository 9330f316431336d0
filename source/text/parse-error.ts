// The base of all errors about bad input.

import { XylemError } from '../stream/xylem-error.ts'
import { escapeUnseen } from './markup/visible.ts'

/** More rules than this a message does not name. */
const MOST_RULES = 8

/** The position in the input, and what is wrong there. */
export interface ParseErrorDetails {
  /** Stable name of the error. */
  code: string
  /** Offset in bytes from the start of the stream, from 0. */
  byteOffset: number
  /** Line, from 1. */
  line?: number | undefined
  /** Column in UTF-16 units, from 1. */
  column?: number | undefined
  /** The input around the error; if it can be shown, a second line with a caret below it. */
  excerpt?: string | undefined
  /** What was expected there, in the words of the message. */
  expected?: readonly string[] | undefined
  /** The rules that were open there, outermost first. */
  rules?: readonly string[] | undefined
  /** The field of the innermost record whose value is not what it should be. */
  field?: string | undefined
  cause?: unknown
}

/** The input is malformed. Everything delivered before the error is correct. */
export class ParseError extends XylemError {
  override readonly name: string = 'ParseError'
  /** Stable name of the error. */
  readonly code: string
  /** Offset in bytes from the start of the stream, from 0. */
  override readonly byteOffset: number
  /** Line, from 1; undefined where the input has no lines, or they were not counted. */
  declare readonly line?: number | undefined
  /** Column in UTF-16 units, from 1; undefined like `line`. */
  declare readonly column?: number | undefined
  /** The input around the error; if it can be shown, a second line with a caret below it. Undefined if it would not help. */
  declare readonly excerpt?: string | undefined
  /** What was expected there, in the words of the message; undefined if unknown. */
  declare readonly expected?: readonly string[] | undefined
  /** The rules that were open there, outermost first; undefined if the input was not parsed with a grammar. */
  declare readonly rules?: readonly string[] | undefined
  /** The field of the innermost record whose value cannot be made; undefined if it is no value of a field. */
  declare readonly field?: string | undefined

  static {
    XylemError.register('ParseError', ParseError)
  }

  /** `message` says what is wrong; the position is added to it. */
  constructor(message: string, details: ParseErrorDetails) {
    const { code, byteOffset, line, column, excerpt, expected, rules, field, cause } = details
    const lineAndColumn = line === undefined ? '' : `line ${line}, column ${column}, `
    super(`${escapeUnseen(message)} (${lineAndColumn}byte ${byteOffset})`, cause === undefined ? undefined : { cause })
    this.code = code
    this.byteOffset = byteOffset
    this.setFields({ line, column, excerpt, expected, rules, field })
  }

  /** A report in several lines: the message, the excerpt, and the rules that were open. */
  report(): string {
    const { rules: open = [] } = this
    const more = open.length > MOST_RULES ? [`… ${open.length - MOST_RULES} more`] : []
    const rules = [...more, ...open.slice(-MOST_RULES)].join(' > ')
    const lines = [this.message, ...(this.excerpt?.split('\n').map((line) => `  ${line}`) ?? [])]
    return (rules ? [...lines, `  in ${rules}`] : lines).join('\n')
  }
}
