/// <reference lib="esnext.disposable" preserve="true" />
// Documents from sources.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import type { Leaving } from '../async/leaving.ts'
import { OneByOne } from '../async/one-by-one.ts'
import { Cursor } from '../stream/cursor.ts'
import { SourceError, withCode } from '../stream/errors.ts'
import { requireNumber, requireOptions } from '../stream/options.ts'
import { type ByteSource, closeSource } from '../stream/source.ts'
import { EventCollector, type XmlEvent } from './events.ts'
import type { ProgramName } from './language/assemble-programs.ts'
import { refusePath } from './mistaken-path.ts'
import {
  COLUMN_OPTIONS,
  type ColumnOptions,
  EVENT_OPTIONS,
  LINE_OPTIONS,
  type LineOptions,
  parserOptions,
  RECORD_OPTIONS,
  type RecordOptions,
  SELECT_OPTIONS,
  type SelectOptions,
  XML_OPTIONS,
  type XmlEventOptions,
  type XmlOptions,
} from './options.ts'
import type { ColumnBatch } from './output/column.ts'
import { ObjectWriter } from './output/objects.ts'
import { RecordColumns } from './output/record-columns.ts'
import { type LineBatch, RecordLines } from './output/record-lines.ts'
import type { XmlParser } from './parser/parser.ts'
import { runParser } from './parser/run.ts'
import { NullSink, type Sink } from './parser/sink.ts'
import { type Projection, projectionOf } from './projection/projection.ts'
import { Projector } from './projection/projector.ts'
import type { RecordValues, XmlRecord, XmlShape } from './projection/shape.ts'
import type { XmlWhere } from './projection/where.ts'
import { Selector } from './selector.ts'
import type { XmlElement } from './tree/element.ts'

/**
 * Reads a document from a source, or from the position of a cursor. Throws a `TypeError` or a `RangeError` with the code `invalid-option`
 * for invalid options.
 */
export function readXml(source: ByteSource | Cursor, options: XmlOptions = {}): XmlReader {
  return new XmlReader(source, options)
}

/** Records in a batch of columns. */
const USUAL_ROWS = 64 * 1024

/** A document to read. It can be read only once, by one of these methods. */
export class XmlReader implements AsyncDisposable {
  readonly #source: ByteSource | Cursor
  readonly #options: XmlOptions
  #isRead = false
  #isDisposed = false
  /** The iterators that were returned. Some may not have begun. */
  readonly #readings: AsyncGenerator<unknown, void, undefined>[] = []

  /** @internal */
  constructor(source: ByteSource | Cursor, options: XmlOptions) {
    requireOptions(options, XML_OPTIONS)
    parserOptions(options)
    this.#source = source
    this.#options = options
  }

