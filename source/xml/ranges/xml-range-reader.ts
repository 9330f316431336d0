// Reading one range of a document of records.

import type { Items } from '../../async/items.ts'
import { decompress } from '../../compression/decompress.ts'
import type { DecompressOptions } from '../../compression/decompress-options.ts'
import type { ColumnBatch } from '../../record/format/column.ts'
import type { FormatName } from '../../record/format/index.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { withCode } from '../../stream/errors.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { SkippedEntity } from '../doctype/skipped.ts'
import { XmlError } from '../errors/errors.ts'
import { RecordNames } from '../names/record-names.ts'
import type { ColumnOptions, RecordOptions, WriteOptions, XmlOptions } from '../options.ts'
import { type DocumentHead, openSource, type RunOptions } from '../parser/run.ts'
import { parsePaths } from '../question/path.ts'
import { type OrderedShape, planShape, type RecordPlan } from '../question/plan.ts'
import type { XmlRecord, XmlShape } from '../question/shape.ts'
import { runDocument, XmlReader } from '../reader.ts'
import type { RunDocument } from '../readings/reading.ts'
import type { BatchOptions } from '../readings/records.ts'
import { BoundaryFinder } from './boundary-finder.ts'
import type { XmlHead } from './head.ts'
import { findFirst, passTo, skipTo } from './pass-to.ts'
import { openContent, readHeadFor } from './plan-ranges.ts'
import type { Boundary, FileRange, RangeReport, XmlRange } from './range.ts'
import { isOutside } from './range-checker.ts'
import { RangeProgress } from './range-progress.ts'

/** Options for reading a range. */
export interface XmlRangeOptions extends Omit<XmlOptions, 'fragment'> {
  /** The number of threads that decode bzip2 (default: 1, the thread of the caller). */
  threads?: number | undefined
  /** Called with each error of bzip2 instead of throwing it: its block is left out, as by `decompress`. Needs `onError`, because an element may end in the block. */
  onFault?: DecompressOptions['onFault']
  /**
   * Where the range before has ended, as its report says it (`to`). Without it, a range after the first begins where it was cut (`cut`), or at the first
   * start tag of a record that it seems to have. A range of all of a file is then read from there on, and errors have lines.
   */
  from?: Boundary | undefined
}

/** Reads the records of a range by one of its methods, once. Throws like `readXml`; errors of a range after the first have no line. */
export function readXmlRange(source: Seekable, range: XmlRange, options: XmlRangeOptions = {}): XmlRangeReader {
  return new XmlRangeReader(source, range, options)
}

/** One range of a document. It can be read only once, by one of its methods. */
export class XmlRangeReader implements AsyncDisposable {
  readonly #source: Seekable
  readonly #range: XmlRange
  readonly #options: XmlRangeOptions
  readonly #reader: XmlReader
  /** @internal */
  readonly progress: RangeProgress
  /** What may be after all that is to be read: references that were left out, and what was replaced. */
  readonly #late: { readonly byteOffset: number; readonly report: () => void }[] = []
  /** Offsets that the parser gets, minus those in what is read of the file. */
  #shift = 0

  /** @internal */
  constructor(source: Seekable, range: XmlRange, options: XmlRangeOptions) {
    const { threads, onFault, from, ...reading } = options
    const { codec, start } = range
    this.#source = source
    this.#range = range
    this.#options = options
    this.progress = new RangeProgress(range)
    const file = readFrom(source, start)
    const { onSkippedEntity: onSkip, onReplace } = options
    const counting = {
      ...(onSkip && {
        onSkippedEntity: (entity: SkippedEntity) =>
          this.#note(entity.byteOffset, () => onSkip({ ...entity, byteOffset: this.#reported(entity.byteOffset) })),
      }),
      ...(onReplace && { onReplace: (offset: number) => this.#note(offset, () => onReplace(this.#reported(offset))) }),
    }
    this.#reader = new XmlReader(
      codec === 'none' ? file : decompress(file, { threads, onFault, ...(codec === 'bzip2' && this.progress.options) }),
      { ...reading, ...counting },
      undefined,
      (...run) => this.#run(...run),
    )
  }

  /** Yields the records of the range like `XmlReader.records`. */
  records<const Shape extends XmlShape>(
    fields: Shape,
    options: Omit<RecordOptions<Shape>, 'prefixes'> = {},
  ): Items<XmlRecord<Shape>> {
    return this.#reader.records(
      this.#range.path,
      this.#allowed(fields),
      this.#withPrefixes(options) as RecordOptions<Shape>,
    )
  }

