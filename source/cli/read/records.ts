// Elements of documents as records: how documents and their ranges are read, and what is counted.

import type { FormatSetup } from '../../record/format/format.ts'
import { FORMATS } from '../../record/format/index.ts'
import { count, countFields, Report, sum } from '../../record/report.ts'
import type { Seekable } from '../../stream/seekable.ts'
import type { FileSource } from '../../stream/sources/node.ts'
import { formatObject } from '../../text/json.ts'
import type { SkippedEntity } from '../../xml/doctype/skipped.ts'
import type { WriteOptions } from '../../xml/options.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import {
  type FieldPlan,
  type OrderedShape,
  planShape,
  type RecordPlan,
  writtenFields,
} from '../../xml/question/plan.ts'
import { guessCuts, verifyCuts } from '../../xml/ranges/cuts.ts'
import { planXmlRanges } from '../../xml/ranges/plan-ranges.ts'
import type { XmlRange } from '../../xml/ranges/range.ts'
import { readXmlRange, whyNotInRanges, type XmlRangeReader } from '../../xml/ranges/xml-range-reader.ts'
import { askForRecords } from '../../xml/readings/record-question.ts'
import type { BatchOptions } from '../../xml/readings/records.ts'
import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import { orUsage } from '../errors/or-usage.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { countReplaced, countSkipped, findSkipped, openReaders, openReading } from '../inputs/xml-readers.ts'
import { findMeantKind } from '../options/shape-options.ts'
import { parseWhere } from '../options/where-options.ts'
import type { UnseenFields } from '../output/findings.ts'
import { type Batch, recordsIn } from '../output/write-batches.ts'
import { makeFaultHandler } from './fault-handler.ts'
import type {
  Asked,
  Division,
  NoteError,
  Range,
  RangeOptions,
  RangeReading,
  ReadOptions,
  RecordCounts,
  RecordQuestion,
  Request,
} from './question.ts'
import { countUse } from './range-sizes.ts'
import { countInner, countUneven } from './record-warnings.ts'

/** Errors that nobody notes are thrown. */
function refuse(error: Error): never {
  throw error
}

export class SelectedRecords implements Asked {
  readonly request: Request<RecordQuestion>
  readonly fields: FieldPlan[]
  readonly setup: Partial<FormatSetup>
  /** What was seen so far; reports on ranges that others have read are added to it. */
  readonly report: Report<RecordView, RecordCounts>
  readonly #plan: RecordPlan
  readonly #shape: Extract<OrderedShape, ReadonlyMap<string, unknown>>
  readonly #reading: Omit<WriteOptions, 'prefixes'>
  readonly #onFault: NoteError | undefined
  readonly #batches: BatchOptions | undefined

  /** Throws a `UsageError` for what is invalid. */
  constructor(request: Request<RecordQuestion>, note: NoteError = refuse, batches?: BatchOptions) {
    const { question, format } = request
    const { path, fields, prefixes, where, lenient, nested, written, onError = 'stop' } = question
    const shape = new Map(fields)
    const plan = orUsage(() => planShape(shape, { prefixes }))
    const onFault = makeFaultHandler(onError, note)
    const asked = { nested, lenient, where: where && parseWhere(where, plan, path), onError: onFault }
    orUsage(() => askForRecords(path, shape, { ...asked, prefixes }, batches))
    this.request = request
    this.#plan = plan
    this.#shape = shape
    // JSON has null for absent values.
    const options = { ...(FORMATS[format].kind === 'objects' && { absent: 'null' as const }), ...written }
    this.#reading = { ...asked, ...options }
    const described = formatObject([...shape.keys()], [...shape.values()])
    this.setup = { ...options, metadata: { 'xylem:path': JSON.stringify(path), 'xylem:shape': described } }
    this.#onFault = onFault
    this.#batches = batches
    this.fields = writtenFields(plan)
    const counters = [
      [sum('records'), sum('faults'), count('skipped', addSkipped), sum('bytes')],
      countFields(namesOf(plan), (record: RecordView) => record),
      [countUneven(shape), countInner(), countUse(), countSkipped(), countReplaced()],
    ]
    this.report = new Report(counters.flat(2))
  }

  get isWhole(): boolean {
    const { fragment, documents, limits } = this.request.question.xml ?? {}
    return this.#batches !== undefined || fragment === true || documents === true || limits?.maxInput !== undefined
  }

