// The records of a range of a file, in the batches of a format.

import type { FileSample } from '../../stream/sources/file-state.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { XylemError } from '../../stream/xylem-error.ts'
import type { Boundary, RangeReport } from '../../xml/ranges/range.ts'
import type { Batch } from '../output/write-batches.ts'
import { ask } from './ask.ts'
import type { Range, RecordCounts, Request } from './question.ts'

export interface BatchesSetup {
  readonly kind: 'batches'
  readonly path: string
  readonly request: Request
}

/** A range that is to be read, and where the one before has ended, if that is proven. */
export interface RangeTask {
  readonly range: Range
  readonly from?: Boundary | undefined
}

/** What reading a range has shown, after its batches. */
export interface RangeEnd {
  readonly report: RangeReport
  readonly counts: Partial<RecordCounts>
  /** Bytes of content from its first record to that of the next range. */
  readonly length: number
  readonly samples: readonly FileSample[]
}

/** What a task gives. If its range was not read to its end, the last part says where it begins, as far as that is known. */
export type RangePart = Batch | RangeEnd | { readonly failedFrom: Boundary | undefined }

/** Bytes of content that are read for a range: its batches are kept until it is proven. */
const MOST_BYTES = 128 * 1024 * 1024
/** Bytes of the file that are read at once: of what is read ahead, a range does not need the last. */
const CHUNK_SIZE = 256 * 1024

/** Returns what reads ranges of a file. A range in which anything is wrong, or that is too large, fails. */
export function open({ path, request }: BatchesSetup) {
  const source = new FileSource(path, { chunkSize: CHUNK_SIZE })
  return async function* ({ range, from }: RangeTask): AsyncGenerator<RangePart, void, undefined> {
    const asked = await ask(request)
    const { batches, progress } = await asked.readRange(source, range, { from, maxInput: MOST_BYTES })
    try {
      yield* batches()
    } catch (error) {
      if (!(error instanceof XylemError)) throw error
      yield { failedFrom: progress.from }
      return
    }
    const { report, length } = progress
    yield { report, counts: asked.report.data, length, samples: source.takeSamples() }
  }
}
