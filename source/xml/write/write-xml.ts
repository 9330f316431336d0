// Documents made of what others yield: events, elements, plain data.

import { breathe } from '../../async/breathe.ts'
import { transformed } from '../../async/transformed.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import { writeItem, type XmlWriteItem } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'
import type { XmlWriteName } from './markup/write-name.ts'
import { MarkupEncoder, PIECE } from './write-encoding.ts'
import { markupOptions, WRITER_OPTIONS, type XmlWriterOptions } from './write-options.ts'

/** Options for `writeXml`. */
export interface XmlWriteOptions extends Omit<XmlWriterOptions, 'highWaterMark'> {
  /** The root element around all items but the declaration and the document type. Without it, the items bring the root. */
  root?: XmlWriteName | undefined
  /** Whether document types are copied, or left out (default: `copy`). Defaults of attributes are written in either case. */
  doctype?: 'copy' | 'omit' | undefined
}

const { highWaterMark: _, ...KINDS } = WRITER_OPTIONS
const WRITE_XML_OPTIONS: OptionKinds<XmlWriteOptions> = { ...KINDS, root: 'any', doctype: ['copy', 'omit'] }

/**
 * The bytes of a document, made of what an iterable yields: events as `XmlReader.events` yields them, elements, elements as plain data, text, or arrays of these. They are
 * made as they are asked for, in pieces of some 64 KiB.
 *
 * ```ts
 * import { readXml } from 'xylem/xml'
 * import { writeXml } from 'xylem/xml/write'
 *
 * const document = '<pages><page id="1"/><page id="2"/></pages>'
 * const copy = writeXml(readXml(document).select('page'), { root: 'copy' })
 * for await (const bytes of copy) console.log(new TextDecoder().decode(bytes))
 * ```
 *
 * Throws an `XmlWriteError` for what would not be a well-formed document, and where the text of an entity was left out when it was read; what the iterable throws; and a
 * `TypeError` or a `RangeError` with the code `invalid-option` for invalid options and for items of other kinds.
 */
export function writeXml(
  items: AsyncIterable<XmlWriteItem> | Iterable<XmlWriteItem>,
  options: XmlWriteOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  requireOptions(options, WRITE_XML_OPTIONS)
  const encoder = new MarkupEncoder(options.encoding)
  const writer = new MarkupWriter({ ...markupOptions(options), ...encoder.options, endsLine: true })
  return transformed(requireItems(items), (source) => writeItems(source, writer, encoder, options))[
    Symbol.asyncIterator
  ]()
}

type Items = AsyncIterable<XmlWriteItem> | Iterable<XmlWriteItem>

function requireItems(items: Items): Items {
  if (typeof items === 'object' && items !== null) {
    const { batches } = items as { batches?: () => AsyncIterable<XmlWriteItem> }
    // Events and elements come in arrays as well, which takes less time.
    if (typeof batches === 'function' && Symbol.asyncIterator in items) return batches.call(items)
    if (Symbol.asyncIterator in items || Symbol.iterator in items) return items
  }
  const message = `writeXml needs an iterable of events or content, not ${describeValue(items)}; toXml writes single elements`
  throw withCode(new TypeError(message), 'invalid-option')
}

async function* writeItems(
  items: AsyncIterable<XmlWriteItem>,
  writer: MarkupWriter,
  encoder: MarkupEncoder,
  { root, doctype }: XmlWriteOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const prolog = { omitsDoctype: doctype === 'omit' }
  let needsRoot = root !== undefined
  const begin = (): void => {
    needsRoot = false
    writer.startElement(root as XmlWriteName)
  }
  const add = (item: XmlWriteItem): void => {
    if (needsRoot && !isProlog(item)) begin()
    writeItem(writer, item, prolog)
  }
  for await (const item of items) {
    if (Array.isArray(item)) for (const one of item) add(one)
    else add(item)
    if (writer.length >= PIECE) yield encoder.encode(writer.take())
    const turn = breathe()
    if (turn) await turn
  }
  if (needsRoot) begin()
  if (root !== undefined) writer.endElement()
  writer.end()
  yield encoder.encode(writer.take())
}

function isProlog(item: XmlWriteItem): boolean {
  const { type } = (item ?? {}) as { type?: string }
  return type === 'declaration' || type === 'doctype'
}
