// Writing the records of several inputs, with a line on the terminal that shows the progress.

import type { ColumnBatch } from '../../record/format/column.ts'
import type { LineBatch } from '../../record/format/lines.ts'
import { type Input, pathsOf } from '../inputs/inputs.ts'
import { nameFaults, OpenInput, type ReadingOptions, sumProgress } from '../inputs/read-inputs.ts'
import { type FindingOptions, reportUnseen, requireGood, type UnseenFields } from './findings.ts'
import { ProgressLine, showsProgress } from './progress.ts'
import { type RecordWriting, writeRecords } from './record-output.ts'

/** UTF-16 units that are put together before they are written. */
const PIECE = 64 * 1024

export type Batch = LineBatch | ColumnBatch

/** How many records are in a batch. */
export function recordsIn(batch: Batch): number {
  return 'rows' in batch ? batch.rows : batch.records
}

export interface BatchWriting extends Omit<RecordWriting, 'path' | 'inputPaths' | 'progress' | 'read'> {
  readonly inputs: readonly Input[]
  /** Reads one input. `left`: how many records are still wanted. */
  readonly read: (input: OpenInput, left: number, signal: AbortSignal) => AsyncGenerator<Batch, void, undefined>
  /** An input that is open already; undefined for others. */
  readonly open?: ((input: Input) => OpenInput | undefined) | undefined
  /** What is done at errors of bzip2. */
  readonly onFault?: ReadingOptions['onFault']
  /** The fields that no record has so far. */
  readonly unseen?: (() => UnseenFields) | undefined
  /** What may help where no record was found. */
  readonly advise?: (() => Promise<string | undefined>) | undefined
  /** What is counted, in the plural. */
  readonly noun: string
  readonly options: FindingOptions & {
    readonly jobs: number
    readonly limit?: number
    readonly output?: string
    readonly quiet?: true
  }
  /** Files that the output must not overwrite, beside the inputs. */
  readonly otherPaths?: readonly string[]
}

/** Writes all records, or as many as the limit allows. Says at the end what was not found, and throws a `ReportedError` for it. */
export async function writeBatches({
  inputs,
  read,
  open: openBefore,
  noun,
  unseen,
  advise,
  onFault,
  options,
  otherPaths = [],
  ...opening
}: BatchWriting): Promise<void> {
  const { jobs, limit = Number.POSITIVE_INFINITY, output: path } = options
  const progress = new ProgressLine(showsProgress(options), noun)
  let written = 0
  async function* readAll(signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    let before = 0
    for (const input of limit > 0 ? inputs : []) {
      const open = openBefore?.(input) ?? new OpenInput(input, { jobs, signal, onFault })
      for await (const batch of nameFaults(input.name, read(open, limit - written, signal))) {
        written += recordsIn(batch)
        progress.update(sumProgress(inputs, before, open.progress), written)
        yield batch
        if (written >= limit) return
      }
      before += open.progress.bytesRead
    }
  }
  await writeRecords({ ...opening, read: readAll, progress, path, inputPaths: [...pathsOf(inputs), ...otherPaths] })
  if (written >= limit) return
  const isAdvised = written === 0 && options.warnings !== false
  const advice = isAdvised ? await advise?.() : undefined
  requireGood(reportUnseen(noun.slice(0, -1), { records: written, ...unseen?.() }, options, advice))
}

/** Lines that are given in pieces, as batches: short lines together, and long ones in pieces. `limit`: how many items are wanted. */
export async function* batchLines<Item>(
  items: AsyncIterable<readonly Item[]>,
  format: (item: Item) => Iterable<string>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<LineBatch, void, undefined> {
  let left = limit
  for await (const batch of items) {
    let text = ''
    let records = 0
    for (const item of batch.slice(0, left)) {
      for (const piece of format(item)) {
        if (text.length + piece.length >= PIECE && text !== '') {
          yield { bytes: Buffer.from(text), records }
          text = ''
          records = 0
        }
        text += piece
      }
      records++
    }
    if (text !== '') yield { bytes: Buffer.from(text), records }
    left -= batch.length
    if (left <= 0) return
  }
}
