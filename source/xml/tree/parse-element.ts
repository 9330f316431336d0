// An element from its text.

import * as program from '../language/generated/document.ts'
import { programModules } from '../language/programs.ts'
import { parseDocument } from './document.ts'
import type { XmlElementData } from './element.ts'

/**
 * Makes plain data of the text of an element of a document that was read. It may begin with the document's type declaration. Namespaces are left out. The text
 * is well-formed, and what document types need was loaded for the document.
 */
export function parseElement(text: string): XmlElementData {
  programModules.document.provide(program)
  return parseDocument(text, { namespaces: false }).root.toJSON()
}
