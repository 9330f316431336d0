// What is asked of documents of records: as data, which stands in plans and is sent to workers, and as it is read.

import type { FormatOptions, FormatSetup } from '../../record/format/format.ts'
import { FORMATS, type FormatName } from '../../record/format/index.ts'
import { formatObject } from '../../text/json.ts'
import type { WriteOptions } from '../../xml/options.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { SeenFields } from '../../xml/output/seen-fields.ts'
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
import { orUsage } from '../errors/or-usage.ts'
import type { XmlReading } from '../inputs/xml-readers.ts'
import { findMeantKind } from '../options/shape-options.ts'
import { parseConditions } from '../options/where-options.ts'
import type { UnseenFields } from '../output/findings.ts'
import type { Batch } from '../output/write-batches.ts'
import { type InnerCount, InnerMatches } from './inner-matches.ts'
import { UnevenLists } from './uneven-lists.ts'

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
  /** How the document is read. */
  readonly xml?: XmlReading | undefined
}

/** What was seen of the records of a range. */
export interface SelectSightings {
  /** Places of fields that have a value in some record. */
  readonly fields: readonly number[]
  readonly inner: InnerCount
  readonly uneven: number
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
  readonly #lists: UnevenLists
  readonly #inner = new InnerMatches()
  readonly #seen: SeenFields

  /** Throws a `UsageError` for what is invalid. */
  constructor(
    { path, fields, prefixes, where, lenient, nested, written }: SelectQuestion,
    format: FormatName = 'jsonl',
  ) {
    const shape = new Map(fields)
    const plan = orUsage(() => planShape(shape, { prefixes }))
    const asked = { nested, lenient, where: where && parseConditions(where, plan) }
    orUsage(() => askForRecords(path, shape, { ...asked, prefixes }))
    this.#path = path
    this.#plan = plan
    this.#shape = shape
    this.written = { ...(FORMATS[format].kind === 'objects' && { absent: 'null' }), ...written }
    this.#reading = { ...asked, ...this.written }
    this.fields = writtenFields(plan)
    this.#lists = new UnevenLists(shape)
    this.#seen = new SeenFields(namesOf(plan))
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
    const onRecord = (record: RecordView) => {
      this.#lists.look?.(record)
      this.#inner.look(record)
      this.#seen.look(record)
    }
    const batches = read(this.#shape, this.#reading, { limit, onRecord, countsInner: true })
    return batches as AsyncGenerator<Batch, void, undefined>
  }

  /** What was seen so far, to be added to what others have seen. */
  get sightings(): SelectSightings {
    const fields = [...this.#seen.places].sort((one, other) => one - other)
    return { fields, inner: this.#inner.count, uneven: this.#lists.found }
  }

  add({ fields, inner, uneven }: SelectSightings): void {
    this.#seen.add(fields)
    this.#inner.add(inner)
    this.#lists.add(uneven)
  }

  /** The fields that no record has. Those that have one may not be wanted. */
  get unseen(): UnseenFields {
    const names = unseenNames(this.#plan, this.#seen)
    return { [this.#reading.where ? 'empty' : 'missing']: names, hint: findMeantKind(names) }
  }

  /** Warns of what was seen. */
  report(): void {
    this.#lists.report()
    this.#inner.report()
  }
}

/** The names of all fields of a question that are written, in the order of the places of `SelectSightings.fields`. */
export function fieldNames({ fields, prefixes }: SelectQuestion): string[] {
  return namesOf(planShape(new Map(fields), { prefixes }))
}

/** The names of all fields that are written, those of records in records after the record. Nobody expects a rest. */
function namesOf(plan: RecordPlan): string[] {
  const fields = writtenFields(plan).filter(({ kind }) => kind !== 'rest')
  return fields.flatMap(({ fullName, record }) => [fullName, ...(record ? namesOf(record) : [])])
}

/** The names of fields that no record has. */
function unseenNames(plan: RecordPlan, seen: SeenFields): string[] {
  return withoutInner(namesOf(plan).filter((_, place) => !seen.places.has(place)))
}

/** Names of fields that no record has, without those in records that there are nowhere. */
export function withoutInner(unseen: readonly string[]): string[] {
  return unseen.filter((name) => !unseen.some((other) => name.startsWith(`${other}.`)))
}
