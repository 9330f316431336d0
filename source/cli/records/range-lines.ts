// The records of a range of a dump as lines.

import { type DumpRange, RangeReader, type RangeReport } from '../../mediawiki/dump-range.ts'
import type { FileSample } from '../../stream/sources/file-state.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { Batch } from '../output/write-batches.ts'
import { type RecordCounts, type RecordRequest, readRecordLines, startReport } from './record-lines.ts'

export interface LinesSetup {
  readonly kind: 'lines'
  readonly path: string
  readonly request: RecordRequest
}

/** What reading a range has shown, after its batches. */
export interface RangeEnd {
  readonly counts: Partial<RecordCounts>
  /** Bytes of the decompressed dump from the first page of the range to that of the next; NaN where the dump ends. */
  readonly length: number
  readonly report: RangeReport
  readonly samples: readonly FileSample[]
}

/** Bytes of the decompressed dump that are read for a range: its lines are kept until it is proven. */
const MOST_BYTES = 128 * 1024 * 1024

/** Bytes of the file that are read at once: of what is read ahead, a range does not need the last. */
const CHUNK_SIZE = 256 * 1024

/** Returns what reads ranges of a file. A range in which anything is wrong, or that is too large, has no end. */
export function open({ path, request }: LinesSetup) {
  const source = new FileSource(path, { chunkSize: CHUNK_SIZE })
  const { strict, maxRetained } = request.question
  return async function* (range: DumpRange): AsyncGenerator<Batch | RangeEnd, void, undefined> {
    const rangeReader = new RangeReader(source, range, { strict, limits: { maxRetained, maxInput: MOST_BYTES } })
    const { reader } = rangeReader
    const counts = await startReport(request)
    try {
      yield* readRecordLines(reader, request, counts)
    } catch {
      return
    }
    const { from = Number.NaN, to = Number.NaN } = reader.bounds ?? {}
    const { report } = rangeReader
    yield { counts: counts.data, length: to - from, report, samples: source.takeSamples() }
  }
}
