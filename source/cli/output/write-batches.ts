// Writing the records of several inputs, with a line on the terminal that shows the progress.

import type { ColumnBatch } from '../../record/format/column.ts'
import type { LineBatch } from '../../record/format/lines.ts'
import { ExitCode } from '../errors/errors.ts'
import { type Input, pathsOf } from '../inputs/inputs.ts'
import { nameFaults, OpenInput, sumProgress } from '../inputs/read-inputs.ts'
import { type FindingOptions, reportUnseen } from './findings.ts'
import { ProgressLine, showsProgress } from './progress.ts'
import { type RecordOpening, writeRecords } from './record-output.ts'

/** UTF-16 units that are put together before they are written. */
const PIECE = 64 * 1024

export type Batch = LineBatch | ColumnBatch

/** How many records are in a batch. */
export function recordsIn(batch: Batch): number {
  return 'rows' in batch ? batch.rows : batch.records
}

export interface BatchWriting extends Omit<RecordOpening, 'path' | 'inputPaths'> {
  readonly inputs: readonly Input[]
  /** Reads one input. `left`: how many records are still wanted. */
  readonly read: (input: OpenInput, left: number, signal: AbortSignal) => AsyncGenerator<Batch, void, undefined>
  /** An input that is open already; undefined for others. */
  readonly open?: ((input: Input) => OpenInput | undefined) | undefined
  /** Says what was not found, if not as many were as the limit allows. Returns the exit code. */
  readonly report?: ((records: number, advice: string | undefined) => number) | undefined
  /** What may help where no record was found. */
  readonly advise?: (() => Promise<string>) | undefined
  /** Plural noun for messages: 'pages'. */
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

/** What was written, and how the command exits because of what was not found. */
interface Written {
  readonly records: number
  /** Of the inputs, as they are stored. */
  readonly bytesRead: number
  readonly exitCode: number
}

/** Writes all records, or as many as the limit allows. Says at the end what was not found. */
export async function writeBatches({
  inputs,
  read,
  open: openBefore,
  noun,
  report,
  advise,
  options,
  otherPaths = [],
  ...opening
}: BatchWriting): Promise<Written> {
  const { jobs, limit = Number.POSITIVE_INFINITY, output: path } = options
  const progress = new ProgressLine(showsProgress(options), noun)
  let records = 0
  let bytesRead = 0
  async function* readAll(signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    for (const input of inputs) {
      if (records >= limit) return
      const before = bytesRead
      const open = openBefore?.(input) ?? new OpenInput(input, { jobs, signal })
      for await (const batch of nameFaults(input.name, read(open, limit - records, signal))) {
        records += recordsIn(batch)
        progress.update(sumProgress(inputs, before, open.progress), records)
        yield batch
      }
      bytesRead = before + open.progress.bytesRead
    }
  }
  const inputPaths = [...pathsOf(inputs), ...otherPaths]
  await writeRecords(readAll, { ...opening, path, inputPaths }, progress)
  if (records >= limit) return { records, bytesRead, exitCode: ExitCode.GOOD }
  const advice = records === 0 && options.warnings !== false ? await advise?.() : undefined
  const exitCode = report?.(records, advice) ?? reportUnseen(noun.slice(0, -1), { records }, options, advice)
  return { records, bytesRead, exitCode }
}

/** Items as lines, whose pieces `format` gives, in batches: short lines together, and long ones in pieces. `limit`: how many items are wanted. */
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
      text += '\n'
      records++
    }
    if (text !== '') yield { bytes: Buffer.from(text), records }
    left -= batch.length
    if (left <= 0) return
  }
}
