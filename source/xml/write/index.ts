/**
 * Writes XML: documents call by call, and elements as text.
 *
 * @module xylem/xml/write
 */

export type { XmlContent, XmlWriteElement, XmlWriteEvent, XmlWriteItem } from './content.ts'
export type { DoctypeParts as XmlDoctypeParts } from './markup/doctype.ts'
export type { XmlDeclarationParts } from './markup/markup-writer.ts'
export { type RawXml, rawXml } from './markup/raw-xml.ts'
export { XmlWriteError, type XmlWriteErrorCode } from './markup/write-error.ts'
export type { XmlQualifiedName, XmlWriteAttributes, XmlWriteName } from './markup/write-name.ts'
export { type ToXmlOptions, toXml } from './to-xml.ts'
export type { XmlWriteEncoding } from './write-encoding.ts'
export type { XmlWriterOptions } from './write-options.ts'
export { writeXml, type XmlWriteOptions } from './write-xml.ts'
export { XmlWriter } from './xml-writer.ts'
