// The records of a range of a dump as lines.

import { type DumpRange, RangeReader, type RangeReport } from '../../mediawiki/dump-range.ts'
import type { FileSample } from '../../stream/sources/file-state.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { Batch } from '../output/write-batches.ts'
import { type RecordCounts, type RecordRequest, readRecordLines, startReport } from './record-lines.ts'

/** What the ranges of a dump have together. It can be sent to a worker. */
export interface LinesSetup {
  readonly path: string
  readonly request: RecordRequest
}

/** What reading a range has shown. */
export interface RangeLines {
  readonly batches: Batch[]
  readonly counts: Partial<RecordCounts>
  /** Bytes of the decompressed dump from the first page of the range to that of the next; NaN where the dump ends. */
  readonly length: number
  readonly report: RangeReport
  readonly samples: readonly FileSample[]
}

/** Bytes of the decompressed dump that are read for a range: its lines are kept until those of the ranges before are written. */
const MOST_BYTES = 128 * 1024 * 1024

/** Bytes of the file that are read at once: of what is read ahead, a range does not need the last. */
const CHUNK_SIZE = 256 * 1024

/** Returns what reads ranges of a file. It gives undefined for a range in which anything is wrong, or that is too large. */
export function openLines({ path, request }: LinesSetup) {
  const source = new FileSource(path, { chunkSize: CHUNK_SIZE })
  const { strict, maxRetained } = request.question
  return async (range: DumpRange): Promise<RangeLines | undefined> => {
    const rangeReader = new RangeReader(source, range, { strict, limits: { maxRetained, maxInput: MOST_BYTES } })
    const { reader } = rangeReader
    const counts = await startReport(request)
    const batches: Batch[] = []
    try {
      for await (const batch of readRecordLines(reader, request, counts)) batches.push(batch)
    } catch {
      return undefined
    }
    const { from = Number.NaN, to = Number.NaN } = reader.bounds ?? {}
    const { report } = rangeReader
    return { batches, counts: counts.data, length: to - from, report, samples: source.takeSamples() }
  }
}
