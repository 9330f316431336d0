// Markup that is written as it is, read by the parser to learn whether it may stand where it is to stand.

import { LimitError } from '../../../stream/errors.ts'
import { findForbidden, nameCharacter } from '../../../text/markup/xml-characters.ts'
import { XmlError } from '../../errors/errors.ts'
import { parseDocument, type XmlDocument, type XmlDocumentOptions } from '../../tree/document.ts'
import { provideAll } from '../../tree/provide-all.ts'

/** Reads a document to check it. Calls `fail` with what is wrong with it. */
export function parseChecked(
  text: string,
  fail: (message: string, cause?: unknown) => never,
  options: XmlDocumentOptions = {},
): XmlDocument {
  // The parser reads UTF-8, in which half of a surrogate pair would be another character.
  const bad = findForbidden(text)
  if (bad !== -1) fail(`it has ${nameCharacter(text, bad)}, which is not a character that XML 1.0 allows`)
  provideAll()
  try {
    return parseDocument(text, options)
  } catch (error) {
    if (error instanceof XmlError) return fail(error.detail, error)
    if (error instanceof LimitError) return fail(error.message, error)
    throw error
  }
}

/** The name of an element for which a document type declares nothing: more underscores follow it than anywhere in the text. */
export function unusedName(text: string): string {
  const runs = Array.from(text.matchAll(/content(_*)/g), ([, underscores = '']) => underscores.length)
  return runs.length === 0 ? 'content' : `content${'_'.repeat(runs.reduce((most, one) => Math.max(most, one)) + 1)}`
}
