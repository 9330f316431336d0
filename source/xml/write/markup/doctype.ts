// A document type declaration, from its parts; and how markup is checked by reading it.

import { LimitError } from '../../../stream/errors.ts'
import { findForbidden, nameCharacter } from '../../../text/markup/xml-characters.ts'
import type { DocumentType } from '../../doctype/document-type.ts'
import { XmlError } from '../../errors/errors.ts'
import { parseDocument, type XmlDocument, type XmlDocumentOptions } from '../../tree/document.ts'
import { provideAll } from '../../tree/parse-xml.ts'

/** What a document type declaration has besides the name of the root. */
export interface DoctypeParts {
  readonly publicId?: string | undefined
  readonly systemId?: string | undefined
  /** The text between the brackets. */
  readonly internalSubset?: string | undefined
}

export interface DoctypeChecking {
  readonly namespaces: boolean
  readonly fail: (message: string, cause?: unknown) => never
}

/** The declaration, and what it declares. It is read to check it: then no part can be more than it says. */
export function writeDoctype(
  name: string,
  { publicId, systemId, internalSubset }: DoctypeParts,
  { namespaces, fail }: DoctypeChecking,
): { markup: string; type: DocumentType } {
  if (publicId !== undefined && systemId === undefined) fail('a public identifier needs a system identifier')
  const ids = [publicId, systemId].filter((id) => id !== undefined).map((id) => quote(id, fail))
  const external = ids.length === 0 ? '' : ` ${publicId === undefined ? 'SYSTEM' : 'PUBLIC'} ${ids.join(' ')}`
  const subset = internalSubset === undefined ? '' : ` [${internalSubset}]`
  const markup = `<!DOCTYPE ${name}${external}${subset}>`
  const { doctype, children } = parseChecked(`${markup}<${unusedName(subset)}/>`, fail, { namespaces })
  const isSame =
    doctype !== undefined &&
    children.length === 1 &&
    isSameText(doctype.publicId, publicId) &&
    isSameText(doctype.systemId, systemId) &&
    isSameText(doctype.internalSubset, internalSubset)
  if (!isSame) fail('a part of the document type declaration ends it')
  return { markup, type: doctype as DocumentType }
}

function quote(id: string, fail: (message: string) => never): string {
  if (!id.includes('"')) return `"${id}"`
  if (id.includes("'")) fail('an identifier cannot have both kinds of quotes')
  return `'${id}'`
}

/** White space in identifiers and line ends may be normalised. */
function isSameText(read: string | undefined, given: string | undefined): boolean {
  return read?.replace(/\s+/g, ' ').trim() === given?.replace(/\s+/g, ' ').trim()
}

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
