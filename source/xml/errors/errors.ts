// What is wrong with a document.

import { XylemError } from '../../stream/xylem-error.ts'
import { escapeUnseen } from '../../text/markup/visible.ts'
import { ParseError, type ParseErrorDetails } from '../../text/parse-error.ts'

/** The details of a `ParseError`, and the constraint that was violated. */
export interface XmlErrorDetails extends ParseErrorDetails {
  /** The name of the well-formedness or namespace constraint in the specification. */
  constraint?: string | undefined
}

/** The document is not well-formed, or its namespaces are not. Everything delivered before the error is correct. */
export class XmlError extends ParseError {
  override readonly name: string = 'XmlError'
  /** The name of the violated constraint in the specification; undefined if the input does not match the grammar. */
  declare readonly constraint?: string | undefined
  /** The message without the position. */
  declare readonly detail: string

  static {
    XylemError.register('XmlError', XmlError)
  }

  constructor(message: string, details: XmlErrorDetails) {
    const detail = escapeUnseen(details.constraint === undefined ? message : `${message} [${details.constraint}]`)
    super(detail, details)
    this.setFields({ constraint: details.constraint, detail })
  }

  /**
   * The same error with another offset, where the parsed input lies elsewhere in a larger one.
   *
   * @internal
   */
  at(byteOffset: number): XmlError {
    const { code, line, column, excerpt, expected, rules, constraint, cause } = this
    const message = constraint === undefined ? this.detail : this.detail.slice(0, -` [${constraint}]`.length)
    return new XmlError(message, { code, byteOffset, line, column, excerpt, expected, rules, constraint, cause })
  }
}

/** A file name with an extension, or anything with a slash; without blanks at its start, and short. */
const PATH = /^(?=[^\s<>][^\n<>]{0,1000}$)(?:.*[/\\].*|.*\.\w{1,8})$/

/** A string is content. Throws an `XmlError` with the code `path-as-content` for one that looks like a path. */
export function refusePath(source: unknown): void {
  if (typeof source !== 'string' || !PATH.test(source)) return
  const message = `${JSON.stringify(source)} is not XML. If it is a file path, use new FileSource(path) from xylem/node`
  throw new XmlError(message, { code: 'path-as-content', byteOffset: 0, line: 1, column: 1 })
}
