/// <reference lib="esnext.disposable" preserve="true" />
// Reading a MediaWiki XML dump.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { BatchedItems, type Items } from '../async/items.ts'
import { decompress } from '../compression/decompress.ts'
import { DECOMPRESS_OPTIONS, type DecompressOptions } from '../compression/decompress-options.ts'
import { type FormatName, findFormat } from '../record/format/index.ts'
import type { Cursor } from '../stream/cursor.ts'
import { type LimitError, notIterable, withCode } from '../stream/errors.ts'
import { type LimitOptions, type OptionKinds, requireOptions } from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import type { Progress, ReportsProgress } from '../stream/sources/source-reader.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import type { ParseError } from '../text/parse-error.ts'
import { XmlError } from '../xml/errors/errors.ts'
import { readXmlLimits, type XmlLimits } from '../xml/options.ts'
import type { XmlParser } from '../xml/parser/parser.ts'
import { openSource, type RunOptions, runParser } from '../xml/parser/run.ts'
import type { HeadBytes } from '../xml/ranges/head-facts.ts'
import { passTo } from '../xml/ranges/pass-to.ts'
import { findNext, runStretches } from '../xml/ranges/stretches.ts'
import { Recovery } from '../xml/readings/recovery.ts'
import {
  type Collector,
  LogItemCollector,
  PageCollector,
  type PagePlace,
  PageStartCollector,
  PlaceCollector,
  RevisionCollector,
  SiteInfoCollector,
} from './collectors.ts'
import { explainNoDump, nameTooLarge } from './dump-errors.ts'
import { copyDumpHead, DumpHead, PAGE_NAMES } from './head/dump-head.ts'
import { repairHead } from './head/head-repair.ts'
import { PageLineCollector, RevisionLineCollector } from './lines/line-collectors.ts'
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
import { writePages } from './lines/write-pages.ts'
import type { LogItem } from './shape/log-item.ts'
import type { Page, PageOutline } from './shape/page.ts'
import type { PageRevision, PageRevisionFacts } from './shape/page-revision.ts'
import type { SiteInfo } from './shape/site-info.ts'

const START = { byteOffset: 0, line: 1, column: 1 }

/** Options for reading a dump. */
export interface DumpOptions extends Omit<DecompressOptions, 'onFault' | 'limits'> {
  /** Those of XML; `maxRetained` bounds a page, or a revision where revisions are read, and `maxInput` the decompressed dump. */
  limits?: LimitOptions<XmlLimits> | undefined
  /**
   * Whether the source is a part of a dump that begins and ends anywhere, even in a page. Reading begins at the first page that begins in
   * it. The site is unknown, and so is what the beginning of the dump declares: prefixes, the default namespace, entities and defaults of attributes.
   * `RangeReader` and `readPageAt` read that too. Offsets, lines and columns in errors count from the start of the part.
   */
  isPart?: boolean | undefined
  /**
   * Gives the head of the dump that the source is a part of (`readHeadOf`); the part then ends with the dump.
   *
   * @internal
   */
  head?: (leaving: AbortSignal) => Promise<HeadBytes | undefined>
  /**
   * The offset in the decompressed dump from which on no page is to be read that begins there, as far as it is known.
   *
   * @internal
   */
  ownedUntil?: () => number
  /**
   * The offset in the part of the page with which reading begins, as soon as it is known. Without it, that is the first `<page>`.
   *
   * @internal
   */
  partStart?: () => number | undefined
  /**
   * The offset in the decompressed dump of the page with which reading begins. What is before it was read already: only its lines are counted.
   *
   * @internal
   */
  startOffset?: number
  /**
   * Whether to refuse everything that is not XML (default: false). Without it, bytes that are not UTF-8 and control characters are read as
   * `?`, U+FFFE and U+FFFF as U+FFFD, and an ampersand in the site description that does not begin a reference as itself. {@link
   * DumpReader.replaced} counts them.
   */
  strict?: boolean | undefined
  /**
   * Called with each error instead of throwing it: a `CompressionError`, an `XmlError`, or a `LimitError` for a page that is larger than
   * `maxRetained` or has elements deeper than `maxDepth`. The page or bzip2 block is skipped, and reading continues with the next page that can be found.
   */
  onFault?: ((error: ParseError | LimitError) => void) | undefined
}

const PUBLIC_OPTIONS: OptionKinds<Omit<DumpOptions, 'head' | 'ownedUntil' | 'partStart' | 'startOffset'>> = {
  ...DECOMPRESS_OPTIONS,
  isPart: 'boolean',
  strict: 'boolean',
}
/** With those of who reads parts. */
const DUMP_OPTIONS: OptionKinds<DumpOptions> = {
  ...PUBLIC_OPTIONS,
  head: 'function',
  ownedUntil: 'function',
  partStart: 'function',
  startOffset: 'any',
}

