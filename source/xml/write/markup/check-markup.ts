// Markup that is written as it is, read by the parser to learn whether it may stand where it is to stand.

import { LimitError } from '../../../stream/errors.ts'
import { XmlError } from '../../errors/errors.ts'
import { parseDocument, type XmlDocument, type XmlDocumentOptions } from '../../tree/document.ts'
import { provideAll } from '../../tree/provide-all.ts'

/** Reads a document to check it. Calls `fail` with what is wrong with it. */
export function parseChecked(
  text: string,
  fail: (message: string, cause?: unknown) => never,
  options: XmlDocumentOptions = {},
): XmlDocument {
  provideAll()
  try {
    return parseDocument(text, options)
  } catch (error) {
    if (error instanceof XmlError) return fail(error.detail, error)
    if (error instanceof LimitError) return fail(error.message, error)
    throw error
  }
}
