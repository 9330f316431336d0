// Reading XML in a pipe of Web Streams.

import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatName } from '../record/format/index.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { type ItemSource, makeByteStream } from '../stream/item-stream.ts'
import { type OptionKinds, requireOptions } from '../stream/options.ts'
import { connectSides, type TransformSides } from '../stream/transform-sides.ts'
import type { XmlEvent } from './events.ts'
import {
  COLUMN_OPTIONS,
  type ColumnOptions,
  EVENT_OPTIONS,
  RECORD_OPTIONS,
  type RecordOptions,
  SELECT_OPTIONS,
  type SelectOptions,
  WRITE_OPTIONS,
  type WriteOptions,
  XML_OPTIONS,
  type XmlEventOptions,
  type XmlOptions,
} from './options.ts'
import type { XmlRecord, XmlShape } from './question/shape.ts'
import { readXml, type XmlReader } from './reader.ts'
import type { XmlElement } from './tree/element.ts'

/** The sides of a pipe in which a document is read. */
abstract class XmlStream<Item> {
  readonly readable: ReadableStream<Item>
  readonly writable: WritableStream<TextOrBytes>

  constructor({ readable, writable }: TransformSides<Item>) {
    this.readable = readable
    this.writable = writable
  }
}

/**
 * Connects the sides of a pipe, given the options of the document and those of the way of reading, which `kinds` names. Throws a `TypeError` with the code
 * `invalid-option` for invalid options.
 */
function connect<Item, Own extends object>(
  options: XmlOptions & Own,
  kinds: OptionKinds<Own>,
  read: (document: XmlReader, options: Own) => AsyncGenerator<Item, void, undefined>,
  makeReadable?: (source: ItemSource<Item>) => ReadableStream<Item>,
): TransformSides<Item> {
  requireOptions<XmlOptions & Own>(options, { ...XML_OPTIONS, ...kinds } as OptionKinds<XmlOptions & Own>)
  const given = Object.entries(options)
  const pick = (isOwn: boolean) => Object.fromEntries(given.filter(([name]) => Object.hasOwn(kinds, name) === isOwn))
  const own = pick(true) as Own
  return connectSides((input) => read(readXml(input, pick(false)), own), options.signal, makeReadable, 'U+FFFF')
}

/**
 * Turns bytes or text into the elements that match a path, as `XmlReader.select` yields them:
 *
 * ```ts
 * import { XmlElementStream } from 'xylem/xml'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * if (body) for await (const page of body.pipeThrough(new XmlElementStream('page'))) console.log(page.childText('title'))
 * ```
 *
 * Input is parsed when the reader asks for an element, and only up to the end of the chunk with that element. Even before the reader asks,
 * up to 64 KiB are read ahead, plus the rest of the last chunk and one chunk that waits for room. A write resolves when there is room for
 * its chunk. The close resolves when the document was read to its end.
 *
 * An error in the document errors both sides with the same error, the readable side after the elements before it. A pipe passes the error
 * on to its source. A cancellation does the same with its reason, which is undefined if a loop was left. If the writable side is aborted,
 * the readable side fails with a `SourceError` whose cause is the reason.
 */
export class XmlElementStream extends XmlStream<XmlElement> {
  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options or an invalid path. */
  constructor(path: string | readonly string[], options: XmlOptions & SelectOptions = {}) {
    super(connect(options, SELECT_OPTIONS, (document, own) => document.select(path, own)))
  }
}

/**
 * Turns bytes or text into records of the elements that match a path, as `XmlReader.records` yields them; otherwise like {@link XmlElementStream}:
 *
 * ```ts
 * import { XmlRecordStream } from 'xylem/xml'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * const pages = new XmlRecordStream('page', { title: 'title', text: 'revision/text' })
 * if (body) for await (const { title, text } of body.pipeThrough(pages)) console.log(title, text?.length)
 * ```
 */
export class XmlRecordStream<const Shape extends XmlShape = XmlShape> extends XmlStream<XmlRecord<Shape>> {
  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, an invalid path or invalid fields. */
  constructor(path: string | readonly string[], fields: Shape, options: XmlOptions & RecordOptions<Shape> = {}) {
    super(
      connect(options, RECORD_OPTIONS, (document, own: RecordOptions<Shape>) => document.records(path, fields, own)),
    )
  }
}

/** Turns bytes or text into arrays of events, as the `batches()` of `XmlReader.events` yield them; otherwise like {@link XmlElementStream}. */
export class XmlEventStream extends XmlStream<XmlEvent[]> {
  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: XmlOptions & XmlEventOptions = {}) {
    super(connect(options, EVENT_OPTIONS, (document, own) => document.events(own).batches()))
  }
}

/**
 * Turns bytes or text into the bytes of a format, as `XmlReader.write` yields them; otherwise like {@link XmlElementStream}. `readable` is a byte stream
 * if the platform has those.
 */
export class XmlFormatStream<const Shape extends XmlShape = XmlShape> extends XmlStream<Uint8Array> {
  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for an unknown format, invalid options, an invalid path or invalid fields. */
  constructor(
    format: FormatName,
    path: string | readonly string[],
    fields: Shape,
    options: XmlOptions & WriteOptions<Shape> = {},
  ) {
    const write = (document: XmlReader, own: WriteOptions<Shape>) => document.write(format, path, fields, own)
    super(connect(options, WRITE_OPTIONS, write, makeByteStream))
  }
}

/** Turns bytes or text into batches of columns, as `XmlReader.columns` yields them; otherwise like {@link XmlElementStream}. */
export class XmlColumnStream<const Shape extends XmlShape = XmlShape> extends XmlStream<ColumnBatch> {
  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, an invalid path or invalid fields. */
  constructor(path: string | readonly string[], fields: Shape, options: XmlOptions & ColumnOptions<Shape> = {}) {
    super(
      connect(options, COLUMN_OPTIONS, (document, own: ColumnOptions<Shape>) => document.columns(path, fields, own)),
    )
  }
}
