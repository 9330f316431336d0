// What is wrong with an edit.

import { XylemError } from '../../stream/xylem-error.ts'
import type { Position } from '../../text/line-counter.ts'

/**
 * Why an edit cannot be made: `match-in-entity` the element stands in the text of an entity; `nested-edit` it is in another element that is held;
 * `root-element` the document would lose its root, or get text or a second root beside it; `invalid-name` and `invalid-character` are not allowed in XML;
 * `unencodable-name` the encoding of the document lacks a character of a name; `undeclared-prefix`, `namespace-declaration` and `duplicate-attribute`
 * would make namespaces wrong; `declared-attribute` a default from the document type cannot be removed; `unsupported-encoding` the document is in an
 * encoding that cannot be copied; `invalid-content` new content is not well-formed.
 */
export type XmlEditCode =
  | 'match-in-entity'
  | 'nested-edit'
  | 'root-element'
  | 'invalid-name'
  | 'invalid-character'
  | 'unencodable-name'
  | 'undeclared-prefix'
  | 'namespace-declaration'
  | 'duplicate-attribute'
  | 'declared-attribute'
  | 'unsupported-encoding'
  | 'invalid-content'

export interface XmlEditErrorDetails extends Position {
  readonly code: XmlEditCode
  readonly cause?: unknown
}

/** An edit cannot be made, because the result would not be well-formed. Everything before the element is delivered. */
export class XmlEditError extends XylemError {
  override readonly name = 'XmlEditError'
  readonly code: XmlEditCode
  /** Where the element begins: offset in bytes of the input, from 0. */
  override readonly byteOffset: number
  /** Line, from 1. */
  override readonly line: number
  /** Column in UTF-16 units, from 1. */
  override readonly column: number

  static {
    XylemError.register('XmlEditError', XmlEditError)
  }

  /** `message` says what is wrong; the position is added to it. */
  constructor(message: string, { code, byteOffset, line, column, cause }: XmlEditErrorDetails) {
    const place = `(line ${line}, column ${column}, byte ${byteOffset})`
    super(`${message} ${place}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.byteOffset = byteOffset
    this.line = line
    this.column = column
  }
}
