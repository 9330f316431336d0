/**
 * Reads XML: documents, events, selected elements and records.
 *
 * @module xylem/xml
 */

export * from './streaming.ts'
export { parseXml, type XmlDocument, type XmlDocumentOptions } from './tree/document.ts'
