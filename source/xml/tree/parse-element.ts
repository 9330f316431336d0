// An element from its text.

import type { ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { program } from '../language/generated/document.ts'
import { programModules } from '../language/programs.ts'
import { parseDocument } from './document.ts'
import type { XmlElement } from './element.ts'

/**
 * Makes an element of its text in a document that was read. It may begin with the document's type declaration. Namespaces are left out. The text
 * is well-formed, and what document types need was loaded for the document. `resolve` gives the texts of external entities that were read with it.
 */
export function parseElement(text: string, resolve: (request: ExternalRequest) => ExternalText): XmlElement {
  programModules.document.provide({ program })
  return parseDocument(text, { namespaces: false, resolve: (request) => resolve(request) ?? undefined }).root
}
