// From a dump to its records in batches of a format, and what is counted on the way.

import type { DumpReader } from '../../mediawiki/dump-reader.ts'
import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { planConditions } from '../../mediawiki/lines/page-form.ts'
import {
  countLists,
  countPages,
  countRecords,
  type Seen,
  type SeenRecord,
} from '../../mediawiki/lines/record-counters.ts'
import { fieldsOf } from '../../mediawiki/lines/record-format.ts'
import { type FormatName, findFormat, USUAL_FORMAT } from '../../record/format/index.ts'
import { Report, sum } from '../../record/report.ts'
import type { RecordOptions } from '../options/dump-options.ts'
import { parseConditions } from '../options/where-options.ts'
import type { Batch } from '../output/write-batches.ts'
import { countRanges } from '../workers/range-use.ts'
import type { DumpStatistics } from './dump-statistics.ts'
import type { Verification } from './verdicts.ts'

/** Which records, and how they are written. It can be sent to a worker. */
export interface RecordRequest {
  readonly kind: RecordKind
  readonly format: FormatName
  /** What is wanted, with namespaces by their numbers. */
  readonly question: RecordOptions
  /** What is counted, whatever is written: pages, or redirects, missing texts and suppressed revisions as well. */
  readonly counts?: 'pages' | 'all' | undefined
  /** Whether texts are compared with their hashes. */
  readonly verify?: boolean | undefined
  /** At most so many records. */
  readonly limit?: number | undefined
}

/** What is counted of records of dumps. */
export interface RecordCounts extends DumpStatistics {
  readonly records: number
  /** Bytes that were written for a range of a plan. */
  readonly bytes: number
  readonly seen: Seen
  readonly verification: Verification
}

export type RecordReport = Report<SeenRecord, RecordCounts>

/** A report on records, in the order in which trailers have it. */
export async function startReport({
  kind,
  question,
  counts,
  verify,
}: Omit<RecordRequest, 'format'>): Promise<RecordReport> {
  // Loaded when texts are compared: to load Node's cryptography takes some of the time before a first page.
  const { countVerdicts } = verify ? await import('./text-verification.ts') : {}
  const [pages = [], ...more] = counts ? { pages: countPages, all: countRecords }[counts](kind) : []
  return new Report(
    [sum('records'), pages, sum('faults'), sum('bytes'), more, countLists(kind, question)]
      .concat([sum('replaced'), countRanges(), countVerdicts?.(kind) ?? []])
      .flat(),
  )
}

/** Reads the records in batches. The report counts all but batches. */
export async function* readRecordLines(
  reader: DumpReader,
  { kind, format, question, limit }: RecordRequest,
  report: RecordReport,
): AsyncGenerator<Batch, void, undefined> {
  const { written: options, checkAllFields: checksAll = false } = question
  const { format: written } = await findFormat(format).module.load()
  const setup = { ...USUAL_FORMAT, ...options }
  const choice = { fields: fieldsOf(kind, format, question.fields), format: written, setup, checksAll }
  const conditions = parseConditions(question.where ?? [], planConditions(kind))
  const filter = { where: question, conditions, limit, choice, report }
  try {
    const items = kind === 'pages' ? reader.pageLines(filter) : reader.revisionLines(filter)
    for await (const batches of items.batches()) yield* batches as Batch[]
  } finally {
    report.add({ replaced: reader.replaced })
  }
}
