// An element from its text.

import type { ExternalRequest } from '../doctype/external.ts'
import { program } from '../language/generated/document.ts'
import { programModules } from '../language/programs.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { mendReferences } from '../text/references.ts'
import { parseDocument, type XmlDocumentOptions, type XmlDocumentPlace } from './document.ts'
import type { XmlElement } from './element.ts'

/**
 * Makes an element of its text in a document that was read. It may begin with the document's type declaration. Namespaces are left out by default. The text
 * is well-formed, and what document types need was loaded for the document. The facts have the texts of external entities that were read with it.
 */
export function parseElement(
  text: string | Uint8Array,
  facts: Pick<DocumentFacts, 'recall' | 'entities'>,
  options: XmlDocumentOptions = { namespaces: false, entities: facts.entities },
  place?: XmlDocumentPlace,
): XmlElement {
  programModules.document.provide({ program })
  const resolve = (request: ExternalRequest) => facts.recall(request) ?? undefined
  const wellFormed = typeof text === 'string' ? mendReferences(text) : text
  return parseDocument(wellFormed, { ...options, resolve }, undefined, place).root
}
