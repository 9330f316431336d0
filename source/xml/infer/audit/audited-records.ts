// Records of an inferred shape, with everything that the sample did not show in their field `rest`.

import type { Collector, Format, FormatField, FormatOptions, FormatRecord } from '../../../record/format/format.ts'
import type { LineBytes } from '../../../record/line-bytes.ts'
import type { RecordValues, Value } from '../../../record/value.ts'
import type { Delivery } from '../../delivery.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import type { RecordView } from '../../output/record-view.ts'
import type { Projector } from '../../projection/projector.ts'
import type { RunParser } from '../../readings/reading.ts'
import type { RecordQuestion } from '../../readings/record-question.ts'
import { type BatchOptions, readRecords } from '../../readings/records.ts'
import { parsing } from '../../readings/rest.ts'
import type { InferredShape } from '../infer-shape.ts'
import { type InferredField, REST } from '../inferred-fields.ts'
import { Audit, type Finding } from './audit.ts'
import type { AuditReport } from './audit-report.ts'

/** The paths of records as they are read: where the inference has chosen them, all that lies beside them may be records as well. */
export function readPaths({ paths, source }: InferredShape): readonly string[] {
  const around = source.nodes[0]?.parent
  return source.isOpen && around ? [`${around.path}/*`] : paths
}

/** What reads records in batches, and adds what it finds to a report. `isLenient` is as the question says. */
export function auditedReading(inferred: InferredShape, report: AuditReport): typeof readRecords {
  const names = namesByPath(inferred.fields)
  return async function* <Batch>(
    run: RunParser,
    question: RecordQuestion,
    format: Format<Batch>,
    options: FormatOptions & BatchOptions,
    delivery: Delivery | undefined,
  ) {
    let audit: Audit | undefined
    const attended: RunParser = async function* (consumer) {
      audit = new Audit(consumer as Projector, {
        records: inferred.source,
        isLenient: question.isLenient,
        report,
        parse: parsing.required.parseElement as ParseElement,
        nameOf: (path) => names.get(path) ?? path,
      })
      for await (const parser of run(audit)) {
        yield parser
        parser.hold(audit.retainedFrom)
      }
    }
    const isWanted = (record: RecordView) => {
      return !audit?.peek(record.place).isOther && (question.isWanted?.(record) ?? true)
    }
    const take = (place: number) => audit?.take(place) ?? {}
    const collect = (fields: readonly FormatField[], given: FormatOptions) => {
      return new AuditedCollector(format.collect(fields, given), take, report)
    }
    yield* readRecords(attended, { ...question, isWanted }, { ...format, collect }, options, delivery)
  }
}

/** Collects records with what was found in them. */
class AuditedCollector<Batch> implements Collector<Batch> {
  readonly writing: Collector<Batch>['writing']
  readonly #collector: Collector<Batch>
  readonly #take: (place: number) => Finding
  readonly #report: AuditReport

  constructor(collector: Collector<Batch>, take: (place: number) => Finding, report: AuditReport) {
    this.writing = collector.writing
    this.#collector = collector
    this.#take = take
    this.#report = report
  }

  add(record: FormatRecord): RecordValues | undefined {
    const { left = [], rest, error } = this.#take((record as RecordView).place)
    if (error) throw error
    this.#report.add(left)
    return this.#collector.add(rest ? new AuditedRecord(record, rest) : record)
  }

  take(items: RecordValues[]): ReturnType<Collector<Batch>['take']> {
    return this.#collector.take(items)
  }

  finish(): ReturnType<Collector<Batch>['finish']> {
    return this.#collector.finish()
  }
}

/** A record that is written by its values. */
class AuditedRecord implements FormatRecord {
  readonly hasLine = false
  readonly #record: FormatRecord
  readonly #rest: Value

  constructor(record: FormatRecord, rest: readonly object[]) {
    this.#record = record
    this.#rest = rest
  }

  putLine(_output: LineBytes): void {}

  readLine(): void {}

  complete(): RecordValues {
    return { ...this.#record.complete(), [REST]: this.#rest }
  }
}

/** The full names of fields by the paths of their values. */
function namesByPath(
  fields: readonly InferredField[],
  path = '',
  prefix = '',
  names = new Map<string, string>(),
): Map<string, string> {
  for (const field of fields) {
    const at = field.path === '.' ? path || '.' : path === '' ? field.path : `${path}/${field.path}`
    const name = prefix + field.name
    if (field.kind === 'record') namesByPath(field.fields, at, `${name}.`, names)
    else names.set(at, name)
  }
  return names
}
