/// <reference lib="esnext.disposable" preserve="true" />
// Documents that workers read.

import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatName } from '../record/format/index.ts'
import type { RecordValues } from '../record/value.ts'
import { notIterable, withCode } from '../stream/errors.ts'
import {
  type ItemSource,
  type ItemStream,
  makeBatchedStream,
  makeByteStream,
  makeItemStream,
} from '../stream/item-stream.ts'
import { closeSource } from '../stream/sources/source.ts'
import type { XmlRecord, XmlShape } from '../xml/question/shape.ts'
import {
  requireData,
  requireRecordData,
  requireWorkerOptions,
  type XmlWorkerColumnOptions,
  type XmlWorkerOptions,
  type XmlWorkerRecordOptions,
  type XmlWorkerSource,
  type XmlWorkerWriteOptions,
} from './options.ts'
import type { Batch, Question } from './reading.ts'
import { dateAdder, dropAbsent, hasKind, parseRecords } from './record-lines.ts'
import { WorkerReading } from './worker-reading.ts'

/**
 * Reads a document in a worker:
 *
 * ```ts
 * import { readXmlInWorker } from 'xylem/worker'
 *
 * const pages = readXmlInWorker(new URL('https://example.org/dump.xml.bz2'), { decompress: true }).records('page', { title: 'title' })
 * for await (const { title } of pages) console.log(title)
 * ```
 *
 * A `Blob` is read and a `URL` is fetched in the worker. Bytes in memory are copied to it, or transferred. Chunks of other sources are posted, each when the
 * worker needs it. Throws a `TypeError` with the code `invalid-option` for options that do not exist, or that are functions.
 */
export function readXmlInWorker(source: XmlWorkerSource, options: XmlWorkerOptions = {}): XmlWorkerReader {
  return new XmlWorkerReader(source, options)
}

/**
 * A document that a worker reads. It can be read only once, by one of these methods.
 *
 * The worker is started when the stream is first read, and is ended with the stream. It is at most two batches ahead of who reads. Canceling the stream
 * ends the worker, and with it a download. Errors are those of `XmlReader`, after everything before them; the worker also checks paths, fields and
 * options, so what is wrong with them is thrown by the first read.
 */
export class XmlWorkerReader implements AsyncDisposable {
  readonly #source: XmlWorkerSource
  readonly #options: XmlWorkerOptions
  #isRead = false
  #reading: { end(reason: unknown): Promise<void> } | undefined

  /** @internal */
  constructor(source: XmlWorkerSource, options: XmlWorkerOptions) {
    requireWorkerOptions(options)
    this.#source = source
    this.#options = options
  }

  /** @internal For who iterates the reader itself: says what can be iterated. */
  [Symbol.asyncIterator](): never {
    throw notIterable('a document', '.records(path, fields) and .write(format, path, fields)')
  }

  /** The records of matching elements, as `XmlReader.records` yields them, without the keys of absent values. They are made on this thread, some hundred at a time. */
  records<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: XmlWorkerRecordOptions<Shape> = {},
  ): ItemStream<XmlRecord<Shape>> {
    requireRecordData(options)
    const way = hasKind(fields, 'int64') ? ({ asObjects: true } as const) : ({ format: 'jsonl' } as const)
    const question: Question = { ...way, path, fields, options }
    const addDates = dateAdder(fields)
    const records = this.#begin(question, (batch) =>
      batch instanceof Uint8Array ? parseRecords(batch, addDates) : [dropAbsent(batch as readonly RecordValues[])],
    )
    return makeBatchedStream(records as ItemSource<XmlRecord<Shape>>)
  }

  /** The bytes of a format, as `XmlReader.write` yields them: a byte stream if the platform has those. */
  write<const Shape extends XmlShape>(
    format: FormatName,
    path: string | readonly string[],
    fields: Shape,
    options: XmlWorkerWriteOptions<Shape> = {},
  ): ReadableStream<Uint8Array> {
    requireData(options)
    const question: Question = { format, path, fields, options }
    return makeByteStream(this.#begin(question, (batch) => [[batch as Uint8Array]]))
  }

  /** The records as columns, as `XmlReader.columns` yields them. Their memory is transferred. */
  columns<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: XmlWorkerColumnOptions<Shape> = {},
  ): ReadableStream<ColumnBatch> {
    requireData(options)
    const question: Question = { path, fields, options }
    return makeItemStream(this.#begin(question, (batch) => [[batch as ColumnBatch]]))
  }

  /** Ends reading, and closes the source, also if nothing was read. */
  async [Symbol.asyncDispose](): Promise<void> {
    const isOpen = !this.#isRead && !(this.#source instanceof URL)
    this.#isRead = true
    await this.#reading?.end(withCode(new TypeError('the document was closed'), 'stream-read'))
    if (isOpen) await closeSource(this.#source)
  }

  #begin<Item>(question: Question, itemsOf: (batch: Batch) => Iterable<readonly Item[]>): WorkerReading<Item> {
    if (this.#isRead) throw withCode(new TypeError('the document was already read'), 'stream-read')
    this.#isRead = true
    const reading = new WorkerReading(this.#source, this.#options, question, itemsOf)
    this.#reading = reading
    return reading
  }
}
