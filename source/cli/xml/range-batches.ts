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

/** What the ranges of a document have together. It can be sent to a worker. */
export interface BatchesSetup {
  readonly path: string
  readonly format: FormatName
  readonly question: SelectQuestion
}

/** A range that is to be read, and where the one before has ended, if that is proven. */
export interface RangeTask {
  readonly range: XmlRange
  readonly from?: Boundary | undefined
}

/** What reading a range has shown. */
export interface RangeBatches {
  readonly batches: Batch[]
  readonly report: RangeReport
  readonly counts: Partial<SelectedCounts>
  readonly skipped: Tally | undefined
  readonly samples: readonly FileSample[]
}

/** Why a range was not read: where it begins, as far as that is known. */
export interface FailedRange {
  readonly failedFrom: Boundary | undefined
}

/** Bytes of content that are read for a range: its batches are kept until those of the ranges before are written. */
const MOST_BYTES = 128 * 1024 * 1024

/** Bytes of the file that are read at once: of what is read ahead, a range does not need the last. */
const CHUNK_SIZE = 256 * 1024

/** Returns what reads ranges of a file. It gives no batches of a range in which anything is wrong, or that is too large. */
export function openBatches({ path, format, question }: BatchesSetup) {
  const source = new FileSource(path, { chunkSize: CHUNK_SIZE })
  const { xml } = question
  const limits = { ...xml?.limits, maxInput: MOST_BYTES }
  const opening = openReading(xml)
  return async ({ range, from }: RangeTask): Promise<RangeBatches | FailedRange> => {
    const records = new SelectedRecords(question, format)
    const skipped = countSkipped(path)
    const reader = readXmlRange(source, range, { ...(await opening), limits, from, onSkippedEntity: skipped.see })
    const read: ReadBatches = (shape, reading, more) => reader.writtenBatches(format, shape, reading, more)
    const batches: Batch[] = []
    try {
      for await (const batch of records.batches(read)) batches.push(batch)
    } catch (error) {
      if (!(error instanceof XylemError)) throw error
      return { failedFrom: reader.from }
    }
    if (findSkipped(skipped) && xml?.entities !== 'skip') return { failedFrom: reader.from }
    const { report } = reader
    const samples = source.takeSamples()
    return { batches, report, counts: records.report.data, skipped: skipped.data, samples }
  }
}
