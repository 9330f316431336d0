// Records of a document: in the batches of a format, and as the bytes that the format makes of them.

import type { Collected, Format, FormatRecord, FormatSetup } from '../../record/format/format.ts'
import { formatBatches } from '../../record/format-batches.ts'
import type { RecordValues, Value } from '../../record/value.ts'
import type { Delivery } from '../delivery.ts'
import type { XmlError } from '../errors/errors.ts'
import { makeInner } from '../errors/unplaced-error.ts'
import type { Name } from '../names/names.ts'
import { OuterLines } from '../output/outer-lines.ts'
import type { RecordView } from '../output/record-view.ts'
import { RecordWriter, type RecordWriterOptions } from '../output/record-writer.ts'
import { Projector, type ProjectorOptions } from '../projection/projector.ts'
import { writtenFields } from '../question/plan.ts'
import type { RunParser } from './reading.ts'
import type { AskOptions, RecordAudit, RecordQuestion } from './record-question.ts'
import { parsing } from './rest.ts'

/** How batches are made for those who write the records of several documents into one output. */
export interface BatchOptions extends AskOptions {
  /** How many records are wanted at most. */
  readonly limit?: number | undefined
  /** Whether a record is one that the kernel has not written completely (default: all are). */
  readonly isRecord?: ((record: RecordView) => boolean) | undefined
  /** Called with each record that is in a batch. */
  readonly onRecord?: ((record: RecordView) => void) | undefined
  /** What writers and projectors do besides. */
  readonly writer?: Partial<RecordWriterOptions<RecordValues>> | undefined
  readonly projector?: Partial<ProjectorOptions> | undefined
  /** Whether nothing more is wanted: called whenever the parser stops, with the offset at which it has failed, if it has. */
  readonly isOver?: ((projector: Projector, failedAt: number | undefined) => boolean) | undefined
  /** What reads instead of `readRecords`, by means of that. */
  readonly read?: typeof readRecords | undefined
}

/** Yields batches of at least one record. The last one may come after an error, which is thrown then. */
export async function* readRecords<Batch>(
  run: RunParser,
  { projection, conditions, isWanted, audit: makeAudit, isLenient, recovery }: RecordQuestion,
  format: Format<Batch>,
  options: FormatSetup & BatchOptions,
  delivery: Delivery | undefined,
): AsyncGenerator<Batch, void, undefined> {
  const { isRecord, onRecord } = options
  let { limit: left = Number.POSITIVE_INFINITY } = options
  /** Offsets after the records that are not delivered yet. */
  const ends: number[] = []
  const { plan } = projection
  const fields = writtenFields(plan)
  const collector = format.collect(fields, options)
  // A line of the kernel may lack what is around its record (`RecordView.isLineComplete`), which is put before it, or into its columns.
  const outers = fields.filter(({ record }) => record?.outer)
  const isFirst = fields[0] === outers[0] || collector.writing === 'values'
  const canWrite = outers.length === 0 || (outers.length === 1 && isFirst)
  const written = collector.writing && canWrite ? { ...options, format: collector.writing } : undefined
  const outer = written && outers[0]
  const lines =
    outer && new OuterLines<Value>(format.notation, options, [outer.name], (value) => ({ [outer.name]: value }))
  const completed = (record: RecordView): FormatRecord => {
    const isWhole = !lines || !record.hasLine || record.isLineComplete || !record.has(outer.name)
    return isWhole ? record : lines.add(record.value(outer.name), record)
  }
  const make = (record: RecordView): RecordValues | undefined => {
    if (left <= 0 || (isRecord && !record.isLineComplete && !isRecord(record))) return undefined
    if (audit?.isRecord(record) === false || isWanted?.(record) === false) return undefined
    const item = collector.add(audit ? audit.complete(record) : completed(record))
    onRecord?.(record)
    left--
    if (delivery) ends.push(record.end)
    return item
  }
  // Where nobody looks at records, lines pass as the kernel has written them.
  const isLooking =
    left !== Number.POSITIVE_INFINITY || conditions?.length || isWanted || makeAudit || onRecord || delivery
  const isJoining = !isLooking && (options.projector?.written ?? written)?.format !== 'values'
  const onFault =
    recovery &&
    ((error: XmlError, { start, end }: RecordView) => {
      recovery.report(error)
      recovery.skip(end - start, 1)
    })
  let audit: RecordAudit | undefined
  let writer!: RecordWriter
  let projector!: Projector
  const makeProjector = () => {
    const made = { make, isJoining, onFault, ...options.writer }
    writer = new RecordWriter({ isLenient, conditions, parsing: parsing.module, ...made })
    const onWatched = (start: number, _depth: number, { raw }: Name) => {
      const { openFrom = start } = projector
      if (openFrom !== start) throw makeInner(raw, start)
    }
    audit = makeAudit?.()
    projector = new Projector({ projection, writer, written, onWatched, audit, ...options.projector })
    return projector
  }
  const batchesOf = function* (collected: readonly Collected<Batch>[]): Generator<Batch, void, undefined> {
    for (const { batch, records } of collected) {
      delivery?.note(ends.splice(0, records))
      yield batch
    }
  }
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const parser of run(makeProjector, recovery)) {
      const isOver = options.isOver?.(projector, parser.failedAt) || left <= 0
      parser.hold(projector.retainedFrom)
      yield* batchesOf(collector.take(writer.take()))
      if (isOver) break
    }
  } catch (error) {
    failure = { error }
  }
  yield* batchesOf(collector.finish())
  if (failure) throw failure.error
}

/** Yields the bytes of one output. What the format refuses is thrown by the first step, whether it was loaded before or not. */
export async function* writeRecords<Batch>(
  run: RunParser,
  question: RecordQuestion,
  format: Format<Batch>,
  options: FormatSetup,
  delivery: Delivery | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const open = format.open as NonNullable<typeof format.open>
  const writer = open(writtenFields(question.projection.plan), options)
  yield* formatBatches(writer, readRecords(run, question, format, options, delivery))
}
