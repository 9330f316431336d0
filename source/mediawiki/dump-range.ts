// Ranges of a dump (xml/ranges/range.ts): its records are pages. In dumps `<page>` stands for nothing else, so a range finds its first page by a search, and
// its head is that of the dump.

import { LimitError } from '../stream/errors.ts'
import { readFrom, type Seekable } from '../stream/seekable.ts'
import { ParseError } from '../text/parse-error.ts'
import { guessCutsOf, verifyCutsOf } from '../xml/ranges/cuts.ts'
import { describeHead } from '../xml/ranges/head-facts.ts'
import { chooseCount, divide, findCodec, type RangeTarget } from '../xml/ranges/plan-ranges.ts'
import type { FileRange, RangeReport } from '../xml/ranges/range.ts'
import * as checking from '../xml/ranges/range-checker.ts'
import { RangeProgress } from '../xml/ranges/range-progress.ts'
import type { DumpOptions } from './dump-options.ts'
import { DumpReader, readDump } from './dump-reader.ts'
import { PAGE_NAMES, readHeadOf } from './head/dump-head.ts'

export type { FileRange as DumpRange, RangeReport } from '../xml/ranges/range.ts'

/** What records are called where ranges of dumps do not fit. */
export const PAGES = 'pages'

/**
 * Divides a file of `size` bytes into ranges of about `target` bytes, which may depend on the codec. Reads the beginning of the file to find out whether it can be
 * divided: in a dump that is not UTF-8, the start of a page cannot be found from the middle, and a head of more than 1 MiB is not read for each
 * range. Throws what reading the file throws.
 */
export async function planRanges(source: Seekable, size: number, target: RangeTarget): Promise<FileRange[]> {
  const codec = await findCodec(source)
  const count = chooseCount(codec, size, target)
  if (count === 1) return divide(codec, size, count)
  const head = await readHeadOf(source).catch((error: unknown) => {
    if (!(error instanceof LimitError)) throw error
  })
  if (!head) return [{ codec: 'other', start: 0, end: size }]
  const facts = await describeHead(head)
  return divide(codec, size, count).map((range) => ({ ...range, head: facts }))
}

/**
 * The ranges of `planRanges` with the places where they begin and end (`cut`), as they seem to be: at the first `<page>` after each cut. Reads and joins
 * like `guessCuts` of `xylem/xml/ranges`.
 */
export async function guessCuts(
  source: Seekable,
  ranges: readonly FileRange[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<FileRange[]> {
  return await guessCutsOf(source, ranges, PAGE_NAMES, { headLength: ranges[0]?.head?.length ?? 0, signal })
}

/**
 * The ranges of `planRanges` with the places where they begin and end (`cut`), found by reading them one after the other. A range in which no page begins
 * is joined with the one before. Throws what `readDump` throws, whose options these are.
 */
export async function verifyCuts(
  source: Seekable,
  ranges: readonly FileRange[],
  options: DumpOptions = {},
): Promise<FileRange[]> {
  return await verifyCutsOf(ranges, async (range, from) => {
    const ranged = new RangeReader(source, range, options, from)
    try {
      await check(ranged.reader)
    } catch (error) {
      if (from === 'start' || !(error instanceof ParseError)) throw error
      // Who reads from the beginning of the dump knows the line. What was reported before is not reported again.
      await check(readDump(readFrom(source, 0), { ...options, onFault: options.onFault && (() => {}) }))
      throw error
    }
    return ranged.report.to
  })
}

async function check(dump: DumpReader): Promise<void> {
  for await (const _ of dump.pageStarts().batches());
}

/** Checks the ranges of a dump, like `checkRanges` of `xylem/xml/ranges`. */
export function checkRanges(
  size: number,
  ranges: readonly (FileRange & RangeReport)[],
  options: { hasFaults?: boolean } = {},
): void {
  checking.checkRanges(size, ranges, { noun: PAGES, ...options })
}

/** Reads a range of a dump by the methods of `reader`. */
export class RangeReader {
  readonly reader: DumpReader
  /** @internal */
  readonly progress: RangeProgress

  /** `options` are the options of `readDump`. `from`: where the range begins, if that is known. */
  constructor(source: Seekable, range: FileRange, options: DumpOptions = {}, from = range.cut?.from) {
    const progress = new RangeProgress(range)
    this.progress = progress
    const { codec, start } = range
    const isPart = start > 0
    // In the head, what looks like a page stands in a comment.
    const headEnd = codec === 'none' ? (range.head?.length ?? 0) - start : 0
    const partStart = () => (typeof from === 'object' ? progress.offsetOf(from) : headEnd)
    const reading = { ...(codec !== 'other' && { isPart }), ...(codec === 'bzip2' && progress.options) }
    this.reader = new DumpReader(
      readFrom(source, start),
      { ...options, ...reading },
      {
        ...(isPart && { head: (leaving) => readHeadOf(source, options.signal, leaving, range.head) }),
        ...(isPart && { partStart }),
        range: progress,
      },
    )
  }

  /**
   * The report on the range. Throws a `TypeError` with the code `range-unread` if the range was not read to its end, and a `ParseError` with the code
   * `wrong-cut` if it did not begin or end where it was cut.
   */
  get report(): RangeReport {
    return this.progress.report
  }
}
