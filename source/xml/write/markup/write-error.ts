// What cannot be written.

import { XylemError } from '../../../stream/xylem-error.ts'
import { shorten } from '../../errors/unplaced-error.ts'

/**
 * What is wrong: `invalid-name` not a name, or one that stands for something else; `invalid-character` not a character of XML 1.0, or one that the encoding does not have;
 * `invalid-comment`, `invalid-instruction`, `invalid-cdata`, `invalid-declaration`, `invalid-doctype` and `invalid-raw` content that would not come back;
 * `undeclared-prefix` and `invalid-namespace` names whose namespace is missing or contradicts what is declared; `duplicate-attribute` an attribute twice;
 * `wrong-place` a call that does not belong here; `wrong-end` an end without its start; `unclosed-element` a document that ends too early; `indented-text` text after
 * content that was indented; `skipped-entity` content that lacks the text of an entity.
 */
export type XmlWriteErrorCode =
  | 'invalid-name'
  | 'invalid-character'
  | 'invalid-comment'
  | 'invalid-instruction'
  | 'invalid-cdata'
  | 'invalid-declaration'
  | 'invalid-doctype'
  | 'invalid-raw'
  | 'undeclared-prefix'
  | 'invalid-namespace'
  | 'duplicate-attribute'
  | 'wrong-place'
  | 'wrong-end'
  | 'unclosed-element'
  | 'indented-text'
  | 'skipped-entity'

/** Names of open elements that a message shows: the outermost one and the innermost ones. */
const SHOWN = 6

/** What was to be written would not be a well-formed document, or would not come back as it is. What was written before is complete and correct. */
export class XmlWriteError extends XylemError {
  override readonly name = 'XmlWriteError'
  readonly code: XmlWriteErrorCode
  /** The names of the open elements, the outermost first. */
  readonly openElements: readonly string[]

  static {
    XylemError.register('XmlWriteError', XmlWriteError)
  }

  /** @internal */
  constructor(code: XmlWriteErrorCode, message: string, openElements: readonly string[], cause?: unknown) {
    super(`${message}${describePlace(openElements)}`, cause === undefined ? {} : { cause })
    this.code = code
    this.openElements = openElements
  }
}

/** Where something is wrong, to stand at the end of a message. */
export function describePlace(open: readonly string[]): string {
  if (open.length === 0) return ''
  const shown = open.length <= SHOWN ? open : [open[0] as string, '…', ...open.slice(2 - SHOWN)]
  return `, in ${shown.map((name) => shorten(name)).join('/')}`
}
