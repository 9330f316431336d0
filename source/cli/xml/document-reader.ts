// Reading the records of a document: on one thread, or in ranges on several, with the same records in the same order, and the same errors.

import type { FormatName } from '../../record/format/index.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { planXmlRanges } from '../../xml/ranges/plan-ranges.ts'
import type { XmlRange } from '../../xml/ranges/range.ts'
import { isSamePlace, RangeChecker } from '../../xml/ranges/range-checker.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import { readXml } from '../../xml/reader.ts'
import type { BatchOptions } from '../../xml/readings/records.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import type { Batch } from '../output/write-batches.ts'
import { TaskPool } from '../workers/task-pool.ts'
import { type BatchesSetup, type FailedRange, openBatches, type RangeBatches, type RangeTask } from './range-batches.ts'
import type { ReadBatches, SelectedRecords, SelectQuestion } from './select-question.ts'

/** As many threads as this that decode bzip2 can be kept busy by one that parses. */
const BZIP2_THREADS = 4

export interface DocumentOptions {
  readonly question: SelectQuestion
  /** What the question is, and what is seen of its records. */
  readonly records: SelectedRecords
  readonly format: FormatName
  readonly jobs: number
  /** About how many bytes of a file a worker reads at once. */
  readonly rangeSize: number
  /** How many records are wanted. */
  readonly limit: number
  readonly signal: AbortSignal
  /** What reads the records of a document on this thread, and keeps it there. */
  readonly read?: BatchOptions['read']
}

/** How a document was read. */
export interface RangeUse {
  /** Ranges that were read by themselves, and are proven; 1 for a document that was not cut. */
  ranges: number
  /** Bytes of the file in ranges that were read again. */
  readAgain: number
}

/** What `--stats` says of it, in lines. */
export function describeUse({ ranges, readAgain }: RangeUse): string[] {
  return [`ranges used       ${ranges.toLocaleString('en')}`, `bytes read twice  ${readAgain.toLocaleString('en')}`]
}

/** One reading of a document. */
export class DocumentReader {
  readonly #input: OpenInput
  readonly #options: DocumentOptions
  readonly skipped = new SkippedEntities()
  readonly use: RangeUse = { ranges: 0, readAgain: 0 }

  constructor(input: OpenInput, options: DocumentOptions) {
    this.#input = input
    this.#options = options
  }

  /** The batches, in the order of the document; what `readXml` throws, after everything before. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const ranges = await this.#divide()
    if (ranges.length > 1) yield* this.#readRanges(ranges)
    else yield* this.#readAll()
  }

  /** The ranges that are read by workers; fewer than two where all is read on this thread. */
  async #divide(): Promise<XmlRange[]> {
    const { question, records, jobs, limit, rangeSize, read } = this.#options
    const { input } = this.#input
    const { fragment, limits, namespaces, encoding } = question.xml ?? {}
    // With a limit, little may be wanted.
    const isLimited = limit !== Number.POSITIVE_INFINITY || limits?.maxInput !== undefined
    if (read || jobs === 1 || fragment || isLimited || input.path === undefined || (input.size ?? 0) < 2 * rangeSize)
      return []
    const { path, prefixes } = question
    const source = new FileSource(input.path)
    const options = { target: rangeSize, prefixes, namespaces, encoding }
    const ranges = await planXmlRanges(source, input.size as number, path, options)
    const [{ codec }] = ranges as [XmlRange]
    const isCut = records.isForRanges(codec) && (codec !== 'bzip2' || jobs > BZIP2_THREADS)
    return isCut ? ranges : []
  }

  /** Reads ranges in workers. From the first range on in which something is wrong, this thread reads everything, and reports that. */
  async *#readRanges(ranges: readonly XmlRange[]): AsyncGenerator<Batch, void, undefined> {
    const { records, jobs, signal, format, question } = this.#options
    const { input, source } = this.#input
    const pool = new TaskPool<BatchesSetup, RangeTask, RangeBatches | FailedRange>({
      threads: Math.min(jobs, ranges.length),
      worker: new URL('./batches-worker.js', import.meta.url),
      setup: { path: input.path as string, format, question },
      open: openBatches,
    })
    // This thread reads the file along with the workers: for the progress, and because it must stay the same.
    const along = StreamCache.reusing(source, signal).cursor()
    const checker = new RangeChecker()
    try {
      await along.fill(1)
      const tasks = ranges.map((range): RangeTask => ({ range }))
      for await (const [{ range }, first] of pool.inOrder(tasks, signal)) {
        const isLast = range === ranges.at(-1)
        const result = await this.#prove(pool, checker, range, first, isLast)
        if (!result) {
          yield* this.#readRest(range, checker)
          return
        }
        records.add(result.sightings)
        this.skipped.merge(result.skipped)
        this.use.ranges++
        yield* result.batches
        while ((isLast || along.offset < range.end) && (await along.fill(1))) along.skip(along.available)
      }
    } finally {
      pool.close()
      along.release()
    }
  }

  /** What a range has, if that is proven; the range is read again where it began in another place than the one where the range before has ended. */
  async #prove(
    pool: TaskPool<BatchesSetup, RangeTask, RangeBatches | FailedRange>,
    checker: RangeChecker,
    range: XmlRange,
    first: RangeBatches | FailedRange,
    isLast: boolean,
  ): Promise<RangeBatches | undefined> {
    let result = first
    const from = checker.boundary
    const isInPlace =
      'report' in result ? checker.follows({ ...range, ...result.report }) : isSamePlace(result.failedFrom, from)
    if (!isInPlace) {
      this.use.readAgain += range.end - range.start
      result = await pool.do({ range, from })
    }
    if (!('report' in result)) return undefined
    try {
      checker.add({ ...range, ...result.report })
      if (isLast) checker.finish(range.end)
      return result
    } catch {
      return undefined
    }
  }

  async *#readAll(): AsyncGenerator<Batch, void, undefined> {
    const { records, question, limit, signal, format, read: readBatches } = this.#options
    const { path, prefixes, xml } = question
    const reader = readXml(this.#input.cache, { ...xml, onSkippedEntity: this.skipped.add, signal })
    const read: ReadBatches = (shape, reading, more) =>
      reader.writtenBatches(format, path, shape, { ...reading, prefixes }, { ...more, read: readBatches })
    this.use.ranges++
    yield* records.batches(read, limit)
  }

  /** Reads everything that is not proven to be in the ranges before. */
  async *#readRest(range: XmlRange, { boundary: from }: RangeChecker): AsyncGenerator<Batch, void, undefined> {
    const { records, question, signal, format } = this.#options
    const { input } = this.#input
    this.use.readAgain += range.end - range.start
    const all = { ...range, start: 0, end: input.size as number }
    const options = { ...question.xml, signal, from, onSkippedEntity: this.skipped.add }
    const reader = readXmlRange(input.open(signal) as FileSource, all, options)
    yield* records.batches((shape, reading, more) => reader.writtenBatches(format, shape, reading, more))
  }
}
