// Reading the records of a document: on one thread, or in ranges on several, with the same records in the same order, and the same errors.

import type { FormatName } from '../../record/format/index.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { planXmlRanges, type RangeTarget } from '../../xml/ranges/plan-ranges.ts'
import type { XmlRange } from '../../xml/ranges/range.ts'
import { isSamePlace, RangeChecker } from '../../xml/ranges/range-checker.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import type { BatchOptions } from '../../xml/readings/records.ts'
import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { countSkipped } from '../inputs/skipped-entities.ts'
import { openReaders, openReading } from '../inputs/xml-readers.ts'
import { type Batch, recordsIn } from '../output/write-batches.ts'
import { makeRangePool } from '../workers/range-pool.ts'
import { areRangesWorth, cutFirst, isCodecCut } from '../workers/range-sizes.ts'
import type { BatchesSetup, FailedRange, RangeEnd, RangeTask } from './range-batches.ts'
import type { ReadBatches, SelectedRecords, SelectQuestion } from './select-question.ts'

export interface DocumentOptions {
  readonly question: SelectQuestion
  /** What the question is, and what is seen of its records. */
  readonly records: SelectedRecords
  readonly format: FormatName
  readonly jobs: number
  /** About how many bytes of a file a worker reads at once. */
  readonly rangeSize: RangeTarget
  /** How many records are wanted. */
  readonly limit: number
  readonly signal: AbortSignal
  /** What reads the records of a document on this thread, and keeps it there. */
  readonly read?: BatchOptions['read']
}

/** What a task gives: its batches, and then what reading them has shown. */
type RangePart = Batch | RangeEnd | FailedRange

/** One reading of a document. */
export class DocumentReader {
  readonly #input: OpenInput
  readonly #options: DocumentOptions
  readonly skipped: ReturnType<typeof countSkipped>
  /** What was left out because of errors. */
  readonly left: SkippedRecords = { errors: 0, records: 0, bytes: 0 }

  constructor(input: OpenInput, options: DocumentOptions) {
    this.#input = input
    this.skipped = countSkipped(input.name)
    this.#options = options
  }

