// Elements and small documents as text.

import { describeValue, withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import { limitLength, StringTooLong } from '../../text/units.ts'
import { INHERITED } from '../names/around.ts'
import type { XmlDocument } from '../tree/document.ts'
import { XmlElement } from '../tree/element.ts'
import { refuseSkipped, writeItem, type XmlWriteElement } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'
import { MARKUP_OPTIONS, type MarkupWriteOptions, markupOptions } from './write-options.ts'

/** Options for `toXml`. */
export interface ToXmlOptions extends MarkupWriteOptions {
  /**
   * Whether an element becomes a document of its own, with declarations of the namespaces that its names are in, and `xml:lang` and `xml:space` of the elements around it
   * (`parent`; default: true). Otherwise it becomes what belongs in the
   * place where it stood: names and declarations are as they were written there.
   */
  standalone?: boolean | undefined
  /** Whether the document type of a document is copied, or left out (default: `copy`). Defaults of attributes are written in either case. */
  doctype?: 'copy' | 'omit' | undefined
  /** Whether an XML declaration comes first (default: if a document has one). One that is new names UTF-8: that is how most strings become files. */
  declaration?: boolean | undefined
}

const OPTIONS: OptionKinds<ToXmlOptions> = {
  ...MARKUP_OPTIONS,
  standalone: 'boolean',
  doctype: ['copy', 'omit'],
  declaration: 'boolean',
}

/**
 * An element, or a small document, as text. Written and read again, it is the same; the text of entities and the defaults of attributes are written out.
 *
 * Throws an `XmlWriteError` for what would not be well-formed, and where the text of an entity was left out when it was read; a `LimitError` with the code `length-limit` if
 * it is too long for a string; and a `TypeError` or a `RangeError` with the code `invalid-option` for other values.
 */
export function toXml(node: XmlElement | XmlWriteElement | XmlDocument, options: ToXmlOptions = {}): string {
  requireOptions(options, OPTIONS)
  const { standalone = true, doctype = 'copy', namespaces = true } = options
  const isDocument = 'root' in requireObject(node)
  const isStandalone = standalone || isDocument
  const declared = isDocument ? (node as XmlDocument).declaration : undefined
  const writer = new MarkupWriter({
    ...markupOptions({ ...options, namespaces: namespaces && isStandalone }),
    encoding: !declared || declared.encoding !== undefined ? 'UTF-8' : undefined,
    // In its place, names are written as they are.
    around: isStandalone ? undefined : {},
  })
  try {
    if (options.declaration ?? declared) writer.declaration(declared)
    if (isDocument) writeDocument(writer, node as XmlDocument, doctype === 'omit')
    else if (standalone && node instanceof XmlElement && node.parent) writePart(writer, node)
    else writeItem(writer, node as XmlElement | XmlWriteElement)
    writer.end()
    return writer.take()
  } catch (error) {
    throw limitText(error, node)
  }
}

/** An element of a tree, with what holds around it. */
function writePart(writer: MarkupWriter, element: XmlElement): void {
  refuseSkipped(writer, element)
  const { name, namespace, attributes, children } = element
  writer.copyStart(name, namespace, attributes)
  for (const inherited of INHERITED) {
    if (attributes.has(inherited)) continue
    let around = element.parent
    while (around && !around.attributes.has(inherited)) around = around.parent
    if (around) writer.attribute(inherited, around.attributes.get(inherited) as string)
  }
  writeItem(writer, children)
  writer.endElement()
}

function writeDocument(writer: MarkupWriter, document: XmlDocument, omitsDoctype: boolean): void {
  refuseSkipped(writer, document)
  const { doctype, children } = document
  if (doctype && !omitsDoctype) writer.doctype(doctype.name, doctype)
  writeItem(writer, children)
}

function requireObject(node: unknown): object {
  if (typeof node === 'object' && node !== null && ('root' in node || 'name' in node)) return node
  const message = `toXml needs an element or a document, not ${describeValue(node)}; writeXml writes many, and events`
  throw withCode(new TypeError(message), 'invalid-option')
}

function limitText(error: unknown, node: object): unknown {
  const isTooLong = error instanceof RangeError && /string length/i.test(error.message)
  const { start = 0 } = node as Partial<XmlElement>
  return isTooLong ? limitLength(new StringTooLong(), 'the XML', start) : error
}
