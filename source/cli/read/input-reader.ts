// Reading the records of an input: on one thread, or in ranges on several, with the same records in the same order, and the same errors.

import { FileSource } from '../../stream/sources/node.ts'
import type { RangeTarget } from '../../xml/ranges/plan-ranges.ts'
import { isSamePlace, RangeChecker } from '../../xml/ranges/range-checker.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import type { Batch } from '../output/write-batches.ts'
import type { Asked, Proven, Range, ReadOptions } from './question.ts'
import type { BatchesSetup, RangeEnd, RangePart, RangeTask } from './range-batches.ts'
import { makeRangePool } from './range-pool.ts'
import { areRangesWorth, cutFirst, isCodecCut } from './range-sizes.ts'

export interface InputOptions extends Omit<ReadOptions, 'after'> {
  /** About how many bytes of a file a worker reads at once. */
  readonly rangeSize: RangeTarget
}

/** One reading of an input. */
export class InputReader {
  readonly #input: OpenInput
  readonly #asked: Asked
  readonly #options: InputOptions

  /** The question is of this input alone: what is seen of its records is in its report. */
  constructor(input: OpenInput, asked: Asked, options: InputOptions) {
    this.#input = input
    this.#asked = asked
    this.#options = options
  }

  /** The batches, in the order of the input; what its reader throws, after everything before. */
  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const { source } = this.#input
    const ranges = source instanceof FileSource ? await this.#divide(source) : []
    const after = ranges.length > 1 ? yield* this.#readRanges(ranges, source as FileSource) : undefined
    if (after === 'all') return
    this.#input.pass(undefined)
    yield* this.#asked.read(this.#input, { ...this.#options, after })
  }

  /** The ranges that are read by workers; fewer than two where all is read on this thread. */
  async #divide(source: FileSource): Promise<readonly Range[]> {
    const { jobs, limit = Number.POSITIVE_INFINITY, rangeSize, signal } = this.#options
    const { isWhole, request } = this.#asked
    const { path, size = 0 } = this.#input.input
    // With a limit, little may be wanted; and if blocks are missing, the cuts would have to be known.
    const isLimited = isWhole || limit !== Number.POSITIVE_INFINITY || request.question.onError === 'skip-block'
    const isSlow = request.verify === true
    if (isLimited || path === undefined || !areRangesWorth(size, { jobs, rangeSize, isSlow })) return []
    const ranges = await (await this.#asked.divide(source, size, { signal })).plan(rangeSize)
    const [{ codec, head }] = ranges as [Range]
    const isCut = head && this.#asked.whyNotInRanges(codec) === undefined && isCodecCut(codec, jobs)
    return isCut ? cutFirst(ranges) : []
  }

  /** Reads ranges in workers, up to the first one in which something is wrong: this thread reads everything after those before, and reports that. */
  async *#readRanges(ranges: readonly Range[], source: FileSource): AsyncGenerator<Batch, Proven | 'all', undefined> {
    const { jobs, signal } = this.#options
    const input = this.#input
    const { size, path } = input.input as { size: number; path: string }
    await this.#asked.resolve(input, this.#options)
    const { report, request } = this.#asked
    const setup: BatchesSetup = { kind: 'batches', path, request }
    const threads = Math.min(jobs, ranges.length) - 1
    const pool = makeRangePool<RangeTask, RangePart>(setup, { threads, helps: true, signal })
    const checker = new RangeChecker()
    let length = 0
    try {
      const tasks = ranges.map((range): RangeTask => ({ range }))
      for await (const [{ range }, pieces] of pool.inOrder(tasks, signal)) {
        const isLast = range === ranges.at(-1)
        let parts = pieces.flat()
        // A range that has begun in another place than the one where the range before has ended is read again.
        if (!this.#isInPlace(range, parts, checker))
          parts = (await pool.rest(pool.beginHere({ range, from: checker.boundary }))).flat()
        const result = prove(range, parts.pop(), checker, isLast)
        if (!result) {
          report.add({ readAgain: range.end - range.start })
          return { range, boundary: checker.boundary, length }
        }
        source.addSamples(result.samples)
        report.add({ ...result.counts, ranges: 1 })
        length += result.length
        yield* parts as Batch[]
        input.pass(range.end)
      }
      // The source has seen what the file was at first: it must still be that.
      for await (const _ of source.from(size));
    } finally {
      pool.close()
    }
    return 'all'
  }

  #isInPlace(range: Range, parts: readonly RangePart[], checker: RangeChecker): boolean {
    // Pages begin where they seem to.
    if (this.#asked.request.question.kind !== 'records') return true
    const end = parts.at(-1) as RangePart
    const isInPlace =
      'report' in end
        ? checker.follows({ ...range, ...end.report })
        : 'failedFrom' in end && isSamePlace(end.failedFrom, checker.boundary)
    if (!isInPlace) this.#asked.report.add({ readAgain: range.end - range.start })
    return isInPlace
  }
}

/** What reading a range has shown, if it is proven to begin and to end in the right places. */
function prove(range: Range, end: RangePart | undefined, checker: RangeChecker, isLast: boolean): RangeEnd | undefined {
  if (!end || !('report' in end)) return undefined
  try {
    checker.add({ ...range, ...end.report })
    if (isLast) checker.finish(range.end)
    return end
  } catch {
    return undefined
  }
}
