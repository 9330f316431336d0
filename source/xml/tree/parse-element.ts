// An element from its text.

import { parseXml } from './document.ts'
import type { XmlElementData } from './element.ts'

/** Makes plain data of the text of an element, which may begin with a document type declaration. Namespaces are left out. */
export function parseElement(text: string): XmlElementData {
  return parseXml(text, { namespaces: false }).root.toJSON()
}
