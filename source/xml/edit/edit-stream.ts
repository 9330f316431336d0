// Editing in a pipe of Web Streams.

import type { TextOrBytes } from '../../stream/chunk-encoder.ts'
import { makeByteStream } from '../../stream/item-stream.ts'
import { requireOptions } from '../../stream/options.ts'
import { connectSides } from '../../stream/transform-sides.ts'
import { EDIT_OPTIONS, type EditOptions, editXml, type XmlEdits } from './edit-xml.ts'

/**
 * Turns the bytes or the text of a document into those of the edited one, as {@link editXml} yields them. `readable` is a byte stream if the platform has
 * those. What `XmlElementStream` says of errors, of reading ahead and of cancelling holds here too.
 *
 * ```ts
 * import { remove, XmlEditStream } from 'xylem/xml/edit'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * const edited = body?.pipeThrough(new XmlEditStream({ 'revision[@deleted]': remove }))
 * ```
 */
export class XmlEditStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws like `editXml`. */
  constructor(edits: XmlEdits, options: EditOptions = {}) {
    requireOptions(options, EDIT_OPTIONS)
    const sides = connectSides((input) => editXml(input, edits, options), options.signal, makeByteStream, 'U+FFFF')
    this.readable = sides.readable
    this.writable = sides.writable
  }
}
