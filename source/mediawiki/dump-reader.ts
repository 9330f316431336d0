/// <reference lib="esnext.disposable" preserve="true" />
// Reading a MediaWiki XML dump.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { BatchedItems, type Items } from '../async/items.ts'
import { decompress } from '../compression/decompress.ts'
import { type FormatName, findFormat } from '../record/format/index.ts'
import type { Cursor } from '../stream/cursor.ts'
import { notIterable, withCode } from '../stream/errors.ts'
import { requireOptions } from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import type { Progress, ReportsProgress } from '../stream/sources/source-reader.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import { readXmlLimits } from '../xml/options.ts'
import { DUMP_OPTIONS, type DumpOptions, type DumpPart } from './dump-options.ts'
import {
  askForPages,
  askForRevisions,
  type DumpQuestion,
  LOG_ITEMS,
  PAGE_STARTS,
  type PagePlace,
  PLACES,
  SiteInfoQuestion,
} from './dump-question.ts'
import { DumpReading } from './dump-reading.ts'
import { repairHead } from './head/head-repair.ts'
import { askForPageLines, askForRevisionLines } from './lines/line-question.ts'
import {
  PAGE_LINE_FILTER,
  PAGE_WRITE_OPTIONS,
  type PageLineFilter,
  type PageLines,
  type PageWriteOptions,
  REVISION_LINE_FILTER,
  type RevisionLineFilter,
  requireFilter,
} from './lines/page-lines.ts'
import type { DumpReport } from './lines/record-counters.ts'
import { writePages } from './lines/record-format.ts'
import type { LogItem } from './shape/log-item.ts'
import type { Page, PageOutline, PageRevision, PageRevisionFacts } from './shape/page.ts'
import type { SiteInfo } from './shape/site-info.ts'

/**
 * Reads a dump as it is published: uncompressed, or compressed with gzip, bzip2 or zstd. The options of the stream cache apply to the
 * decompressed bytes; the high-water mark applies to the compressed bytes too. A page (or with `revisions`, a revision) larger than
 * `maxRetained` cannot be read.
 */
export function readDump(source: ByteSource, options: DumpOptions = {}): DumpReader {
  return new DumpReader(source, options)
}

/**
 * Reads a dump once, by one of its methods: a second reading throws a `TypeError` with the code `dump-read`. Leaving a loop closes the
 * source. If you need only `siteInfo`, call `close` afterwards, or declare the reader with `await using`.
 *
 * All methods first deliver everything before the error. They throw a `ParseError` if the dump is not well-formed or not complete, and a
 * `SourceError` if the source fails; its `cause` is a `CompressionError` if the archive is damaged.
 */
export class DumpReader implements AsyncDisposable, ReportsProgress {
  readonly #source: AsyncIterable<Uint8Array> & AsyncDisposable & ReportsProgress
  readonly #options: DumpOptions & DumpPart
  #cache: StreamCache | undefined
  /** Where reading begins; what is before it was not let go. */
  #start: Cursor | undefined
  #siteInfo: Promise<SiteInfo> | undefined
  readonly #counts = { replaced: 0 }
  #report: DumpQuestion<object>['report']
  #isRead = false

  /** @internal */
  constructor(source: ByteSource, options: DumpOptions, part: DumpPart = {}) {
    requireOptions(options, DUMP_OPTIONS)
    readXmlLimits(options.limits)
    const { onFault, highWaterMark, threads, startBit, onBlock, onStreamEnd } = options
    this.#options = { ...options, ...part }
    const reading = {
      highWaterMark,
      threads,
      startBit,
      onBlock,
      onStreamEnd,
      onFault,
      loneSurrogate: 'U+FFFF',
    } as const
    this.#source = decompress(source, reading)
  }

  /** @internal For who iterates the reader itself: says what can be iterated. */
  [Symbol.asyncIterator](): never {
    throw notIterable('a dump', '.pages(), .revisions(), .places() and .logItems()')
  }

  /** How much of the source, in its own (compressed) bytes, has been read. */
  get progress(): Progress {
    return this.#source.progress
  }

  /** How many bytes of the decompressed dump are in memory now: what was read ahead, and the page that is not complete yet. */
  get retained(): number {
    return this.#cache?.retained ?? 0
  }

  /** The number of characters replaced so far because XML does not allow them, or not at their place. */
  get replaced(): number {
    return this.#counts.replaced
  }

  /** What was counted of the lines that were given out so far; empty if no lines are read. */
  get report(): Partial<DumpReport> {
    return this.#report?.data ?? {}
  }

  /**
   * The description of the wiki before the first page of the dump. Reading it does not read any pages; the other methods can be called
   * afterwards.
   */
  get siteInfo(): Promise<SiteInfo> {
    this.#siteInfo ??= this.#readSiteInfo()
    return this.#siteInfo
  }

  /** Yields the pages in the order of the dump, each with its newest revision: those for which `filter` returns true. It is called before the text of a page is decoded. */
  pages(filter?: (page: PageOutline) => boolean): Items<Page> {
    return this.#read(() => askForPages(filter))
  }

