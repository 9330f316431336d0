// The records of a range of a document, in the batches of a format.

import type { FormatName } from '../../record/format/index.ts'
import type { Tally } from '../../record/report.ts'
import type { FileSample } from '../../stream/sources/file-state.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { XylemError } from '../../stream/xylem-error.ts'
import type { Boundary, RangeReport, XmlRange } from '../../xml/ranges/range.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import { countSkipped, findSkipped } from '../inputs/skipped-entities.ts'
import { openReading } from '../inputs/xml-readers.ts'
import type { Batch } from '../output/write-batches.ts'
import { type ReadBatches, type SelectedCounts, SelectedRecords, type SelectQuestion } from './select-question.ts'

export interface BatchesSetup {
  readonly kind: 'batches'
  readonly path: string
  readonly format: FormatName
  readonly question: SelectQuestion
}

/** A range that is to be read, and where the one before has ended, if that is proven. */
export interface RangeTask {
  readonly range: XmlRange
  readonly from?: Boundary | undefined
}

/** What reading a range has shown, after its batches. */
export interface RangeEnd {
  readonly report: RangeReport
  readonly counts: Partial<SelectedCounts>
  readonly skipped: Tally | undefined
  readonly samples: readonly FileSample[]
}

/** What comes instead where a range was not read to its end: where it begins, as far as that is known. */
export interface FailedRange {
  readonly failedFrom: Boundary | undefined
}

/** Bytes of content that are read for a range: its batches are kept until it is proven. */
const MOST_BYTES = 128 * 1024 * 1024

/** A range with an error is read by the thread that reports it. */
function refuse(error: Error): never {
  throw error
}

/** Bytes of the file that are read at once: of what is read ahead, a range does not need the last. */
const CHUNK_SIZE = 256 * 1024

/** Returns what reads ranges of a file. A range in which anything is wrong, or that is too large, fails. */
export function open({ path, format, question }: BatchesSetup) {
  const source = new FileSource(path, { chunkSize: CHUNK_SIZE })
  const { xml } = question
  const limits = { ...xml?.limits, maxInput: MOST_BYTES }
  const opening = openReading(xml)
  return async function* ({ range, from }: RangeTask): AsyncGenerator<Batch | RangeEnd | FailedRange, void, undefined> {
    const records = new SelectedRecords(question, format, refuse)
    const skipped = countSkipped(path)
    const reader = readXmlRange(source, range, { ...(await opening), limits, from, onSkippedEntity: skipped.see })
    const read: ReadBatches = (shape, reading, more) => reader.writtenBatches(format, shape, reading, more)
    try {
      yield* records.batches(read)
    } catch (error) {
      if (!(error instanceof XylemError)) throw error
      yield { failedFrom: reader.from }
      return
    }
    if (findSkipped(skipped) && xml?.entities !== 'skip') {
      yield { failedFrom: reader.from }
      return
    }
    const { report } = reader
    const samples = source.takeSamples()
    yield { report, counts: records.report.data, skipped: skipped.data, samples }
  }
}
