// What is wrong with a document.

import { XylemError } from '../stream/xylem-error.ts'
import { ParseError, type ParseErrorDetails } from '../text/parse-error.ts'

/** As of any bad input, and the constraint that was violated. */
export interface XmlErrorDetails extends ParseErrorDetails {
  /** The name of the well-formedness or namespace constraint in the specification. */
  constraint?: string | undefined
}

/** A document is not well-formed, or its namespaces are not. What was delivered before is right as far as it goes. */
export class XmlError extends ParseError {
  override readonly name: string = 'XmlError'
  /** The name of the constraint in the specification; undefined where the grammar is violated. */
  readonly constraint: string | undefined
  /** The message without the place. */
  readonly detail: string

  static {
    XylemError.register(XmlError)
  }

  constructor(message: string, details: XmlErrorDetails) {
    const detail = details.constraint === undefined ? message : `${message} [${details.constraint}]`
    super(detail, details)
    this.constraint = details.constraint
    this.detail = detail
  }

  /**
   * The same error with another offset, where what was parsed lies elsewhere in a whole.
   *
   * @internal
   */
  at(byteOffset: number): XmlError {
    const { code, line, column, excerpt, expected, rules, constraint, cause } = this
    const message = constraint === undefined ? this.detail : this.detail.slice(0, -` [${constraint}]`.length)
    return new XmlError(message, { code, byteOffset, line, column, excerpt, expected, rules, constraint, cause })
  }
}
