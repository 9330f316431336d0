/**
 * Reads XML: documents, events, selected elements and records.
 *
 * @module xylem/xml
 */

export * from './streaming.ts'
export type { XmlDocument, XmlDocumentOptions } from './tree/document.ts'
export { parseXml } from './tree/parse-xml.ts'