  whyNotInRanges(codec: Range['codec']): string | undefined {
    return whyNotInRanges(this.#plan, codec)
  }

  async divide(source: Seekable, size: number, { jobs: threads, signal }: Partial<ReadOptions>): Promise<Division> {
    const { path, prefixes, xml = {} } = this.request.question
    const { onSkippedEntity: _, ...reading } = await openReading(xml)
    const { namespaces, encoding, entities, resolve, onReplace } = reading
    const options = { namespaces, encoding, entities, resolve, onReplace, prefixes, signal }
    const withPath = (ranges: readonly Range[]) => ranges.map((range) => this.#xmlRange(range))
    return {
      about: { kind: 'records', path, prefixes, xml },
      plan: (target) => planXmlRanges(source, size, path, { ...options, target }),
      guess: (ranges) => guessCuts(source, withPath(ranges), { signal }),
      verify: (ranges) => verifyCuts(source, withPath(ranges), { ...reading, threads, signal }),
    }
  }

  async resolve(): Promise<void> {}

  async *read(input: OpenInput, options: ReadOptions): AsyncGenerator<Batch, void, undefined> {
    const { format, question } = this.request
    const { path, prefixes, xml = {} } = question
    const { signal, after } = options
    const reading = { ...(await openReading(xml, this.#seeEntity, this.#seeReplaced)), signal }
    if (after) {
      const all = this.#xmlRange({ ...after.range, start: 0, end: input.input.size as number })
      const reader = readXmlRange(input.source as FileSource, all, { ...reading, from: after.boundary })
      yield* this.#readBatches(reader)
      return
    }
    this.report.add({ ranges: 1 })
    if (question.onError === 'skip-block') input.onFault = this.#onFault
    let { limit = Number.POSITIVE_INFINITY } = options
    for await (const reader of openReaders(input.cache, xml, reading)) {
      const how = { ...this.#watching, ...this.#batches, limit }
      const batches = reader.writtenBatches(format, path, this.#shape, { ...this.#reading, prefixes }, how)
      try {
        for await (const batch of batches as AsyncGenerator<Batch>) {
          limit -= recordsIn(batch)
          yield batch
        }
      } finally {
        if (question.onError) this.report.add({ skipped: reader.skipped })
      }
      if (limit <= 0) return
    }
  }

  async readRange(source: Seekable, range: Range, options: RangeOptions): Promise<RangeReading> {
    const { onError, xml } = this.request.question
    const { jobs: threads, signal, from, maxInput } = options
    const reader = readXmlRange(source, this.#xmlRange(range), {
      ...(await openReading(xml, undefined, this.#seeReplaced)),
      ...(maxInput !== undefined && { limits: { ...xml?.limits, maxInput } }),
      ...{ threads, signal, from },
      onFault: onError === 'skip-block' ? this.#onFault : undefined,
      onSkippedEntity: this.#seeEntity,
    })
    return { batches: () => this.#readBatches(reader), progress: reader.progress }
  }

  async *#readBatches(reader: XmlRangeReader): AsyncGenerator<Batch, void, undefined> {
    const { format, question } = this.request
    const batches = reader.writtenBatches(format, this.#shape, this.#reading, this.#watching)
    yield* batches as AsyncGenerator<Batch, void, undefined>
    if (question.onError) this.report.add({ skipped: reader.skipped })
    const missing = question.xml?.entities === 'skip' ? undefined : findSkipped(this.report.read('entities'))
    if (missing) throw missing
  }

  get #watching(): BatchOptions {
    return { onRecord: this.report.on('written'), countsInner: true }
  }

  get #seeEntity(): (entity: SkippedEntity) => void {
    return this.report.on('entity') as never
  }

  get #seeReplaced(): (byteOffset: number) => void {
    return this.report.on('replaced') as never
  }

  #xmlRange(range: Range): XmlRange {
    const { path, prefixes } = this.request.question
    return { ...range, path, ...(prefixes && { prefixes }) }
  }
}

/** The fields that no record has. Those that have one may not be wanted. */
export function findUnseen(question: RecordQuestion, { seen }: Partial<RecordCounts>): UnseenFields {
  const places = new Set(seen?.fields)
  const names = withoutInner(fieldNames(question).filter((_, place) => !places.has(place)))
  return { [question.where ? 'empty' : 'missing']: names, hint: findMeantKind(names) }
}

/** Adds what was left out later. */
export function addSkipped(known: SkippedRecords | undefined, later: SkippedRecords): SkippedRecords {
  const { errors, records, bytes } = known ?? { errors: 0, records: 0, bytes: 0 }
  return { errors: errors + later.errors, records: records + later.records, bytes: bytes + later.bytes }
}

/** The names of all fields of a question that are written, in the order of the places of `RecordCounts.seen`. */
export function fieldNames({ fields, prefixes }: RecordQuestion): string[] {
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
