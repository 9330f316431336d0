// The base of all errors about bad input.

/** Where in the input, and what was wrong. */
export interface ParseErrorDetails {
  /** Stable name of the fault. */
  code: string
  /** Offset in bytes from the start of the stream, from 0. */
  byteOffset: number
  /** Line, from 1. */
  line?: number | undefined
  /** Column in UTF-16 units, from 1. */
  column?: number | undefined
  /** The input around the fault, on one line. */
  excerpt?: string | undefined
  cause?: unknown
}

/** The input is not what it should be. Whatever was delivered before is right as far as it goes. */
export class ParseError extends Error {
  override readonly name: string = 'ParseError'
  /** Stable name of the fault. */
  readonly code: string
  /** Offset in bytes from the start of the stream, from 0. */
  readonly byteOffset: number
  /** Line, from 1; undefined where the input has no lines, or they were not counted. */
  readonly line: number | undefined
  /** Column in UTF-16 units, from 1; undefined like `line`. */
  readonly column: number | undefined
  /** The input around the fault, on one line; undefined where it would not help. */
  readonly excerpt: string | undefined

  /** `message` says what is wrong; where is added to it. */
  constructor(message: string, details: ParseErrorDetails) {
    const { code, byteOffset, line, column, excerpt, cause } = details
    const lineAndColumn = line === undefined ? '' : `line ${line}, column ${column}, `
    super(`${message} (${lineAndColumn}byte ${byteOffset})`, cause === undefined ? undefined : { cause })
    this.code = code
    this.byteOffset = byteOffset
    this.line = line
    this.column = column
    this.excerpt = excerpt
  }
}