/**
 * Reads a dump as it is published: uncompressed, or compressed with gzip, bzip2 or zstd. The options of the stream cache apply to the
 * decompressed bytes; the high-water mark applies to the compressed bytes too. A page (or with `revisions`, a revision) larger than
 * `maxRetained` cannot be read.
 */
export function readDump(source: ByteSource, options: DumpOptions = {}): DumpReader {
  requireOptions(options, PUBLIC_OPTIONS)
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
  readonly #options: DumpOptions
  #cache: StreamCache | undefined
  /** Where reading begins; what is before it was not let go. */
  #start: Cursor | undefined
  #siteInfo: Promise<SiteInfo> | undefined
  #replaced = 0
  /** Offsets of characters that were replaced and may be after all that is to be read. */
  readonly #lateReplaced: number[] = []
  #bounds: PageBounds | undefined
  #collector: Collector<object> | undefined
  #isRead = false

  /** @internal */
  constructor(source: ByteSource, options: DumpOptions) {
    requireOptions(options, DUMP_OPTIONS)
    readXmlLimits(options.limits)
    const { onFault, highWaterMark, threads, startBit, onBlock, onStreamEnd } = options
    this.#options = options
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
    return this.#replaced
  }

  /** What was counted of the lines that were given out so far; empty if no lines are read. */
  get report(): Partial<DumpReport> {
    return this.#collector?.report?.data ?? {}
  }

  /**
   * The pages that were read, when all were read that are to be read; undefined before that.
   *
   * @internal
   */
  get bounds(): PageBounds | undefined {
    return this.#bounds
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
    return this.#read(() => new PageCollector(filter))
  }

  /**
   * Yields the pages as JSON lines in UTF-8, equal to `JSON.stringify` of what `pages` yields: the lines of many pages at once. Where possible,
   * they are made without JavaScript strings, which is several times as fast.
   */
  pageLines(filter: PageLineFilter = {}): Items<PageLines> {
    requireFilter(filter, PAGE_LINE_FILTER)
    return this.#read(() => new PageLineCollector(filter) as Collector<PageLines>)
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
    return this.#read(() => new RevisionCollector(filter))
  }

  /** Yields the revisions as JSON lines in UTF-8, equal to `JSON.stringify` of what `revisions` yields: the lines of many revisions at once. */
  revisionLines(filter: RevisionLineFilter = {}): Items<PageLines> {
    requireFilter(filter, REVISION_LINE_FILTER)
    return this.#read(() => new RevisionLineCollector(filter) as Collector<PageLines>)
  }

  /** Yields the positions of the pages in the order of the dump, without reading their content. */
  places(): Items<PagePlace> {
    return this.#read(() => new PlaceCollector())
  }

  /**
   * Yields where the pages begin and end, and nothing else of them: half of the time of `places`.
   *
   * @internal
   */
  pageStarts(): Items<Pick<PagePlace, 'start' | 'end'>> {
    return this.#read(() => new PageStartCollector())
  }

  /** Yields the log entries, in dumps of logs. */
  logItems(): Items<LogItem> {
    return this.#read(() => new LogItemCollector())
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

  #read<Item extends object>(makeCollector: () => Collector<Item>): Items<Item> {
    const batches = new CancellableGenerator(({ signal }) => this.#readBatches(makeCollector, signal))
    return new BatchedItems(batches, this.#options.signal)
  }

  /** The source is closed when the signal aborts. */
  async *#readBatches<Item extends object>(
    makeCollector: () => Collector<Item>,
    signal: AbortSignal,
  ): AsyncGenerator<Item[], void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('this dump is already being read; call readDump again'), 'dump-read')
    this.#isRead = true
    signal.addEventListener('abort', () => void this.close())
    const cursor = this.#open()
    const { ownedUntil, onFault } = this.#options
    const collector = makeCollector()
    this.#collector = collector
    if (ownedUntil) collector.ownedUntil = ownedUntil
    let isPart = this.#options.isPart ?? false
    const finish = function* (): Generator<Item[], void, undefined> {
      const items = collector.finish()
      if (items.length > 0) yield items
    }
    try {
      if (onFault) await cursor.fill(1)
      // Where the beginning is missing, the rest is a part.
      isPart ||= cursor.gaps.includes(0)
      const head = await this.#readHead(cursor, collector, isPart, signal)
      const isEnd = (error: unknown) => isPart && head.isUnknown && isEndOfPart(error, collector)
      const start = await this.#begin(cursor, head, isPart)
      const from = start && cursor.offset
      try {
        for await (const parser of start ? this.#run(cursor, collector, { head, start, isEnd }) : []) {
          const items = collector.take(parser.failedAt)
          parser.hold(collector.retainedFrom)
          if (items.length > 0) yield items
          if (collector.isOver) break
          this.#options.signal?.throwIfAborted()
        }
      } catch (error) {
        if (!isEnd(error)) throw error
      }
      yield* finish()
      const { overAt: to = Number.POSITIVE_INFINITY } = collector
      this.#replaced += this.#lateReplaced.filter((offset) => offset < to).length
      this.#bounds = { from, to: collector.overAt }
    } catch (error) {
      yield* finish()
      const isStart = error instanceof XmlError && !collector.hasRoot && !isPart
      throw isStart ? explainNoDump(error) : nameTooLarge(error, collector)
    } finally {
      // The source is closed when the loop is over. An error in closing must not hide the error that ended it.
      await this.close()
    }
  }

  /** The head of the dump, as far as it is wanted. The cursor is at the start. */
  async #readHead(
    cursor: Cursor,
    collector: Collector<object>,
    isPart: boolean,
    leaving: AbortSignal,
  ): Promise<DumpHead> {
    const { head, startOffset, onFault } = this.#options
    const isWanted = !isPart && (onFault || startOffset)
    const bytes = head ? await head(leaving) : isWanted ? await copyDumpHead(cursor) : undefined
    return new DumpHead(bytes, () => collector.hasRoot)
  }

  /** Moves the cursor to where reading begins. Returns what is read before that; undefined if there is no page. */
  async #begin(cursor: Cursor, head: DumpHead, isPart: boolean): Promise<Pick<RunOptions, 'head'> | undefined> {
    const { partStart, startOffset } = this.#options
    if (!isPart && !startOffset) return {}
    const { bytes } = head
    if (!isPart) {
      const { position: next, before } = await passTo(cursor, bytes.length, () => startOffset)
      // What is before was counted by those who have read it.
      this.#replaced = 0
      return { head: { bytes, next, before } }
    }
    const { position } = partStart ? await passTo(cursor, 0, partStart) : { position: START }
    const next = await findNext(cursor, PAGE_NAMES, position)
    return next && { head: { bytes, next } }
  }

  /** Runs parsers over the dump. */
  #run(
    cursor: Cursor,
    collector: Collector<object>,
    { head, start, isEnd }: { head: DumpHead; start: Pick<RunOptions, 'head'>; isEnd: (error: unknown) => boolean },
  ): AsyncGenerator<XmlParser, void, undefined> {
    const { strict, limits, onFault } = this.#options
    const options = {
      ...start,
      ignoresServer: true,
      // The cache counts all of the dump.
      limits: { ...limits, maxInput: undefined },
      onReplace: strict ? undefined : (offset: number) => this.#countReplaced(offset),
    }
    if (!onFault) return runParser(cursor, 'check', collector.begin(), options)
    const report = (error: XmlError | LimitError) => isEnd(error) || onFault(error)
    const recovery = new Recovery([], PAGE_NAMES, report)
    recovery.locate = (error) => nameTooLarge(error, collector)
    const place = { cursor, known: head }
    return runStretches(
      { openSource, runParser },
      [],
      'check',
      () => collector.begin(onFault),
      { ...options, ...place },
      recovery,
    )
  }

  #open(): Cursor {
    const { strict } = this.#options
    if (!this.#cache) {
      const bytes = strict || this.#options.isPart ? this.#source : repairHead(this.#source, () => this.#replaced++)
      const { highWaterMark, limits, idleTimeout, signal, copy } = this.#options
      const bounds = { maxRetained: limits?.maxRetained, maxInput: limits?.maxInput }
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
    const collector = new SiteInfoCollector()
    const projector = collector.begin()
    const onReplace = this.#options.strict ? undefined : () => {}
    try {
      for await (const parser of runParser(cursor, 'check', projector, { onReplace, ignoresServer: true })) {
        collector.take()
        parser.hold(projector.retainedFrom)
        if (collector.isOver) break
      }
    } catch (error) {
      if (collector.isOver) return collector.siteInfo
      throw error instanceof XmlError && !collector.hasRoot ? explainNoDump(error) : error
    } finally {
      cursor.release()
    }
    return collector.siteInfo
  }

  #countReplaced(offset: number): void {
    if (offset < (this.#options.ownedUntil?.() ?? Number.POSITIVE_INFINITY)) this.#replaced++
    else this.#lateReplaced.push(offset)
  }
}

/** Whether a part of a dump ends between two pages. */
function isEndOfPart(error: unknown, { isInRoot }: Collector<object>): boolean {
  return error instanceof XmlError && error.code === 'unexpected-end' && isInRoot
}

/** Where the first page begins that was looked at, and the first one that is not to be read; undefined where there is none. */
interface PageBounds {
  readonly from: number | undefined
  readonly to: number | undefined
}