  /** The batches, in the order of the document; what `readXml` throws, after everything before. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const { source } = this.#input
    const isCut = source instanceof FileSource && !this.#options.read
    const ranges = isCut ? await this.#divide(source) : []
    if (ranges.length > 1) yield* this.#readRanges(ranges, source as FileSource)
    else yield* this.#readAll()
  }

  /** The ranges that are read by workers; fewer than two where all is read on this thread. */
  async #divide(source: FileSource): Promise<readonly XmlRange[]> {
    const { question, records, jobs, limit, rangeSize } = this.#options
    const { input } = this.#input
    const { fragment, documents, limits, namespaces, encoding } = question.xml ?? {}
    // With a limit, little may be wanted.
    const isLimited =
      limit !== Number.POSITIVE_INFINITY || limits?.maxInput !== undefined || question.onError === 'skip-block'
    if (
      fragment ||
      documents ||
      isLimited ||
      input.path === undefined ||
      !areRangesWorth(input.size ?? 0, { jobs, rangeSize })
    )
      return []
    const { path, prefixes } = question
    const options = { target: rangeSize, prefixes, namespaces, encoding }
    const ranges = await planXmlRanges(source, input.size as number, path, options)
    const [{ codec }] = ranges as [XmlRange]
    const isCut = records.isForRanges(codec) && isCodecCut(codec, jobs)
    return isCut ? cutFirst(ranges) : []
  }

  /** Reads ranges in workers. From the first range on in which something is wrong, this thread reads everything, and reports that. */
  async *#readRanges(ranges: readonly XmlRange[], source: FileSource): AsyncGenerator<Batch, void, undefined> {
    const { records, jobs, signal, format, question } = this.#options
    const { input } = this.#input
    const setup: BatchesSetup = { kind: 'batches', path: input.path as string, format, question }
    const threads = Math.min(jobs, ranges.length) - 1
    const pool = makeRangePool<RangeTask, RangePart>(setup, { threads, helps: true, signal })
    const checker = new RangeChecker()
    try {
      const tasks = ranges.map((range): RangeTask => ({ range }))
      for await (const [{ range }, pieces] of pool.inOrder(tasks, signal)) {
        const isLast = range === ranges.at(-1)
        const first = pieces.flat()
        // A range that has begun in another place than the one where the range before has ended is read again.
        const isInPlace = this.#isInPlace(range, first, checker)
        const again = isInPlace ? undefined : pool.beginHere({ range, from: checker.boundary })
        const parts = again ? (await pool.rest(again)).flat() : first
        const result = prove(range, parts.pop(), checker, isLast)
        if (!result) {
          yield* this.#readRest(range, checker)
          return
        }
        source.addSamples(result.samples)
        records.report.add(result.counts)
        records.report.add({ ranges: 1 })
        if (result.skipped) this.skipped.add(result.skipped)
        yield* parts as Batch[]
        this.#input.pass(range.end)
      }
      // The source has seen what the file was at first: it must still be that.
      for await (const _ of source.from(input.size as number));
    } finally {
      pool.close()
    }
  }

  #isInPlace(range: XmlRange, parts: readonly RangePart[], checker: RangeChecker): boolean {
    const end = parts.at(-1) as RangePart
    const isInPlace =
      'report' in end
        ? checker.follows({ ...range, ...end.report })
        : 'failedFrom' in end && isSamePlace(end.failedFrom, checker.boundary)
    if (!isInPlace) this.#options.records.report.add({ readAgain: range.end - range.start })
    return isInPlace
  }

  async *#readAll(): AsyncGenerator<Batch, void, undefined> {
    const { records, question, limit, signal, format, read: readBatches } = this.#options
    const { path, prefixes, xml = {} } = question
    const options = { ...(await openReading(xml, this.skipped.see)), signal }
    const { cache } = this.#input
    const found = this.left
    async function* read(...[shape, reading, more]: Parameters<ReadBatches>): ReturnType<ReadBatches> {
      const { limit: most = Number.POSITIVE_INFINITY, ...others } = more
      let left = most
      for await (const reader of openReaders(cache, xml, options)) {
        const written = { ...others, limit: left, read: readBatches }
        const batches = reader.writtenBatches(format, path, shape, { ...reading, prefixes }, written)
        for await (const batch of batches as AsyncGenerator<Batch>) {
          left -= recordsIn(batch)
          yield batch
        }
        Object.assign(found, reader.skipped)
        if (left <= 0) return
      }
    }
    records.report.add({ ranges: 1 })
    yield* records.batches(read, limit)
  }

  /** Reads everything that is not proven to be in the ranges before. */
  async *#readRest(range: XmlRange, { boundary: from }: RangeChecker): AsyncGenerator<Batch, void, undefined> {
    const { records, question, signal, format } = this.#options
    records.report.add({ readAgain: range.end - range.start })
    const all = { ...range, start: 0, end: this.#input.input.size as number }
    const options = { ...(await openReading(question.xml, this.skipped.see)), signal, from }
    const reader = readXmlRange(this.#input.source as FileSource, all, options)
    yield* records.batches((shape, reading, more) => reader.writtenBatches(format, shape, reading, more))
    Object.assign(this.left, reader.skipped)
  }
}

/** What reading a range has shown, if it is proven to begin and to end in the right places. */
function prove(
  range: XmlRange,
  end: RangePart | undefined,
  checker: RangeChecker,
  isLast: boolean,
): RangeEnd | undefined {
  if (!end || !('report' in end)) return undefined
  try {
    checker.add({ ...range, ...end.report })
    if (isLast) checker.finish(range.end)
    return end
  } catch {
    return undefined
  }
}
