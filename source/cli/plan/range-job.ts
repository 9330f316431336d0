// Reading one range of a plan: its records as lines, and what was seen.

import { createHash } from 'node:crypto'
import { RangeReader, type RangeReport } from '../../mediawiki/dump-range.ts'
import type { Seen } from '../../mediawiki/lines/sightings.ts'
import { formatBatches } from '../../record/format-batches.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { InputError } from '../errors/errors.ts'
import { addFormats } from '../inputs/added-formats.ts'
import { BYTE_ORDER_MARK, openWriter } from '../output/record-output.ts'
import { describeSkipped, makeFaultHandler } from '../records/fault-handler.ts'
import { formatFieldsOf } from '../records/record-format.ts'
import { readRecordLines } from '../records/record-lines.ts'
import { formatOf, type PlannedRange, requireUnchanged } from './plan.ts'

/** What reading a range has shown: the last line of what `xylem read` prints. */
export interface RangeTrailer extends RangeReport {
  /** The range's id. */
  readonly range: string
  /** Lines, and pages that they are about. */
  readonly records: number
  readonly pages: number
  /** Ids of the first and the last page that has a number as its id; absent when there is none. */
  readonly firstPage?: number
  readonly lastPage?: number
  /** What was seen of the lists of the question, by places in them; absent where it has none. */
  readonly seen?: Seen
  /** Characters that were replaced, and errors that were skipped. */
  readonly replaced: number
  readonly faults: number
  /** Bytes of the lines, and their SHA-256 in hexadecimal. */
  readonly bytes: number
  readonly digest: string
}

export interface RangeJobOptions {
  readonly jobs: number
  readonly signal: AbortSignal
  /** Called for each error that is skipped. */
  readonly tell: (text: string) => void
}

/**
 * The lines of a range in pieces; it returns the trailer. Throws an `InputChanged` when the file is not what it was, and an `InputError`
 * for its errors.
 */
export async function* readRange(
  range: PlannedRange,
  { jobs, signal, tell }: RangeJobOptions,
): AsyncGenerator<Uint8Array, RangeTrailer, undefined> {
  addFormats()
  await requireUnchanged(range)
  const { question } = range
  const hash = createHash('sha256')
  const counts = { records: 0, pages: 0, faults: 0, bytes: 0 }
  let firstPage: number | undefined
  let lastPage: number | undefined
  let seen: Seen | undefined
  // What an error says of its place counts from where the range begins.
  const name = range.start === 0 ? range.file : `${range.file}, in the range that starts at byte ${range.start}`
  const onFault = makeFaultHandler(question.onError, (error) => {
    counts.faults++
    tell(describeSkipped(name, error))
  })
  const rangeReader = new RangeReader(new FileSource(range.file), range, {
    signal,
    threads: jobs,
    strict: question.strict,
    limits: { maxRetained: question.maxRetained },
    ...(onFault && { onFault }),
  })
  const format = formatOf(range)
  const { kind } = range
  const fields = await formatFieldsOf(kind, format, question.fields)
  async function* readBatches(): AsyncGenerator<unknown, void, undefined> {
    for await (const batch of readRecordLines(rangeReader.reader, { kind, format, question })) {
      for (const lines of batch) {
        counts.records += lines.records
        counts.pages += lines.pages
        firstPage ??= knownId(lines.firstPage)
        lastPage = knownId(lines.lastPage) ?? lastPage
        seen = lines.seen ?? seen
        yield* lines.batches
      }
    }
  }
  const writer = await openWriter(format, fields, { isSafe: question.csvSafe ?? false })
  async function* readBytes(): AsyncGenerator<Uint8Array, void, undefined> {
    if (question.bom) yield BYTE_ORDER_MARK
    yield* formatBatches(writer, readBatches())
  }
  try {
    for await (const bytes of readBytes()) {
      counts.bytes += bytes.length
      hash.update(bytes)
      yield bytes
    }
  } catch (error) {
    throw new InputError(name, error)
  }
  // What was read may be a mixture of what was there before and after a change.
  await requireUnchanged(range)
  return {
    range: range.id,
    ...counts,
    ...(firstPage !== undefined && { firstPage }),
    ...(lastPage !== undefined && { lastPage }),
    ...(seen && { seen }),
    replaced: rangeReader.reader.replaced,
    digest: hash.digest('hex'),
    ...rangeReader.report,
  }
}

/** An id that is a number: one that is not asked for may be something else. */
function knownId(id: number): number | undefined {
  return Number.isNaN(id) ? undefined : id
}
