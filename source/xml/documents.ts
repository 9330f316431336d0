// Several documents in one stream.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { LazyModule } from '../async/lazy-module.ts'
import type { Leaving } from '../async/leaving.ts'
import { Cursor } from '../stream/cursor.ts'
import { requireOptions } from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { refusePath } from './errors/errors.ts'
import { parserOptions, XML_OPTIONS, type XmlDocumentsOptions } from './options.ts'
import { openSource } from './parser/run.ts'
import { type PartReading, XmlReader } from './reader.ts'

/**
 * Reads documents that follow each other in a source, or from the position of a cursor, such as those of `cat a.xml b.xml`. Yields a reader for
 * each, as soon as its root or its document type begins.
 *
 * A document ends with the end tag of its root, and is complete without a byte after it. Blanks, comments, processing instructions, a byte order mark
 * and an XML declaration after it belong to the next document. Each document has an encoding, a document type and limits of its own. Byte
 * offsets, lines and columns are those of the stream. Where only blanks, comments and processing instructions are left, there is no further document; other text
 * is an error. A source without documents yields nothing.
 *
 * When the next document is asked for, what is left of the one before is read and checked. Whoever still reads that one then gets a `TypeError` with the
 * code `stream-read`. If a document has an error, its reader throws it, and so does
 * the request for the next one. With `onError`, errors in records are not thrown: reading continues after them, and the document ends with the end tag of
 * its root, as it seems, or before the next XML declaration. Leaving the loop closes the source. If you pass a cursor, it is not released: afterwards it
 * is directly after the last document or, if its document was not read to the end, after the last item that its reader has delivered.
 *
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options.
 *
 * ```ts
 * import { readXmlDocuments } from 'xylem/xml'
 *
 * for await (const document of readXmlDocuments('<a n="1"/>\n<?xml version="1.0"?><b n="2"/>')) {
 *   for await (const { name, attributes } of document.select('/*')) console.log(name, attributes.get('n'))
 * }
 * ```
 */
export function readXmlDocuments(
  source: ByteSource | Cursor,
  options: XmlDocumentsOptions = {},
): AsyncGenerator<XmlReader, void, undefined> {
  // Made here, because bundlers keep what modules make when they are loaded.
  const { fragment: _, ...kinds } = XML_OPTIONS
  requireOptions(options, kinds)
  parserOptions(options)
  refusePath(source)
  return new CancellableGenerator((leaving) => loadAndRead(source, options, leaving), options.signal)
}

async function* loadAndRead(
  source: ByteSource | Cursor,
  options: XmlDocumentsOptions,
  leaving: Leaving,
): AsyncGenerator<XmlReader, void, undefined> {
  const cursor = source instanceof Cursor ? source : openSource(source, leaving)
  try {
    const { readDocuments } = await new LazyModule(() => import('./readings/documents.ts')).load()
    // It gets the reader, because bundlers keep what that module imports, also in programs that read only single documents.
    const read = (part: PartReading) => new XmlReader(cursor, options, part)
    yield* readDocuments(cursor, read, options, leaving)
  } finally {
    if (cursor !== source) cursor.release()
  }
}
