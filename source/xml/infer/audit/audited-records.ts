// Records of an inferred shape, with everything that the sample did not show in their field `rest`.

import type { Collector, Format, FormatField, FormatRecord, FormatSetup } from '../../../record/format/format.ts'
import { kindOf } from '../../../record/kinds.ts'
import { tally } from '../../../record/report.ts'
import type { RecordValues, Value } from '../../../record/value.ts'
import type { Delivery } from '../../delivery.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import type { RecordView } from '../../output/record-view.ts'
import type { Projector } from '../../projection/projector.ts'
import type { XmlShape } from '../../question/shape.ts'
import type { RunParser } from '../../readings/reading.ts'
import type { RecordQuestion } from '../../readings/record-question.ts'
import { type BatchOptions, readRecords } from '../../readings/records.ts'
import { parsing } from '../../readings/rest.ts'
import { formatCompact } from '../format-shape.ts'
import type { InferredShape } from '../infer-shape.ts'
import { type InferredField, REST } from '../inferred-fields.ts'
import { Audit, type Finding } from './audit.ts'
import type { AuditReport } from './audit-report.ts'
import type { Mistyped } from './leftover.ts'

/** The paths of records as they are read: where the inference has chosen them, all that lies beside them may be records as well. */
export function readPaths({ paths, source }: InferredShape): readonly string[] {
  const around = source.nodes[0]?.parent
  return source.isOpen && around ? [`${around.path}/*`] : paths
}

/** What reads records in batches, and adds what it finds to a report. `advice` is what errors in values say at their end. */
export function auditedReading(inferred: InferredShape, report: AuditReport, advice = ''): typeof readRecords {
  const fields = fieldsByPath(inferred.fields, inferred.shape)
  const explain = ({ path, kind, text }: Mistyped) => {
    const { name = path, line = '' } = fields.get(path) ?? {}
    const { parse, words } = kindOf(kind)
    const value = parse(text)
    const what =
      value === undefined
        ? `is not ${words}`
        : `would be printed as ${typeof value === 'bigint' ? value : JSON.stringify(value)}`
    return `the value ${JSON.stringify(shorten(text))} of the field ${shorten(name)} ${what}; the shape has ${line}${advice}`
  }
  return async function* <Batch>(
    run: RunParser,
    question: RecordQuestion,
    format: Format<Batch>,
    options: FormatSetup & BatchOptions,
    delivery: Delivery | undefined,
  ) {
    let audit: Audit | undefined
    const attended: RunParser = async function* (make, recovery) {
      const attend = () => {
        audit = new Audit(make() as Projector, {
          records: inferred.source,
          isLenient: question.isLenient,
          report,
          parse: parsing.required.parseElement as ParseElement,
          explain,
        })
        return audit
      }
      for await (const parser of run(attend, recovery)) {
        yield parser
        parser.hold(audit?.retainedFrom)
      }
    }
    const isRecord = ({ place }: RecordView) => !audit?.peek(place).isOther
    const take = (place: number) => audit?.take(place) ?? {}
    const collect = (fields: readonly FormatField[], given: FormatSetup) => {
      return new AuditedCollector(format.collect(fields, given), take, report)
    }
    yield* readRecords(attended, { ...question, isRecord }, { ...format, collect }, options, delivery)
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
    for (const { path, why } of left) this.#report.add({ left: tally(`${why} ${path}`) })
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
  readonly #record: FormatRecord
  readonly #rest: Value

  constructor(record: FormatRecord, rest: readonly object[]) {
    this.#record = record
    this.#rest = rest
  }

  complete(): RecordValues {
    return { ...this.#record.complete(), [REST]: this.#rest }
  }
}

/** What a message says of a field: its full name, and its line in the shape. */
interface NamedField {
  readonly name: string
  readonly line: string
}

/** Fields by the paths of their values in a record. */
function fieldsByPath(
  fields: readonly InferredField[],
  shape: XmlShape,
  path = '',
  prefix = '',
  found = new Map<string, NamedField>(),
): Map<string, NamedField> {
  for (const field of fields) {
    const at = field.path === '.' ? path || '.' : path === '' ? field.path : `${path}/${field.path}`
    const name = prefix + field.name
    const [one] = [shape[field.name]].flat() as [{ readonly fields?: XmlShape }]
    if (field.kind === 'record') fieldsByPath(field.fields, one.fields ?? {}, at, `${name}.`, found)
    else found.set(at, { name, line: `${JSON.stringify(field.name)}: ${formatCompact(shape[field.name])}` })
  }
  return found
}