  /**
   * Yields the pages as JSON lines in UTF-8, equal to `JSON.stringify` of what `pages` yields: the lines of many pages at once. Where possible,
   * they are made without JavaScript strings, which is several times as fast.
   */
  pageLines(filter: PageLineFilter = {}): Items<PageLines> {
    requireFilter(filter, PAGE_LINE_FILTER)
    return this.#read(() => askForPageLines(filter))
  }

  /**
   * Yields the pages in a format, as bytes: all pieces one after the other are the file that `xylem pages` writes. If the dump is wrong, what was read before
   * the error is yielded first.
   */
  writePages(format: FormatName, options: PageWriteOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    requireFilter(options, PAGE_WRITE_OPTIONS)
    findFormat(format)
    const read = (filter: PageLineFilter) => this.pageLines(filter)
    const write = ({ signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => void this.close())
      return writePages(read, format, options, signal)
    }
    return new CancellableGenerator(write, this.#options.signal)
  }

  /**
   * Yields all revisions in the order of the dump, each with the data of its page. Memory is bounded by the largest revision, whatever the
   * number of revisions. `filter`, which returns true for those that are wanted, is called before the text is decoded.
   */
  revisions(filter?: (revision: PageRevisionFacts) => boolean): Items<PageRevision> {
    return this.#read(() => askForRevisions(filter))
  }

  /** Yields the revisions as JSON lines in UTF-8, equal to `JSON.stringify` of what `revisions` yields: the lines of many revisions at once. */
  revisionLines(filter: RevisionLineFilter = {}): Items<PageLines> {
    requireFilter(filter, REVISION_LINE_FILTER)
    return this.#read(() => askForRevisionLines(filter))
  }

  /** Yields the positions of the pages in the order of the dump, without reading their content. */
  places(): Items<PagePlace> {
    return this.#read(() => PLACES)
  }

  /**
   * Yields where the pages begin and end, and nothing else of them: half of the time of `places`.
   *
   * @internal
   */
  pageStarts(): Items<Pick<PagePlace, 'start' | 'end'>> {
    return this.#read(() => PAGE_STARTS)
  }

  /** Yields the log entries, in dumps of logs. */
  logItems(): Items<LogItem> {
    return this.#read(() => LOG_ITEMS)
  }

  /** Closes the source, also if nothing was read. Not needed after a loop. */
  async close(): Promise<void> {
    this.#isRead = true
    this.#start?.release()
    try {
      await (this.#cache ?? this.#source)[Symbol.asyncDispose]()
    } catch {
      // Nobody waits for the input any more.
    }
  }

  /** Closes the source, like `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #read<Item extends object>(ask: () => DumpQuestion<Item>): Items<Item> {
    const batches = new CancellableGenerator(({ signal }) => this.#readBatches(ask, signal))
    return new BatchedItems(batches, this.#options.signal)
  }

  /** The source is closed when the signal aborts. */
  async *#readBatches<Item extends object>(
    ask: () => DumpQuestion<Item>,
    leaving: AbortSignal,
  ): AsyncGenerator<Item[], void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('this dump is already being read; call readDump again'), 'dump-read')
    this.#isRead = true
    leaving.addEventListener('abort', () => void this.close())
    const cursor = this.#open()
    const question = ask()
    const reading = new DumpReading(question, cursor, this.#options, this.#counts)
    this.#report = question.report
    try {
      const batches = await reading.begin(leaving)
      if (batches) yield* batches
      reading.finish()
    } catch (error) {
      if (!reading.isEnd(error)) throw reading.explain(error)
      reading.finish()
    } finally {
      // The source is closed when the loop is over. An error in closing must not hide the error that ended it.
      await this.close()
    }
  }

  #open(): Cursor {
    const { strict } = this.#options
    if (!this.#cache) {
      const bytes =
        strict || this.#options.isPart ? this.#source : repairHead(this.#source, () => this.#counts.replaced++)
      const { highWaterMark, limits, idleTimeout, signal, copy, onFault } = this.#options
      // Where reading continues after errors, what is retained is bounded by the limits of the parser.
      const maxRetained = onFault ? Number.POSITIVE_INFINITY : limits?.maxRetained
      const bounds = { maxRetained, maxInput: limits?.maxInput }
      this.#cache = StreamCache.from(bytes, { highWaterMark, limits: bounds, idleTimeout, signal, copy })
      // Nobody keeps a view of it: the parser copies what it reads.
      this.#cache.returnMemory()
      this.#start = this.#cache.cursor()
    }
    return this.#start as Cursor
  }

  async #readSiteInfo(): Promise<SiteInfo> {
    if (this.#isRead) throw withCode(new TypeError('the dump is already being read; get siteInfo first'), 'dump-read')
    const cursor = this.#open().clone()
    const question = new SiteInfoQuestion()
    const reading = new DumpReading(question, cursor, { strict: this.#options.strict }, { replaced: 0 })
    try {
      for await (const _ of (await reading.begin()) ?? []);
    } catch (error) {
      if (!question.isOver()) throw reading.explain(error)
    } finally {
      cursor.release()
    }
    return { ...reading.root, ...(question.found ?? { namespaces: [] }) }
  }
}
