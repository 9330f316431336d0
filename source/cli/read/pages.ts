// The pages and revisions of dumps as records: how dumps and their ranges are read, and what is counted.

import type { DumpOptions } from '../../mediawiki/dump-options.ts'
import { guessCuts, planRanges, RangeReader, verifyCuts } from '../../mediawiki/dump-range.ts'
import { DumpReader } from '../../mediawiki/dump-reader.ts'
import { addFields, nameOfField, parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { LineChoice } from '../../mediawiki/lines/chosen-fields.ts'
import { formatFields, planConditions } from '../../mediawiki/lines/page-form.ts'
import { countLists, countPages, countRecords, type SeenRecord } from '../../mediawiki/lines/record-counters.ts'
import { chooseFormat } from '../../mediawiki/lines/record-format.ts'
import { PAGE, PAGE_REVISION } from '../../mediawiki/shape/page.ts'
import type { FormatField } from '../../record/format/format.ts'
import { Report, sum } from '../../record/report.ts'
import type { Seekable } from '../../stream/seekable.ts'
import { planShape } from '../../xml/question/plan.ts'
import { UsageError } from '../errors/errors.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { parseConditions } from '../options/where-options.ts'
import type { Batch } from '../output/write-batches.ts'
import { makeFaultHandler } from './fault-handler.ts'
import type {
  Asked,
  Division,
  DumpQuestion,
  NoteError,
  Range,
  RangeOptions,
  RangeReading,
  ReadOptions,
  RecordCounts,
  Request,
} from './question.ts'
import { countUse } from './range-sizes.ts'
import { asksForSiteInfo, needsNamespaces, resolveQuestion } from './resolve-question.ts'

/** Bytes that are read ahead for each thread. Less takes less memory, and waits more often (512 MB of a dump: 3.8 s with an eighth of it, 2.6 s with this). */
const READ_AHEAD = 2 * 1024 * 1024

type PagesReport = Report<SeenRecord, RecordCounts>

export async function askForPages(request: Request<DumpQuestion>, note?: NoteError): Promise<Asked> {
  const { kind, fields, written } = request.question
  const choice = await chooseFormat(kind, request.format, written, fields)
  return new AskedPages(request, choice, await startReport(request), note)
}

/** A report on records, in the order in which trailers have it. */
async function startReport({ question, counts, verify }: Request<DumpQuestion>): Promise<PagesReport> {
  const { kind } = question
  // Loaded when texts are compared: to load Node's cryptography takes some of the time before a first page.
  const { countVerdicts } = verify ? await import('./text-verification.ts') : {}
  const [pages = [], ...more] = counts ? { pages: countPages, all: countRecords }[counts](kind) : []
  return new Report(
    [sum('records'), pages, sum('faults'), sum('bytes'), more, countLists(kind, question)]
      .concat([sum('replaced'), countUse(), countVerdicts?.(kind) ?? []])
      .flat(),
  )
}

class AskedPages implements Asked {
  request: Request<DumpQuestion>
  readonly fields: readonly FormatField[]
  report: PagesReport
  readonly #choice: LineChoice
  readonly #onFault: DumpOptions['onFault']
  #isResolved = false

  constructor(request: Request<DumpQuestion>, choice: LineChoice, report: PagesReport, note?: NoteError) {
    this.request = request
    this.fields = formatFields(request.question.kind, choice.fields, choice.format)
    this.#choice = choice
    this.report = report
    this.#onFault = note && makeFaultHandler(request.question.onError, note)
  }

  get setup(): Asked['setup'] {
    return { ...this.request.question.written }
  }

  get isWhole(): boolean {
    return this.request.question.maxInput !== undefined
  }

  whyNotInRanges(): undefined {}

  async divide(source: Seekable, size: number, { jobs: threads, signal }: Partial<ReadOptions>): Promise<Division> {
    const { strict, maxRetained, onError } = this.request.question
    const onFault = onError === 'stop' ? undefined : () => {}
    return {
      about: { kind: 'pages', strict, maxRetained, onError },
      plan: (target) => planRanges(source, size, target),
      guess: (ranges) => guessCuts(source, ranges, { signal }),
      verify: (ranges) => verifyCuts(source, ranges, { strict, limits: { maxRetained }, threads, signal, onFault }),
    }
  }

  async resolve(input: OpenInput, options: ReadOptions): Promise<void> {
    const reader = this.#open(input, options)
    try {
      await this.#resolve(reader)
    } finally {
      await reader.close()
    }
  }

  async *read(input: OpenInput, options: ReadOptions): AsyncGenerator<Batch, void, undefined> {
    const reader = this.#open(input, options)
    try {
      await this.#resolve(reader)
      if (!options.after) this.report.add({ ranges: 1 })
      yield* this.#readBatches(reader, options.limit)
    } finally {
      await reader.close()
    }
  }

  async readRange(source: Seekable, range: Range, options: RangeOptions): Promise<RangeReading> {
    const { jobs: threads, signal, maxInput } = options
    const { strict, maxRetained } = this.request.question
    const limits = { maxRetained, maxInput }
    const reader = new RangeReader(source, range, { strict, limits, threads, signal, onFault: this.#onFault })
    return { batches: () => this.#readBatches(reader.reader), progress: reader.progress }
  }

  #open({ source }: OpenInput, { jobs, signal, after }: ReadOptions): DumpReader {
    const { strict, maxRetained, maxInput } = this.request.question
    const reading = {
      threads: jobs,
      strict,
      signal,
      highWaterMark: READ_AHEAD * jobs,
      limits: { maxRetained, maxInput },
      onFault: this.#onFault,
    }
    return new DumpReader(source, reading, { startOffset: after?.length ?? 0 })
  }

  /** The request with namespaces by their numbers, and titles of the wiki. */
  async #resolve(reader: DumpReader): Promise<void> {
    if (this.#isResolved) return
    const { question } = this.request
    // Without names of namespaces, those who read the pages report what is wrong with the beginning.
    const readSite = async () => {
      return needsNamespaces(question) ? await reader.siteInfo : await reader.siteInfo.catch(() => undefined)
    }
    const site = asksForSiteInfo(question) ? await readSite() : undefined
    this.request = { ...this.request, question: resolveQuestion(question, site) }
    this.report = await startReport(this.request)
    this.#isResolved = true
  }

  /** The records in batches. The report counts all but batches. */
  async *#readBatches(reader: DumpReader, limit?: number): AsyncGenerator<Batch, void, undefined> {
    const { question } = this.request
    const { kind, checkAllFields: checksAll = false } = question
    const choice = { ...this.#choice, checksAll }
    const conditions = parseConditions(question.where ?? [], planConditions(kind))
    const { report } = this
    const filter = { where: question, conditions, limit, choice, report }
    try {
      const items = kind === 'pages' ? reader.pageLines(filter) : reader.revisionLines(filter)
      for await (const batches of items.batches()) yield* batches as Batch[]
    } finally {
      report.add({ replaced: reader.replaced })
    }
  }
}

/** Throws a `UsageError` for a name that is used twice, for an invalid path of a field that is added, and for an invalid condition. */
export function requireAddedFields(
  kind: RecordKind,
  { fields: names = [], where = [] }: { readonly fields?: readonly string[]; readonly where?: readonly string[] },
): void {
  parseConditions(where, planConditions(kind))
  const known = new Set<string>()
  for (const name of names.map((text) => nameOfField(kind, text))) {
    if (known.has(name)) throw new UsageError(`the field name ${name} is used twice`)
    known.add(name)
  }
  const added = names.flatMap((name) => parseAddedField(kind, name) ?? [])
  if (added.length === 0) return
  const list = added.find(({ isList, isOfOther }) => isList && isOfOther)
  if (kind === 'revisions' && list)
    throw new UsageError(
      `the field ${list.name}[] cannot be an array: of the page of a revision only single values are known`,
    )
  try {
    planShape(addFields(kind, kind === 'pages' ? PAGE : PAGE_REVISION, names))
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(added.reduce((text, { key, name }) => text.replace(key, name), message))
  }
}