  /** Resolves if the document is well-formed. Throws an `XmlError` otherwise. */
  async check(): Promise<void> {
    let parser: XmlParser | undefined
    for await (const running of this.#cancellable((leaving) => this.#run(this.#checker, new NullSink(), leaving)))
      parser = running
    if (!this.#isDisposed) return
    const message = 'the document was closed before all of it was checked'
    throw new SourceError('source-cancelled', message, parser?.position ?? 0, undefined)
  }

  /** Ends reading, and closes the source, also if nothing was read. A cursor that was passed is not released. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.all(this.#readings.map((reading) => reading.return()))
    const isOpen = !this.#isRead && !(this.#source instanceof Cursor)
    this.#isRead = true
    if (isOpen) await closeSource(this.#source as ByteSource)
  }

  /**
   * Yields the events of the document in arrays of at least one event, with one await for each array: events are small, and an await for each
   * would take longer than reading it. Throws an `XmlError` after all events before the error.
   */
  eventBatches(options: XmlEventOptions = {}): AsyncGenerator<XmlEvent[], void, undefined> {
    requireOptions(options, EVENT_OPTIONS)
    const { cdata = false, maxText = Number.POSITIVE_INFINITY } = options
    const collector = new EventCollector({ cdata, maxText: requireNumber('maxText', maxText, 1) })
    return this.#cancellable((leaving) => takeEvents(this.#run(this.#program, collector, leaving), collector))
  }

  /**
   * Yields the elements that match a path, or one of several paths, each as soon as it is complete. Memory is bounded by the largest
   * element. Leaving the loop closes the source. Throws an `XmlError` after all elements before the error, and a `RangeError` with the code
   * `invalid-option` for an invalid path.
   */
  select(path: string | readonly string[], options: SelectOptions = {}): AsyncGenerator<XmlElement, void, undefined> {
    return new OneByOne(this.selectBatches(path, options), this.#options.signal)
  }

  /** The same in arrays of at least one item, with one await for each array. */
  selectBatches(
    path: string | readonly string[],
    options: SelectOptions = {},
  ): AsyncGenerator<XmlElement[], void, undefined> {
    requireOptions(options, SELECT_OPTIONS)
    const { nested = 'outermost', where, prefixes } = options
    const selector = new Selector({ projection: projectionOf({ path, prefixes, nested }) })
    return this.#cancellable((leaving) => takeElements(this.#run(this.#program, selector, leaving), selector, where))
  }

  /**
   * Yields the named fields of each matching element: the text or the attributes that the paths of the fields select in it. Each record
   * comes as soon as its element is complete. For documents with many tags, this takes half of the time of `select`. It retains no more
   * input than the open field, or up to 512 KiB of a record that is not complete yet. Leaving the loop closes the source. Throws an `XmlError` after all records before the error, and a
   * `RangeError` or a `TypeError` with the code `invalid-option` for an invalid path or invalid fields.
   *
   * ```ts
   * import { readXml } from 'xylem/xml'
   *
   * const { body } = await fetch('https://example.org/dump.xml')
   * const pages = readXml(body ?? []).records('page', { title: 'title', text: 'revision/text' })
   * for await (const { title, text } of pages) console.log(title, text?.length)
   * ```
   */
  records<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: RecordOptions<Shape> = {},
  ): AsyncGenerator<XmlRecord<Shape>, void, undefined> {
    return new OneByOne(this.recordBatches(path, fields, options), this.#options.signal)
  }

  /** The same in arrays of at least one item, with one await for each array. */
  recordBatches<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: RecordOptions<Shape> = {},
  ): AsyncGenerator<XmlRecord<Shape>[], void, undefined> {
    requireOptions(options, RECORD_OPTIONS)
    const { nested = 'outermost', prefixes, where, lenient = false } = options
    const projection = projectionOf({ path, shape: fields, prefixes, nested })
    const { plan } = projection
    const writer = new ObjectWriter({ plan, isLenient: lenient, where: where as XmlWhere | undefined })
    const projector = new Projector({ projection, writer })
    const records = this.#cancellable((leaving) =>
      takeRecords(this.#run(this.#checker, projector, leaving), projector, writer),
    )
    return records as AsyncGenerator<XmlRecord<Shape>[], void, undefined>
  }

  /**
   * Yields the same records as lines of text in UTF-8, one or more complete lines at a time: JSON lines, or a table. Most lines are written without
   * making objects or strings of the values. Throws like `records`, after all lines before the error.
   *
   * ```ts
   * import { open } from 'node:fs/promises'
   * import { readXml } from 'xylem/xml'
   *
   * const file = await open('products.jsonl', 'w')
   * const shape = { name: '@name', price: { path: 'price', as: 'number' } } as const
   * for await (const bytes of readXml('<r><p name="tea"><price>2.5</price></p></r>').lines('p', shape)) await file.write(bytes)
   * await file.close()
   * ```
   */
  lines<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: LineOptions<Shape> = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#readLines(path, fields, options as LineOptions, ({ bytes }) => bytes)
  }

  /**
   * The same with the number of records in them.
   *
   * @internal
   */
  lineBatches(
    path: string | readonly string[],
    fields: XmlShape,
    options: LineOptions = {},
  ): AsyncGenerator<LineBatch, void, undefined> {
    return this.#readLines(path, fields, options, (batch) => batch)
  }

  #readLines<Item>(
    path: string | readonly string[],
    fields: XmlShape,
    options: LineOptions,
    itemOf: (batch: LineBatch) => Item,
  ): AsyncGenerator<Item, void, undefined> {
    requireOptions(options, LINE_OPTIONS)
    const { format = 'jsonl', absent = 'omit', ...reading } = options
    const { projection, isWanted } = this.#planRecords(path, fields, reading)
    const { plan } = projection
    const lines = new RecordLines({ plan, format, hasNulls: absent === 'null', isWanted })
    const projector = this.#project(projection, reading, lines)
    return this.#cancellable((leaving) =>
      takeLines(this.#run(this.#checker, projector, leaving), projector, lines, itemOf),
    )
  }

  /**
   * Yields the same records as columns: batches of records with the values of each field one after the other, as Apache Arrow lays them out in memory.
   * Most values become columns without being objects or strings before. Throws like `records`, after a batch with all records before the error.
   *
   * ```ts
   * import { readXml } from 'xylem/xml'
   *
   * const shape = { name: '@name', price: { path: 'price', as: 'number' } } as const
   * for await (const { rows, columns } of readXml('<r><p name="tea"><price>2.5</price></p></r>').columns('p', shape)) {
   *   const price = columns.find(({ name }) => name === 'price')
   *   if (price?.type === 'float64') console.log(rows, price.values[0])
   * }
   * ```
   */
  columns<const Shape extends XmlShape>(
    path: string | readonly string[],
    fields: Shape,
    options: ColumnOptions<Shape> = {},
  ): AsyncGenerator<ColumnBatch, void, undefined> {
    requireOptions<ColumnOptions>(options as ColumnOptions, COLUMN_OPTIONS)
    const { rows = USUAL_ROWS, ...reading } = options as ColumnOptions
    const { projection, isWanted } = this.#planRecords(path, fields, reading)
    const { plan } = projection
    const columns = new RecordColumns({ plan, rows: Math.floor(requireNumber('rows', rows, 1)), isWanted })
    const projector = this.#project(projection, reading, columns)
    return this.#cancellable((leaving) => takeColumns(this.#run(this.#checker, projector, leaving), projector, columns))
  }

