// Reading a MediaWiki XML dump.

import { breathe } from '../async/breathe.ts'
import { decompress } from '../compression/decompress.ts'
import { withCode } from '../stream/errors.ts'
import type { ByteSource, Progress, ReportsProgress } from '../stream/source.ts'
import { StreamCache, type StreamCacheOptions } from '../stream/stream-cache.ts'
import { XmlError } from '../xml/errors.ts'
import { runParser } from '../xml/run.ts'
import type { Page } from './page.ts'
import { PageCollector } from './page-collector.ts'

/**
 * Reads a dump as it is published: plain, or compressed with gzip or bzip2. The options are those of the cache that pools the
 * decompressed bytes, and its high-water mark is that of the compressed ones, too. A page larger than `maxRetained` cannot be read.
 */
export function readDump(source: ByteSource, options?: StreamCacheOptions): DumpReader {
  return new DumpReader(decompress(source, { highWaterMark: options?.highWaterMark }), options)
}

/**
 * One reading of a dump. Leaving a loop closes the source. A dump is read once, by one of the two methods: a second reading throws a
 * `TypeError` with the code `dump-read`.
 */
export class DumpReader implements ReportsProgress {
  readonly #source: ByteSource & ReportsProgress
  readonly #options: StreamCacheOptions | undefined
  #isRead = false

  /** @internal */
  constructor(source: ByteSource & ReportsProgress, options: StreamCacheOptions | undefined) {
    this.#source = source
    this.#options = options
  }

  /** How much of the source, in its own (compressed) bytes, has been read. */
  get progress(): Progress {
    return this.#source.progress
  }

  /**
   * The pages in the order of the dump.
   *
   * Throws, after all pages before the fault, a `ParseError` where the dump is not well-formed or not complete, and a
   * `SourceError` where the source fails; its `cause` is a `CompressionError` when the archive is at fault.
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for await (const pages of this.batches()) {
      for (const page of pages) {
        if (this.#options?.signal?.aborted) break // the next batch throws
        yield page
        // Whoever works through a batch for long must let the event loop turn, too.
        const turn = breathe()
        if (turn) await turn
      }
    }
  }

  /** The same in arrays, each of what can be had without waiting: one await a batch instead of one a page. */
  async *batches(): AsyncGenerator<Page[], void, undefined> {
    if (this.#isRead)
      throw withCode(new TypeError('this dump is being read or was read: call readDump again'), 'dump-read')
    this.#isRead = true
    const cache = StreamCache.from(this.#source, this.#options)
    const collector = new PageCollector()
    const limits = this.#options?.maxRetained === undefined ? {} : { maxRetained: this.#options.maxRetained }
    try {
      for await (const _ of runParser(cache, 'document', collector, { limits })) {
        const pages = collector.take()
        if (pages.length > 0) yield pages
        if (this.#options?.signal?.aborted) cache.throwIfFailed()
      }
    } catch (error) {
      throw error instanceof XmlError && !collector.hasRoot ? explainNoDump(error) : error
    } finally {
      // The source is closed when the loop is over. A fault in closing must not hide the fault that ended it.
      await cache.cancel().catch(() => {})
    }
  }
}

/** What is no XML before its root begins is most probably no dump. */
function explainNoDump({ detail, code, byteOffset, line, column, excerpt }: XmlError): XmlError {
  const message = `this is not a MediaWiki dump: ${detail}`
  return new XmlError(message, { code, byteOffset, line, column, excerpt })
}
