/// <reference lib="esnext.disposable" preserve="true" />
// Documents from sources.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { BatchedItems, type Items } from '../async/items.ts'
import { LazyModule } from '../async/lazy-module.ts'
import type { Leaving } from '../async/leaving.ts'
import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatSetup } from '../record/format/format.ts'
import {
  FORMATS,
  type FormatModule,
  type FormatName,
  findFormat,
  readFormatOptions,
  USUAL_FORMAT,
} from '../record/format/index.ts'
import { Cursor } from '../stream/cursor.ts'
import { notIterable, SourceError, withCode } from '../stream/errors.ts'
import { decider, requireNumber, requireOptions } from '../stream/options.ts'
import { type ByteSource, closeSource } from '../stream/sources/source.ts'
import type { Position } from '../text/line-counter.ts'
import type { Delivery } from './delivery.ts'
import { refusePath } from './errors/errors.ts'
import type { XmlEvent } from './events.ts'
import { type DocumentProgram, programModules } from './language/programs.ts'
import {
  COLUMN_OPTIONS,
  type ColumnOptions,
  EVENT_OPTIONS,
  parserOptions,
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
import { NullConsumer } from './parser/consumer.ts'
import type { XmlParser } from './parser/parser.ts'
import { type DocumentPart, openSource, runParser } from './parser/run.ts'
import { nestedMatches } from './projection/nested-matches.ts'
import type { OrderedShape } from './question/plan.ts'
import { projectionOf } from './question/projection.ts'
import type { XmlRecord, XmlShape } from './question/shape.ts'
import type { RunDocument, RunParser } from './readings/reading.ts'
import { askForRecords, type RecordQuestion } from './readings/record-question.ts'
import type { BatchOptions } from './readings/records.ts'
import { type Recovery, recovers, recoveryOf, type SkippedRecords } from './readings/recovery.ts'
import { hasRest, parsing } from './readings/rest.ts'
import type { XmlElement } from './tree/element.ts'

/**
 * Reads a document from a source, or from the position of a cursor. For small documents in memory, above all for many, use `parseXml`.
 *
 * A cursor is not released. It is directly after the last item that was delivered, however the input was cut, and at the end when the document was read
 * completely. Where nothing is delivered for more than 64 KiB, or half of `maxRetained` if that is less, it follows at this distance.
 *
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options.
 */
export function readXml(source: ByteSource | Cursor, options: XmlOptions = {}): XmlReader {
  return new XmlReader(source, options)
}

/** How a document is read that others may follow. */
export interface PartReading extends DocumentPart {
  /** Where the document begins. */
  readonly start: Position
  /** Whether those who read the documents have left them. */
  readonly isClosed: boolean
  /** A reading that can be left, and be continued by those who read the next document. */
  share<Item>(reading: AsyncGenerator<Item, void, undefined>): AsyncGenerator<Item, void, undefined>
}

/** What each way of reading takes beyond a check: most programs read in one or two ways. */
const events = new LazyModule(() => import('./readings/events.ts'))
const elements = new LazyModule(() => import('./readings/elements.ts'))
const records = new LazyModule(() => import('./readings/records.ts'))
/** What reads on after errors. */
const stretches = new LazyModule(() => import('./ranges/stretches.ts'))
/** What moves cursors that are lent. */
const deliveries = new LazyModule(() => import('./delivery.ts'))

/** A document to read. It can be read only once, by one of these methods. */
export class XmlReader implements AsyncDisposable {
  readonly #source: ByteSource | Cursor
  /** Moves the cursor that the source is, when reading has begun. */
  #delivery: Delivery | undefined
  /** What knows whether items are delivered one by one; undefined where the reading has no arrays. */
  #items: { readonly isOneByOne: boolean | undefined } | undefined
  readonly #part: PartReading | undefined
  readonly #options: XmlOptions
  readonly #run: RunDocument
  #recovery: Recovery | undefined
  #isRead = false
  #isDisposed = false
  /** The iterators that were returned. Some may not have begun. */
  readonly #readings: AsyncGenerator<unknown, void, undefined>[] = []

  /** @internal `run` reads only a part of the source, if it is given. */
  constructor(source: ByteSource | Cursor, options: XmlOptions, part?: PartReading, run: RunDocument = runDocument) {
    requireOptions(options, XML_OPTIONS)
    parserOptions(options)
    this.#source = source
    this.#part = part
    this.#run = run
    this.#options = options
  }

  /** @internal For who iterates the reader itself: says what can be iterated. */
  [Symbol.asyncIterator](): never {
    throw notIterable('a document', '.records(path, fields), .select(path) and .events()')
  }

  /** What was left out so far because of errors, where `onError` has said so. */
  get skipped(): Readonly<SkippedRecords> {
    return { errors: 0, records: 0, bytes: 0, ...this.#recovery?.skipped }
  }

  /** Resolves if the document is well-formed. Throws an `XmlError` otherwise. */
  async check(): Promise<void> {
    let parser: XmlParser | undefined
    for await (const running of this.#read(this.#checker, [], (run) => run(() => new NullConsumer()))) parser = running
    if (!this.#isDisposed && !this.#part?.isClosed) return
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
   * Yields the events of the document. They are small, and an await for each takes longer than reading it: `batches()` is several times as fast.
   * Throws an `XmlError` after all events before the error.
   */
  events(options: XmlEventOptions = {}): Items<XmlEvent> {
    requireOptions(options, EVENT_OPTIONS)
    const { cdata = false, maxText = Number.POSITIVE_INFINITY } = options
    const wanted = { cdata, maxText: requireNumber('maxText', maxText, 1) }
    return this.#inArrays(
      this.#read(this.#program, [events], (run) => events.required.readEvents(run, wanted, this.#delivery)),
    )
  }

  /**
   * Yields the elements that match a path, or one of several paths, each as soon as it is complete. Memory is bounded by the largest
   * element. Leaving the loop closes the source. Throws an `XmlError` after all elements before the error, and a `RangeError` with the code
   * `invalid-option` for an invalid path.
   */
  select(path: string | readonly string[], options: SelectOptions = {}): Items<XmlElement> {
    requireOptions(options, SELECT_OPTIONS)
    const { nested = 'outermost', standalone = false, where, prefixes, onError } = options
    const projection = projectionOf({ path, prefixes, nested, recovers: recovers(onError) })
    const isWanted = where && decider('where', where)
    const recovery = recoveryOf(projection, onError)
    this.#recovery = recovery
    return this.#inArrays(
      this.#read(this.#program, recovery ? [elements, stretches] : [elements], (run) =>
        elements.required.readElements(run, { projection, standalone }, isWanted, this.#delivery, recovery),
      ),
    )
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
  ): Items<XmlRecord<Shape>> {
    requireOptions(options, RECORD_OPTIONS)
    const question = askForRecords(path, fields, options as RecordOptions)
    const batches = this.#collect(FORMATS.objects.module, question)
    return this.#inArrays(batches as AsyncGenerator<XmlRecord<Shape>[], void, undefined>)
  }

  /**
   * Yields the same records as bytes in a format: `jsonl` (each line is what `JSON.stringify` makes of a record), `json` (one array of these), `xml` (one document with an element for each), `csv` and `tsv`
   * (a table with the names of the fields in its first line, in which objects and arrays are JSON), `arrow` and `arrows` (a file and a stream of Apache Arrow), or `parquet` (by the
   * package hyparquet-writer, if it is installed; otherwise the error has the code `package-missing`). Most are written without making objects or strings of the values.
   * Throws like `records`, after all records before the error, and a `TypeError` with the code `invalid-option` for an unknown format.
   *
   * ```ts
   * import { open } from 'node:fs/promises'
   * import { readXml } from 'xylem/xml'
   *
   * const file = await open('products.jsonl', 'w')
   * const shape = { name: '@name', price: { path: 'price', as: 'number' } } as const
   * const products = readXml('<r><p name="tea"><price>2.5</price></p></r>')
   * for await (const bytes of products.write('jsonl', 'p', shape)) await file.write(bytes)
   * await file.close()
   * ```
   */
  write<const Shape extends XmlShape>(
    format: FormatName,
    path: string | readonly string[],
    fields: Shape,
    options: WriteOptions<Shape> = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { module } = findFormat(format)
    const { question, written } = this.#askToWrite(format, path, fields, options as WriteOptions)
    return this.#readRecords(module, question, (run) =>
      records.required.writeRecords(run, question, module.required.format, written, this.#delivery),
    )
  }

  /**
   * The batches of a format, for those who write the records of several documents into one output.
   *
   * @internal
   */
  writtenBatches(
    format: FormatName,
    path: string | readonly string[],
    fields: OrderedShape,
    options: WriteOptions = {},
    batches: BatchOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const { question, written } = this.#askToWrite(format, path, fields, options, batches)
    return this.#collect(findFormat(format).module, question, { ...written, ...batches })
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
    const { rows = USUAL_FORMAT.rows, ...reading } = options as ColumnOptions
    const question = askForRecords(path, fields, reading)
    return this.#collect(FORMATS.columns.module, question, { rows: Math.floor(requireNumber('rows', rows, 1)) })
  }

  #askToWrite(
    format: FormatName,
    path: string | readonly string[],
    fields: OrderedShape,
    options: WriteOptions,
    batches?: BatchOptions,
  ): { readonly question: RecordQuestion; readonly written: FormatSetup } {
    requireOptions(options, WRITE_OPTIONS)
    const written = readFormatOptions(format, options)
    const question = askForRecords(path, fields, options, batches)
    const metadata = { 'xylem:path': JSON.stringify([path].flat()), 'xylem:shape': JSON.stringify(fields) }
    return { question, written: { ...USUAL_FORMAT, ...written, metadata } }
  }

  /** The batches of a format. */
  #collect<Batch>(
    module: FormatModule<Batch>,
    question: RecordQuestion,
    options: Partial<FormatSetup> & BatchOptions = {},
  ): AsyncGenerator<Batch, void, undefined> {
    return this.#readRecords(module, question, (run) =>
      (options.read ?? records.required.readRecords)(
        run,
        question,
        module.required.format,
        { ...USUAL_FORMAT, ...options },
        this.#delivery,
      ),
    )
  }

  /** The items of a reading in arrays. */
  #inArrays<Item>(batches: AsyncGenerator<Item[], void, undefined>): Items<Item> {
    const onTake = this.#source instanceof Cursor ? () => this.#delivery?.take() : undefined
    const items = new BatchedItems(batches, this.#options.signal, onTake)
    this.#items = items
    return items
  }

  /** The program that records tags alone. */
  get #checker(): DocumentProgram {
    return this.#options.fragment ? 'checkFragment' : 'check'
  }

  get #program(): DocumentProgram {
    return this.#options.fragment ? 'fragment' : 'document'
  }

  #readRecords<Item>(
    module: LazyModule<unknown>,
    { projection, recovery }: RecordQuestion,
    read: (run: RunParser) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    const modules: LazyModule<unknown>[] = [records, module]
    if (hasRest(projection.plan)) modules.push(parsing)
    if (projection.nested === 'all') modules.push(nestedMatches)
    if (recovery) modules.push(stretches)
    this.#recovery = recovery
    return this.#read(this.#checker, modules, read)
  }

  /**
   * Reads the document in one way, which gives a generator and needs some modules. It can be left while it waits: the reading ends then, and when the
   * signal of the options aborts.
   */
  #read<Item>(
    program: DocumentProgram,
    modules: readonly LazyModule<unknown>[],
    read: (run: RunParser) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('the document was already read'), 'stream-read')
    this.#isRead = true
    if (!this.#options.fragment) refusePath(this.#source)
    const [source, part] = [this.#source, this.#part]
    const lent = source instanceof Cursor ? source : undefined
    const begin = (leaving: Leaving) => {
      const options = { ...this.#options, signal: leaving, part, position: part?.start }
      const start = (cursor?: Cursor) => {
        const delivery = lent && new deliveries.required.Delivery(lent, leaving, () => this.#items?.isOneByOne ?? false)
        this.#delivery = delivery
        const items = read((make, recovery) =>
          this.#run(source, program, make, { ...options, cursor, delivery }, recovery),
        )
        return delivery ? delivery.through(items) : items
      }
      // All at once: each round to a server takes its time.
      const missing = [...modules, programModules[program]].filter(({ module }) => !module)
      if (lent && !deliveries.module) missing.push(deliveries)
      return missing.length === 0 ? start() : loadAndRead(missing, () => openSource(source, leaving), start)
    }
    const cancellable = new CancellableGenerator(begin, this.#options.signal)
    const reading = part ? part.share(cancellable) : cancellable
    this.#readings.push(reading)
    return reading
  }
}

/** Reads a document from its start. */
export const runDocument: RunDocument = (source, program, make, options, recovery) =>
  recovery
    ? stretches.required.runStretches({ openSource, runParser }, source, program, make, options, recovery)
    : runParser(source, program, make(), options)

/** Reads when modules were loaded. The source is opened before: who has given it relies on that, and it is closed if they cannot be loaded. */
async function* loadAndRead<Item>(
  modules: readonly LazyModule<unknown>[],
  open: () => Cursor,
  start: (cursor: Cursor) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  const cursor = open()
  try {
    await Promise.all(modules.map((module) => module.load()))
    yield* start(cursor)
  } finally {
    cursor.release()
  }
}