  #planRecords(
    path: string | readonly string[],
    shape: XmlShape,
    { nested = 'outermost', prefixes, where }: RecordOptions,
  ): { projection: Projection; isWanted: ((values: RecordValues) => boolean) | undefined } {
    const isWanted = typeof where === 'function' ? (where as (values: RecordValues) => boolean) : undefined
    return { projection: projectionOf({ path, shape, prefixes, nested }), isWanted }
  }

  /** What finds records, and gives each to an output that the kernel writes for. */
  #project(
    projection: Projection,
    { where, lenient = false }: RecordOptions,
    output: RecordLines | RecordColumns,
  ): Projector {
    const writer = new ObjectWriter({
      plan: projection.plan,
      isLenient: lenient,
      where: typeof where === 'function' ? undefined : where,
      make: (record) => output.add(record),
      lines: output instanceof RecordLines ? output.taker : undefined,
    })
    return new Projector({ projection, writer, lineForm: output.form })
  }

  /** The program that records tags alone. */
  get #checker(): ProgramName {
    return this.#options.fragment ? 'checkFragment' : 'check'
  }

  get #program(): ProgramName {
    return this.#options.fragment ? 'fragment' : 'document'
  }

  /** A generator that can be left while it waits: the reading ends then, and when the signal of the options aborts. */
  #cancellable<Item>(
    read: (leaving: Leaving) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    const reading = new CancellableGenerator(read, this.#options.signal)
    this.#readings.push(reading)
    return reading
  }

  #run(program: ProgramName, sink: Sink, leaving: Leaving): AsyncGenerator<XmlParser, void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('the document was already read'), 'stream-read')
    this.#isRead = true
    if (!this.#options.fragment) refusePath(this.#source)
    return runParser(this.#source, program, sink, { ...this.#options, signal: leaving })
  }
}

async function* takeEvents(
  parsers: AsyncIterable<XmlParser>,
  collector: EventCollector,
): AsyncGenerator<XmlEvent[], void, undefined> {
  for await (const _ of parsers) {
    const events = collector.take()
    if (events.length > 0) yield events
  }
}

async function* takeElements(
  parsers: AsyncIterable<XmlParser>,
  selector: Selector,
  where: SelectOptions['where'],
): AsyncGenerator<XmlElement[], void, undefined> {
  for await (const parser of parsers) {
    parser.hold(selector.retainedFrom)
    const all = selector.take()
    const elements = where ? yield* filterElements(all, where) : all
    if (elements.length > 0) yield elements
  }
}

async function* takeRecords(
  parsers: AsyncIterable<XmlParser>,
  projector: Projector,
  writer: ObjectWriter,
): AsyncGenerator<RecordValues[], void, undefined> {
  for await (const parser of parsers) {
    const records = writer.take()
    parser.hold(projector.retainedFrom)
    if (records.length > 0) yield records
  }
}

async function* takeLines<Item>(
  parsers: AsyncIterable<XmlParser>,
  projector: Projector,
  lines: RecordLines,
  itemOf: (batch: LineBatch) => Item,
): AsyncGenerator<Item, void, undefined> {
  for await (const parser of parsers) {
    parser.hold(projector.retainedFrom)
    const batch = lines.take()
    if (batch) yield itemOf(batch)
  }
}

/** The batches, and the last one when no more records come: at the end, or because of an error. */
async function* takeColumns(
  parsers: AsyncIterable<XmlParser>,
  projector: Projector,
  columns: RecordColumns,
): AsyncGenerator<ColumnBatch, void, undefined> {
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const parser of parsers) {
      parser.hold(projector.retainedFrom)
      yield* columns.take()
    }
  } catch (error) {
    failure = { error }
  }
  yield* columns.finish()
  if (failure) throw failure.error
}

/** Those that are wanted. When the predicate throws, those before it are given first. */
function* filterElements(
  all: readonly XmlElement[],
  where: NonNullable<SelectOptions['where']>,
): Generator<XmlElement[], XmlElement[], undefined> {
  const wanted: XmlElement[] = []
  try {
    for (const element of all) if (where(element)) wanted.push(element)
  } catch (error) {
    if (wanted.length > 0) yield wanted
    throw error
  }
  return wanted
}
