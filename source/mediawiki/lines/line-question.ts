// From a dump to lines, or to batches of another format.

import type { Collector, FormatRecord } from '../../record/format/format.ts'
import { format as JSON_LINES } from '../../record/format/jsonl.ts'
import { Report } from '../../record/report.ts'
import type { RecordValues } from '../../record/value.ts'
import { OuterLines } from '../../xml/output/outer-lines.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { type DumpQuestion, PagesOfRevisions } from '../dump-question.ts'
import type { Page, PageFacts } from '../shape/page.ts'
import type { Revision } from '../shape/revision.ts'
import { parseAddedField, type RecordKind } from './added-fields.ts'
import { ChosenFields, type LineChoice } from './chosen-fields.ts'
import { formatFields, isOfPage, lineFormOf } from './page-form.ts'
import type { LineFilter, PageLineFilter, PageLines, RevisionLineFilter } from './page-lines.ts'
import { countRecords, type SeenRecord } from './record-counters.ts'
import { WantedRecords } from './wanted-records.ts'

const PATHS = { pages: 'page', revisions: 'page/revision' } as const

/** A record as a format gets it, and its revision, if that was made as an object. */
interface Formed {
  readonly written: FormatRecord
  readonly made?: Revision | undefined
}

/** What becomes of records of a kind. */
interface Forming {
  /** Whether a record counts that the kernel has not written completely. What is not valid is an error, also if it is not wanted. */
  isRecord(record: RecordView): boolean
  form(record: RecordView): Formed
}

/** `formingOf` gets a function that makes the written form of a record that is an object: `values` are what was read of it, for fields that are added. */
function askForLines<Traits extends object>(
  kind: RecordKind,
  filter: LineFilter<Traits>,
  formingOf: (made: (record: object, values: object) => FormatRecord) => Forming,
): DumpQuestion<PageLines> {
  const { choice, limit, report = new Report(countRecords(kind)) } = filter
  const { fields, format = JSON_LINES, setup = { rows: Number.POSITIVE_INFINITY } } = choice ?? {}
  const wanted = new WantedRecords(kind, filter, report)
  const chosen = fields && new ChosenFields(kind, fields)
  const collector = format.collect(formatFields(kind, fields, format), setup) as Collector<PageLines>
  const [onRead, onWanted, onWritten] = [report.on('read'), report.on('wanted'), report.on('written')]
  const isSeen = onWanted || onWritten || filter.isWanted
  const isLookedAt = onRead || isSeen || wanted.hasConditions
  const forming = formingOf((record, values) =>
    chosen
      ? { complete: () => chosen.valuesOf(record, values) }
      : { bare: record, complete: () => record as RecordValues },
  )
  /** The record that is wanted, and the one that was written before. */
  let seen: SeenRecord | undefined
  let before: { readonly id: number; readonly start: number | undefined } | undefined
  /** Whether the record before is of another page: by its id, or if that is not a number, by where the page begins. */
  const turnTo = ({ page: { id }, record }: SeenRecord): boolean => {
    const known = before
    before = { id, start: record.startOf('page') }
    return id === undefined ? before.start !== known?.start : id !== known?.id
  }
  const isWanted = (record: RecordView): boolean => {
    seen = onRead && wanted.see(record)
    if (seen) onRead?.(seen)
    if (!wanted.hold(record)) return false
    if (!isSeen) return true
    seen ??= wanted.see(record)
    onWanted?.(seen)
    return wanted.accepts(seen)
  }
  const inArray = (batches: ReturnType<typeof collector.finish>) =>
    batches.map(({ batch, records }) => ({ batch: [batch], records }))
  return {
    path: PATHS[kind],
    shape: wanted.shape,
    needsIds: filter.where?.ids !== undefined,
    report,
    limit,
    // Where some fields are written and others checked, objects show what is wrong with either.
    written: fields && filter.report?.fields(true).length ? undefined : lineFormOf(kind, collector.writing, choice),
    isRecord: (record) => forming.isRecord(record),
    isWanted: isLookedAt ? isWanted : undefined,
    format: {
      collect: () => ({
        add: (record) => {
          const { written, made } = forming.form(record as RecordView)
          if (seen) seen.made = made
          return collector.add(written)
        },
        take: (items) => inArray(collector.take(items)),
        finish: () => inArray(collector.finish()),
      }),
    },
    onRecord:
      onWritten &&
      (() => {
        const written = seen as SeenRecord
        if (kind === 'revisions') written.isNewPage = turnTo(written)
        onWritten(written)
      }),
  }
}

/** Pages as lines. */
export function askForPageLines({ namespaces, redirects, ...filter }: PageLineFilter): DumpQuestion<PageLines> {
  const where = {
    ...filter.where,
    ...(namespaces && { ns: Array.from(namespaces, String) }),
    ...(redirects && { redirects }),
  }
  return askForLines('pages', { ...filter, where }, (made) => ({
    isRecord: (record) => record.values !== undefined,
    form: (record) => {
      if (record.hasLine) return { written: record }
      const values = record.complete()
      const page = record.compact<Page>(values)
      return { written: made(page, values), made: page.revision }
    },
  }))
}

/** Revisions as lines. */
export function askForRevisionLines(filter: RevisionLineFilter): DumpQuestion<PageLines> {
  return askForLines('revisions', filter, (made) => new RevisionForming(filter.choice, made))
}

class RevisionForming implements Forming {
  readonly #pages = new PagesOfRevisions()
  readonly #made: (record: object, values: object) => FormatRecord
  readonly #around: OuterLines<PageFacts>
  /** Whether all that is wanted of pages is in their data. */
  readonly #isPageSimple: boolean

  constructor(choice: LineChoice | undefined, made: (record: object, values: object) => FormatRecord) {
    this.#made = made
    const { format = JSON_LINES, fields, setup = {} } = choice ?? {}
    const chosen = fields && new ChosenFields('revisions', fields.filter(isOfPage))
    const valuesOf = (page: object): RecordValues => chosen?.valuesOf({ page }) ?? { page: page as RecordValues }
    this.#around = new OuterLines<PageFacts>(format.notation, setup, chosen?.names ?? ['page'], valuesOf)
    this.#isPageSimple = !fields?.some((field) => parseAddedField('revisions', field)?.isOfOther)
  }

  isRecord(record: RecordView): boolean {
    return this.#pages.factsOf(record) !== undefined && (this.#hasRest(record) || record.ownValues !== undefined)
  }

  form(record: RecordView): Formed {
    if (record.isLineComplete) return { written: record }
    const page = this.#pages.factsOf(record) as PageFacts
    if (this.#hasRest(record)) return { written: this.#around.add(page, record) }
    record.addLate(record.ownValues)
    const made = { page, ...record.compact<Revision>(record.ownValues) }
    const readPage = () => record.value('page')
    const values = {
      ...record.ownValues,
      // What was read of the page, only if that is asked for.
      get page() {
        return readPage()
      },
    }
    return { written: this.#made(made, values), made }
  }

  /** Whether the kernel has written all but the page. */
  #hasRest(record: RecordView): boolean {
    return this.#isPageSimple && record.hasLine && !record.isLineComplete
  }
}
