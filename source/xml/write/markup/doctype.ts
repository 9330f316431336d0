// A document type declaration, from its parts.

import type { DocumentType } from '../../doctype/document-type.ts'
import { parseChecked, unusedName } from './check-markup.ts'

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