  /** Yields the bytes of one output with the records of the range, like `XmlReader.write`. */
  write<const Shape extends XmlShape>(
    format: FormatName,
    fields: Shape,
    options: Omit<WriteOptions<Shape>, 'prefixes'> = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#reader.write(
      format,
      this.#range.path,
      this.#allowed(fields),
      this.#withPrefixes(options) as WriteOptions<Shape>,
    )
  }

  /** Yields the records of the range as columns, like `XmlReader.columns`. */
  columns<const Shape extends XmlShape>(
    fields: Shape,
    options: Omit<ColumnOptions<Shape>, 'prefixes'> = {},
  ): AsyncGenerator<ColumnBatch, void, undefined> {
    return this.#reader.columns(
      this.#range.path,
      this.#allowed(fields),
      this.#withPrefixes(options) as ColumnOptions<Shape>,
    )
  }

  /**
   * The batches of a format, like those of `XmlReader`.
   *
   * @internal
   */
  writtenBatches(
    format: FormatName,
    fields: OrderedShape,
    options: Omit<WriteOptions, 'prefixes'> = {},
    batches: BatchOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    return this.#reader.writtenBatches(
      format,
      this.#range.path,
      this.#allowed(fields),
      this.#withPrefixes(options),
      batches,
    )
  }

  /** Resolves if the part of the document that the range has is well-formed. Throws an `XmlError` otherwise. */
  async check(): Promise<void> {
    await this.#reader.check()
  }

  /**
   * The report on the range. Throws a `TypeError` with the code `range-unread` if the range was not read to its end, and a `ParseError` with the code
   * `wrong-cut` if it has not ended where it was cut.
   */
  get report(): RangeReport {
    return this.progress.report
  }

  /** What was left out so far because of errors, like `XmlReader.skipped`. */
  get skipped(): XmlReader['skipped'] {
    return this.#reader.skipped
  }

  /** Ends reading, and closes the source, also if nothing was read. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]()
  }

  /** The fields, if a range can have them. A file that is one range is read like any document. */
  #allowed<Fields extends OrderedShape>(fields: Fields): Fields {
    const { codec, prefixes, within } = this.#range
    const why = within && whyNotInRanges(planShape(fields, { prefixes }), codec)
    if (why !== undefined) throw withCode(new RangeError(why), 'invalid-option')
    return fields
  }

  #withPrefixes<Options extends object>(options: Options): Options & Pick<RecordOptions, 'prefixes'> {
    return { ...options, prefixes: this.#range.prefixes }
  }

  /** Runs a parser over the range, for any way of reading. */
  async *#run(...[content, program, make, options, recovery]: Parameters<RunDocument>): ReturnType<RunDocument> {
    const { codec, path, prefixes, within } = this.#range
    if (codec === 'other') {
      yield* runDocument(content, program, make, options, recovery)
      this.progress.finish(0, undefined)
      return
    }
    const names = RecordNames.of(parsePaths(path, { prefixes }))
    if (!names) throw withCode(new TypeError('a range needs a path that ends with a name'), 'invalid-option')
    const cursor = options.cursor ?? openSource(content as ByteSource, options.signal)
    const head = await this.#begin(cursor, names, options.signal).catch((error: unknown) => {
      cursor.release()
      throw error
    })
    if (this.progress.isOver) return cursor.release()
    const start = cursor.offset
    const finder = within && new BoundaryFinder({ names, within, ownedUntil: () => this.#ownedUntil })
    const isOver = (offset: number) => {
      const isNext = within !== undefined && offset >= this.#ownedUntil
      if (isNext && finder) finder.foundAt = offset
      return isNext
    }
    const locate = <Fault>(error: Fault) =>
      this.#range.start > 0 && error instanceof XmlError ? this.#withoutLine(error) : error
    if (recovery) recovery.locate = locate
    const place = { known: recovery && (await this.#readHead(options.signal)), shift: this.#shift, isOver }
    try {
      for await (const parser of runDocument(
        content,
        program,
        make,
        { ...options, cursor, head, boundary: finder, ...place },
        recovery,
      )) {
        yield parser
        if (finder?.foundAt !== undefined) break
      }
    } catch (error) {
      throw locate(error)
    } finally {
      const { foundAt: end = Number.POSITIVE_INFINITY } = finder ?? {}
      for (const { byteOffset, report } of this.#late) if (byteOffset < end) report()
    }
    const { foundAt } = finder ?? {}
    this.progress.finish(start, foundAt === undefined ? undefined : foundAt - this.#shift, within)
  }

  /** Moves the cursor to where the range begins. Returns what is read before that; undefined at the start of the document. What needs no reading is over then. */
  async #begin(cursor: Cursor, names: RecordNames, signal: RunOptions['signal']): Promise<DocumentHead | undefined> {
    const { start, codec, cut } = this.#range
    const { from = cut?.from } = this.#options
    if (start === 0 && (from === undefined || from === 'start')) {
      this.progress.from = 'start'
      return undefined
    }
    const head = await this.#readHead(signal)
    const bytes = head?.bytes ?? new Uint8Array(0)
    if (start === 0) {
      const place = from as Exclude<Boundary, string>
      this.progress.from = place
      const { position, before } = await passTo(cursor, bytes.length, () => this.progress.offsetOf(place))
      return { bytes, next: position, before }
    }
    this.#shift = codec === 'none' ? start : bytes.length
    const isThere =
      from === undefined
        ? await findFirst(cursor, names, this.#range, bytes.length, () => this.progress.ownedUntil)
        : await this.#pass(cursor, from)
    if (!isThere) {
      this.progress.skip(from)
      return undefined
    }
    this.progress.from = from ?? this.progress.placeOf(cursor.offset)
    return { bytes, next: { byteOffset: cursor.offset + this.#shift, line: 1, column: 1 } }
  }

  /** The head of the document. */
  async #readHead(signal: RunOptions['signal']): Promise<XmlHead | undefined> {
    const { threads, onFault, from, ...reading } = this.#options
    const open = (file: ByteSource) => openContent(file, this.#range.codec)
    return await readHeadFor(this.#source, { ...this.#range, open }, { ...reading, signal })
  }

  /** Moves the cursor to a place. False where it is after the range: then all blocks of the range were read. */
  async #pass(cursor: Cursor, place: Boundary): Promise<boolean> {
    const isIn = typeof place !== 'string' && !isOutside(place, this.#range)
    await skipTo(cursor, () => (isIn ? this.progress.offsetOf(place) : this.progress.ownedUntil))
    return isIn
  }

  get #ownedUntil(): number {
    return this.progress.ownedUntil + this.#shift
  }

  /** An offset as users get it: in bytes of the file, or of the content of the range. */
  #reported(byteOffset: number): number {
    return this.#range.codec === 'none' ? byteOffset : byteOffset - this.#shift
  }

  /** An error in a range after the first. */
  #withoutLine(error: XmlError): XmlError {
    const { code, byteOffset, excerpt, expected, constraint, detail, cause } = error
    const message = constraint === undefined ? detail : detail.slice(0, -` [${constraint}]`.length)
    return new XmlError(message, { code, byteOffset: this.#reported(byteOffset), excerpt, expected, constraint, cause })
  }

  /** What is found after the end of the range may be of the next one. */
  #note(byteOffset: number, report: () => void): void {
    if (byteOffset < this.#ownedUntil) report()
    else this.#late.push({ byteOffset, report })
  }
}

/** Why a shape cannot be read in ranges of a file: what a range cannot know of it, because that depends on the document before. Undefined if it can. */
export function whyNotInRanges({ fields }: RecordPlan, codec: FileRange['codec']): string | undefined {
  for (const { name, kind, record } of fields) {
    if (record?.outer)
      return `fields.${name}: a range does not know what is around its records; read all of the document`
    if (kind === 'offset' && codec === 'bzip2')
      return `fields.${name}: a range of bzip2 does not know the offsets in the content; read all of the document`
    const inner = record && whyNotInRanges(record, codec)
    if (inner !== undefined) return inner
  }
  return undefined
}
