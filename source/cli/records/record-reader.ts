// Reading the records of a dump: on one thread, or in ranges on several, with the same lines in the same order, and the same errors.

import { type DumpRange, planRanges, type RangeReport } from '../../mediawiki/dump-range.ts'
import { DumpReader } from '../../mediawiki/dump-reader.ts'
import type { LimitError } from '../../stream/errors.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import type { ParseError } from '../../text/parse-error.ts'
import type { RangeTarget } from '../../xml/ranges/plan-ranges.ts'
import { RangeChecker } from '../../xml/ranges/range-checker.ts'
import type { Batch } from '../output/write-batches.ts'
import { makeRangePool } from '../workers/range-pool.ts'
import { areRangesWorth, cutFirst, isCodecCut } from '../workers/range-sizes.ts'
import { makeFaultHandler } from './fault-handler.ts'
import type { LinesSetup, RangeEnd } from './range-lines.ts'
import { type RecordReport, type RecordRequest, readRecordLines, startReport } from './record-lines.ts'
import { asksForSiteInfo, needsNamespaces, resolveQuestion } from './resolve-question.ts'

export interface RecordReaderOptions {
  /** The file that the source reads; undefined where it reads none. */
  readonly file?: { readonly path: string; readonly size: number } | undefined
  /** Threads that decompress, and as many that parse; with 1 it is this one. */
  readonly jobs: number
  /** About how many bytes of a file a worker reads at once. */
  readonly rangeSize: RangeTarget
  readonly maxInput?: number | undefined
  /** Called for each error that is skipped. */
  readonly onFault: (error: ParseError | LimitError) => void
  readonly highWaterMark: number
  readonly signal: AbortSignal
}

/** One reading of a dump. */
export class RecordReader {
  readonly #source: ByteSource
  readonly #request: RecordRequest
  readonly #options: RecordReaderOptions
  #pool: { close(): void } | undefined
  /** Reads on this thread. */
  #reader: DumpReader | undefined
  /** What was counted; undefined before records are read. */
  report: RecordReport | undefined
  /** How far others have read the file; undefined where the source knows it. */
  #passed: number | undefined

  /** `request` may name namespaces, and titles in any of their forms. */
  constructor(source: ByteSource, request: RecordRequest, options: RecordReaderOptions) {
    this.#source = source
    this.#request = request
    this.#options = options
  }

  /** How much of the file was read, where the source does not know it. */
  get bytesRead(): number | undefined {
    return this.#passed
  }

  /** The records in batches of the format; what `DumpReader` throws, after everything before. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const ranges = await this.#divide()
    const startOffset = ranges.length > 1 ? yield* this.#readRanges(ranges) : 0
    if (startOffset === undefined) return
    const reader = this.#open(startOffset)
    this.#passed = undefined
    const [request, report] = await this.#begin(reader)
    if (ranges.length < 2) report.add({ ranges: 1 })
    yield* readRecordLines(reader, request, report)
  }

  async close(): Promise<void> {
    this.#pool?.close()
    await this.#reader?.close()
  }

  /** The ranges that are read by workers; fewer than two where all is read on this thread. */
  async #divide(): Promise<readonly DumpRange[]> {
    const { file, jobs, rangeSize, maxInput } = this.#options
    const request = this.#request
    // With a limit, little may be wanted; and if blocks are missing, the cuts would have to be known.
    const isLimited = request.limit !== undefined || maxInput !== undefined || request.question.onError === 'skip-block'
    const isSlow = request.verify === true
    if (!file || isLimited || !areRangesWorth(file.size, { jobs, rangeSize, isSlow })) return []
    const source = this.#source instanceof FileSource ? this.#source : new FileSource(file.path)
    const ranges = await planRanges(source, file.size, rangeSize)
    const isCut = ranges[0]?.head && isCodecCut(ranges[0].codec, jobs)
    return isCut ? cutFirst(ranges) : []
  }

  /**
   * Reads ranges in workers. Returns the offset of the first page that is not read: from the first range on whose lines cannot simply follow
   * those before, one thread reads everything, and reports what is wrong. Undefined where all pages are read.
   */
  async *#readRanges(ranges: readonly DumpRange[]): AsyncGenerator<Batch, number | undefined, undefined> {
    const { file, jobs, signal } = this.#options
    const reader = this.#open(0)
    const [request, report] = await this.#begin(reader)
    await reader.close()
    this.#reader = undefined
    const setup: LinesSetup = { kind: 'lines', path: file?.path as string, request }
    const threads = Math.min(jobs, ranges.length) - 1
    const pool = makeRangePool<DumpRange, Batch | RangeEnd>(setup, { threads, helps: true, signal })
    this.#pool = pool
    // Whoever hashes the file reads it along with the workers.
    const source = this.#source
    const along = source instanceof FileSource ? undefined : StreamCache.reusing(source, signal).cursor()
    const checker = new RangeChecker()
    let offset = 0
    try {
      await along?.fill(1)
      for await (const [range, pieces] of pool.inOrder(ranges, signal)) {
        const parts = pieces.flat()
        const isLast = range === ranges.at(-1)
        const result = parts.pop()
        if (!result || !('report' in result) || !follows(checker, { ...range, ...result.report }, isLast)) {
          report.add({ readAgain: range.end - range.start })
          return offset
        }
        report.add({ ...result.counts, ranges: 1 })
        if (source instanceof FileSource) source.addSamples(result.samples)
        offset += result.length
        yield* parts as Batch[]
        if (along) while ((isLast || along.offset < range.end) && (await along.fill(1))) along.skip(along.available)
        else this.#passed = range.end
      }
      // The source has seen what the file was at first: it must still be that.
      if (source instanceof FileSource) for await (const _ of source.from(file?.size ?? 0));
    } finally {
      pool.close()
      along?.release()
    }
    return undefined
  }

  #open(startOffset: number): DumpReader {
    const { jobs, maxInput, highWaterMark, signal } = this.#options
    const { strict, maxRetained, onError } = this.#request.question
    const onFault = makeFaultHandler(onError, this.#options.onFault)
    const limits = { maxRetained, maxInput }
    const options = { threads: jobs, strict, signal, highWaterMark, limits, onFault, startOffset }
    this.#reader = new DumpReader(this.#source, options)
    return this.#reader
  }

  async #begin(reader: DumpReader): Promise<[RecordRequest, RecordReport]> {
    const request = await this.#resolve(reader)
    this.report ??= await startReport(request)
    return [request, this.report]
  }

  /** The request with namespaces by their numbers, and titles of the wiki. */
  async #resolve(reader: DumpReader): Promise<RecordRequest> {
    const { question } = this.#request
    if (!asksForSiteInfo(question)) return { ...this.#request, question: resolveQuestion(question, undefined) }
    // Without names of namespaces, those who read the pages report what is wrong with the beginning.
    const siteInfo = await (needsNamespaces(question) ? reader.siteInfo : reader.siteInfo.catch(() => undefined))
    return { ...this.#request, question: resolveQuestion(question, siteInfo) }
  }
}

/** Whether a range continues where the one before ended, and the last one ends with the dump. */
function follows(checker: RangeChecker, range: DumpRange & RangeReport, isLast: boolean): boolean {
  try {
    checker.add(range)
    if (isLast) checker.finish(range.end)
    return true
  } catch {
    return false
  }
}
