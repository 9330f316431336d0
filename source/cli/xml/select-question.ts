// What is asked of documents of records: as data, which stands in plans and is sent to workers, and as it is read.

import type { FormatOptions, FormatSetup } from '../../record/format/format.ts'
import { FORMATS, type FormatName } from '../../record/format/index.ts'
import { count, countFields, Report, sum } from '../../record/report.ts'
import { formatObject } from '../../text/json.ts'
import type { WriteOptions } from '../../xml/options.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import {
  type FieldPlan,
  type OrderedShape,
  planShape,
  type RecordPlan,
  writtenFields,
} from '../../xml/question/plan.ts'
import type { FieldShape } from '../../xml/question/shape.ts'
import type { FileRange } from '../../xml/ranges/range.ts'
import { requireRangeShape, whyNotInRanges } from '../../xml/ranges/range-shape.ts'
import { askForRecords } from '../../xml/readings/record-question.ts'
import type { BatchOptions } from '../../xml/readings/records.ts'
import type { ErrorPolicy, SkippedRecords } from '../../xml/readings/recovery.ts'
import { orUsage } from '../errors/or-usage.ts'
import type { XmlReading } from '../inputs/xml-readers.ts'
import { findMeantKind } from '../options/shape-options.ts'
import { parseConditions } from '../options/where-options.ts'
import type { UnseenFields } from '../output/findings.ts'
import type { Batch } from '../output/write-batches.ts'
import { countRanges, type RangeUse } from '../workers/range-use.ts'
import { countInner } from './inner-matches.ts'
import { countUneven } from './uneven-lists.ts'

/** Which records are wanted, and what of them. */
export interface SelectQuestion {
  readonly path: readonly string[]
  /** Fields in their order. */
  readonly fields: readonly (readonly [name: string, field: FieldShape | readonly FieldShape[]])[]
  readonly prefixes?: Readonly<Record<string, string>> | undefined
  /** Conditions, as they are written on the command line. */
  readonly where?: readonly string[] | undefined
  readonly lenient?: true | undefined
  readonly nested?: 'innermost' | 'all' | undefined
  /** The options of the format. */
  readonly written?: FormatOptions | undefined
  /** What is done at errors; absent where reading stops. */
  readonly onError?: 'skip' | 'skip-block' | undefined
  /** How the document is read. */
  readonly xml?: XmlReading | undefined
}

/** What is known of records that were written. */
export interface SelectedCounts extends RangeUse {
  readonly records: number
  /** Errors that were skipped. */
  readonly faults: number
  /** What was left out of a range of a plan because of errors; absent where reading stops at them. */
  readonly skipped?: SkippedRecords
  /** Bytes that were written for a range of a plan. */
  readonly bytes: number
  /** Places of fields that have a value in some record. */
  readonly seen: { readonly fields?: readonly number[] }
}

/** Gives the batches of a document or of a range. */
export type ReadBatches = (
  shape: OrderedShape,
  reading: Omit<WriteOptions, 'prefixes'>,
  batches: BatchOptions,
) => AsyncGenerator<unknown, void, undefined>

/** A question that was checked, and what was seen of its records so far. */
export class SelectedRecords {
  readonly fields: FieldPlan[]
  /** The options of the format: JSON has null for absent values. */
  readonly written: FormatOptions
  readonly #path: readonly string[]
  readonly #plan: RecordPlan
  readonly #shape: Extract<OrderedShape, ReadonlyMap<string, unknown>>
  readonly #reading: Omit<WriteOptions, 'prefixes'>
  /** What was seen so far; reports on ranges that others have read are added to it. */
  readonly report: Report<RecordView, SelectedCounts>

  /** `onFault`: what is done at errors after which reading is to continue. Throws a `UsageError` for what is invalid. */
  constructor(
    { path, fields, prefixes, where, lenient, nested, written, onError }: SelectQuestion,
    format: FormatName = 'jsonl',
    onFault: ErrorPolicy = 'skip',
  ) {
    const shape = new Map(fields)
    const plan = orUsage(() => planShape(shape, { prefixes }))
    const asked = { nested, lenient, where: where && parseConditions(where, plan), onError: onError && onFault }
    orUsage(() => askForRecords(path, shape, { ...asked, prefixes }))
    this.#path = path
    this.#plan = plan
    this.#shape = shape
    this.written = { ...(FORMATS[format].kind === 'objects' && { absent: 'null' }), ...written }
    this.#reading = { ...asked, ...this.written }
    this.fields = writtenFields(plan)
    const counters = [
      [sum('records'), sum('faults'), count('skipped', addSkipped), sum('bytes')],
      countFields(namesOf(plan), (record: RecordView) => record),
      [countUneven(shape), countInner(), countRanges()],
    ]
    this.report = new Report(counters.flat(2))
  }

  /** What files with a schema say of the records. */
  get metadata(): NonNullable<FormatSetup['metadata']> {
    const shape = formatObject([...this.#shape.keys()], [...this.#shape.values()])
    return { 'xylem:path': JSON.stringify(this.#path), 'xylem:shape': shape }
  }

  /** Whether ranges of a file can be read by themselves. */
  isForRanges(codec: FileRange['codec']): boolean {
    return whyNotInRanges(this.#plan, codec) === undefined
  }

  /** Throws a `UsageError` if ranges of a file cannot be read by themselves. */
  requireForRanges(codec: FileRange['codec']): void {
    orUsage(() => requireRangeShape(this.#plan, codec))
  }

  /** Reads a document or a range: at most so many records. */
  batches(read: ReadBatches, limit?: number): AsyncGenerator<Batch, void, undefined> {
    const batches = read(this.#shape, this.#reading, { limit, onRecord: this.report.on('written'), countsInner: true })
    return batches as AsyncGenerator<Batch, void, undefined>
  }

  /** The fields that no record has. Those that have one may not be wanted. */
  get unseen(): UnseenFields {
    const seen = new Set(this.report.data.seen?.fields)
    const names = withoutInner(namesOf(this.#plan).filter((_, place) => !seen.has(place)))
    return { [this.#reading.where ? 'empty' : 'missing']: names, hint: findMeantKind(names) }
  }
}

function addSkipped(known: SkippedRecords | undefined, later: SkippedRecords): SkippedRecords {
  const { errors, records, bytes } = known ?? { errors: 0, records: 0, bytes: 0 }
  return { errors: errors + later.errors, records: records + later.records, bytes: bytes + later.bytes }
}

/** The names of all fields of a question that are written, in the order of the places of `SelectedCounts`. */
export function fieldNames({ fields, prefixes }: SelectQuestion): string[] {
  return namesOf(planShape(new Map(fields), { prefixes }))
}

/** The names of all fields that are written, those of records in records after the record. Nobody expects a rest. */
function namesOf(plan: RecordPlan): string[] {
  const fields = writtenFields(plan).filter(({ kind }) => kind !== 'rest')
  return fields.flatMap(({ fullName, record }) => [fullName, ...(record ? namesOf(record) : [])])
}

/** Names of fields that no record has, without those in records that there are nowhere. */
export function withoutInner(unseen: readonly string[]): string[] {
  return unseen.filter((name) => !unseen.some((other) => name.startsWith(`${other}.`)))
}
