// Reading XML in a pipe of Web Streams.

import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { requireOptions } from '../stream/options.ts'
import { connectByteSides, connectSides } from '../stream/transform-sides.ts'
import type { XmlEvent } from './events.ts'
import type { ColumnBatch } from './format/column.ts'
import type { FormatName } from './format/index.ts'
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
import type { XmlRecord, XmlShape } from './projection/shape.ts'
import { readXml } from './reader.ts'
import type { XmlElement } from './tree/element.ts'

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
export class XmlElementStream {
  readonly readable: ReadableStream<XmlElement>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options or an invalid path. */
  constructor(path: string | readonly string[], options: XmlOptions & SelectOptions = {}) {
    requireOptions(options, { ...XML_OPTIONS, ...SELECT_OPTIONS })
    const { nested, standalone, prefixes, where, ...reading } = options
    const { readable, writable } = connectSides(
      (input) => readXml(input, reading).select(path, { nested, standalone, prefixes, where }),
      options.signal,
    )
    this.readable = readable
    this.writable = writable
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
export class XmlRecordStream<const Shape extends XmlShape = XmlShape> {
  readonly readable: ReadableStream<XmlRecord<Shape>>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, an invalid path or invalid fields. */
  constructor(path: string | readonly string[], fields: Shape, options: XmlOptions & RecordOptions<Shape> = {}) {
    const kinds = { ...XML_OPTIONS, ...RECORD_OPTIONS }
    requireOptions<XmlOptions & RecordOptions>(options as XmlOptions & RecordOptions, kinds)
    const { nested, prefixes, where, lenient, ...reading } = options
    const { readable, writable } = connectSides(
      (input) => readXml(input, reading).records(path, fields, { nested, prefixes, where, lenient }),
      options.signal,
    )
    this.readable = readable
    this.writable = writable
  }
}

/** Turns bytes or text into arrays of events, as the `batches()` of `XmlReader.events` yield them; otherwise like {@link XmlElementStream}. */
export class XmlEventStream {
  readonly readable: ReadableStream<XmlEvent[]>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: XmlOptions & XmlEventOptions = {}) {
    requireOptions(options, { ...XML_OPTIONS, ...EVENT_OPTIONS })
    const { cdata, maxText, ...reading } = options
    const { readable, writable } = connectSides(
      (input) => readXml(input, reading).events({ cdata, maxText }).batches(),
      options.signal,
    )
    this.readable = readable
    this.writable = writable
  }
}

/**
 * Turns bytes or text into the bytes of a format, as `XmlReader.write` yields them; otherwise like {@link XmlElementStream}. `readable` is a byte stream
 * if the platform has those.
 */
export class XmlFormatStream<const Shape extends XmlShape = XmlShape> {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for an unknown format, invalid options, an invalid path or invalid fields. */
  constructor(
    format: FormatName,
    path: string | readonly string[],
    fields: Shape,
    options: XmlOptions & WriteOptions<Shape> = {},
  ) {
    requireOptions<XmlOptions & WriteOptions>(options as XmlOptions & WriteOptions, {
      ...XML_OPTIONS,
      ...WRITE_OPTIONS,
    })
    const { nested, prefixes, where, lenient, absent, safe, ...reading } = options
    const { readable, writable } = connectByteSides(
      (input) =>
        readXml(input, reading).write(format, path, fields, { nested, prefixes, where, lenient, absent, safe }),
      options.signal,
    )
    this.readable = readable
    this.writable = writable
  }
}

/** Turns bytes or text into batches of columns, as `XmlReader.columns` yields them; otherwise like {@link XmlElementStream}. */
export class XmlColumnStream<const Shape extends XmlShape = XmlShape> {
  readonly readable: ReadableStream<ColumnBatch>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, an invalid path or invalid fields. */
  constructor(path: string | readonly string[], fields: Shape, options: XmlOptions & ColumnOptions<Shape> = {}) {
    const kinds = { ...XML_OPTIONS, ...COLUMN_OPTIONS }
    requireOptions<XmlOptions & ColumnOptions>(options as XmlOptions & ColumnOptions, kinds)
    const { nested, prefixes, where, lenient, rows, ...reading } = options
    const { readable, writable } = connectSides(
      (input) => readXml(input, reading).columns(path, fields, { nested, prefixes, where, lenient, rows }),
      options.signal,
    )
    this.readable = readable
    this.writable = writable
  }
}
