// From a dump to lines, or to batches of another format.

import type { Collector as FormatCollector, FormatRecord, LineNotation } from '../../record/format/format.ts'
import { format as JSON_LINES } from '../../record/format/jsonl.ts'
import type { LineBytes } from '../../record/line-bytes.ts'
import { Report } from '../../record/report.ts'
import type { RecordValues } from '../../record/value.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import type { LineFormOptions } from '../../xml/question/line-form.ts'
import { Collector, completed, PagesOfRevisions } from '../collectors.ts'
import type { Page, PageFacts } from '../shape/page.ts'
import type { Revision } from '../shape/revision.ts'
import { parseAddedField, type RecordKind } from './added-fields.ts'
import { ChosenFields, type LineChoice } from './chosen-fields.ts'
import { formatFields, isOfPage, lineFormOf } from './page-form.ts'
import type { LineFilter, PageLineFilter, RevisionLineFilter } from './page-lines.ts'
import type { PageRevisionTraits, PageTraits } from './page-traits.ts'
import { countRecords, type SeenRecord } from './record-counters.ts'
import { type PageAround, WantedRecords } from './wanted-records.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
/** The length of the line of a lone empty cell, `""` in CSV. */
const LONE_LENGTH = 4
const QUOTE = 0x22

const PATHS = { pages: 'page', revisions: 'page/revision' } as const

abstract class LineCollector<Traits extends object> extends Collector<object> {
  protected readonly filter: LineFilter<Traits>
  protected readonly wanted: WantedRecords<Traits>
  /** Where some fields are wanted. */
  protected readonly chosen: ChosenFields | undefined
  readonly #collector: FormatCollector<object>
  readonly #kind: RecordKind
  readonly #show: Readonly<Record<'read' | 'wanted' | 'written', ((seen: SeenRecord) => void) | undefined>>
  #left: number
  /** The page of the last record that was written. */
  #page: { readonly id: number; readonly start: number | undefined } | undefined

  constructor(kind: RecordKind, filter: LineFilter<Traits>) {
    const { choice, report = new Report(countRecords(kind)) } = filter
    const { fields, format = JSON_LINES, setup = { rows: Number.POSITIVE_INFINITY } } = choice ?? {}
    const wanted = new WantedRecords(kind, filter, report)
    super(PATHS[kind], wanted.shape, report)
    this.wanted = wanted
    this.#kind = kind
    this.#show = { read: report.on('read'), wanted: report.on('wanted'), written: report.on('written') }
    this.#left = filter.limit ?? Number.POSITIVE_INFINITY
    this.filter = filter
    this.chosen = fields && new ChosenFields(kind, fields)
    this.#collector = format.collect(formatFields(kind, fields, format), setup) as FormatCollector<object>
  }

  override get isOver(): boolean {
    return super.isOver || this.#left <= 0
  }

  override take(failedAt?: number): object[] {
    super.take(failedAt)
    return this.#collector.take([]).map(({ batch }) => batch)
  }

  override finish(): object[] {
    return this.#collector.finish().map(({ batch }) => batch)
  }

  protected override get written(): LineFormOptions | undefined {
    const { choice, report } = this.filter
    // Where some fields are written and others checked, objects show what is wrong with either.
    return choice?.fields && report?.fields(true).length
      ? undefined
      : lineFormOf(this.#kind, this.#collector.writing, choice)
  }

  protected override get needsIds(): boolean {
    return this.filter.where?.ids !== undefined
  }

  /** What is seen of a record; undefined if it is not wanted. `page`: that of a revision, if it is to be seen otherwise than the revision has found it. */
  protected see(record: RecordView, page?: PageAround): SeenRecord | undefined {
    const { read, wanted } = this.#show
    const seen = read && this.wanted.see(record, page)
    if (seen) read?.(seen)
    if (!this.wanted.hold(record)) return undefined
    const shown = seen ?? this.wanted.see(record, page)
    wanted?.(shown)
    return this.wanted.accepts(shown) ? shown : undefined
  }

  /** Whether one more record may be written. */
  protected get hasRoom(): boolean {
    return this.#left > 0
  }

  /** A record that is an object, as it is written. `values` has what was read of it, for fields that are added. */
  protected made(record: object, values: object): FormatRecord {
    const { chosen } = this
    return chosen
      ? { complete: () => chosen.valuesOf(record, values) }
      : { bare: record, complete: () => record as RecordValues }
  }

  /** Writes a record. */
  protected write(written: FormatRecord, seen: SeenRecord, made?: Revision): void {
    this.#left--
    this.#collector.add(written)
    seen.made = made
    if (this.#show.written && this.#kind === 'revisions') seen.isNewPage = this.#turnTo(seen)
    this.#show.written?.(seen)
  }

  /** Whether the record before is of another page: by its id, or if that is not a number, by where the page begins. */
  #turnTo({ page: { id }, record }: SeenRecord): boolean {
    const before = this.#page
    this.#page = { id, start: record.startOf('page') }
    return id === undefined ? this.#page.start !== before?.start : id !== before?.id
  }
}

export class PageLineCollector extends LineCollector<PageTraits> {
  constructor({ namespaces, redirects, ...filter }: PageLineFilter) {
    const where = {
      ...filter.where,
      ...(namespaces && { ns: Array.from(namespaces, String) }),
      ...(redirects && { redirects }),
    }
    super('pages', { ...filter, where })
  }

  protected make(record: RecordView): undefined {
    // What is not valid is an error, also if it is not wanted.
    const values = record.hasLine ? undefined : record.values
    const seen = this.see(record)
    if (!seen) return
    if (values) record.complete()
    if (!this.hasRoom) return
    if (!values) this.write(record, seen)
    else {
      const made = record.compact<Page>(values)
      this.write(this.made(made, values), seen, made.revision)
    }
  }
}

export class RevisionLineCollector extends LineCollector<PageRevisionTraits> {
  readonly #pages = new PagesOfRevisions((record, first) => {
    this.wanted.decidePage(record, first)
    const { id, ns, title, redirect } = this.wanted.see(record, undefined, first).page
    this.#seen = { id, ns, title, redirect }
  })
  /** What is seen of the page of the last revision whose line does not have it as it is to be. */
  #seen: PageAround | undefined
  /** The chosen fields of the page. */
  readonly #ofPage: ChosenFields | undefined
  /** How lines are written, in formats of lines. */
  readonly #notation: LineNotation | undefined
  /** The page of the last line, as its lines begin. */
  #begun: { readonly page: PageFacts; readonly bytes: Uint8Array } | undefined
  /** The page of the last values. */
  #around: { readonly page: PageFacts; readonly values: RecordValues } | undefined
  /** Whether all that is wanted of pages is in their data. */
  readonly #isPageSimple: boolean

  constructor(filter: RevisionLineFilter) {
    super('revisions', filter)
    const { format = JSON_LINES, fields } = filter.choice ?? {}
    this.#notation = format.notation
    this.#ofPage = fields && new ChosenFields('revisions', fields.filter(isOfPage))
    this.#isPageSimple = !fields?.some((field) => parseAddedField('revisions', field)?.isOfOther)
  }

  protected make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.#pages.isLikeFirst(record)) {
      const page = this.#pages.factsOf(record)
      if (page) this.#putWith(page, record)
      return
    }
    const seen = this.see(record)
    if (seen && this.hasRoom) this.write(record, seen)
  }

  /** Writes a revision with a page that its line does not have, or not as the first revision found it. */
  #putWith(page: PageFacts, record: RecordView): void {
    const hasRest = this.#isPageSimple && record.hasLine && !record.isLineComplete
    // What is not valid is an error, also if it is not wanted.
    const isValid = hasRest || record.ownValues !== undefined
    const seen = isValid && this.see(record, this.#seen)
    if (!seen || !this.hasRoom) return
    if (hasRest) {
      this.write(this.#withPage(record, page), seen)
      return
    }
    const made = completed(record, page)
    const readPage = () => record.value('page')
    const values = {
      ...record.ownValues,
      // What was read of the page, only if that is asked for.
      get page() {
        return readPage()
      },
    }
    this.write(this.made(made, values), seen, made)
  }

  /** What the kernel has written of a revision, and its page, which it has not. */
  #withPage(record: RecordView, page: PageFacts): FormatRecord {
    const written = { hasLine: true, complete: () => record.complete() }
    const notation = this.#notation
    if (notation) return { ...written, putLine: (output) => this.#putAfterPage(output, record, notation, page) }
    if (this.#around?.page !== page) this.#around = { page, values: this.#ofPage?.valuesOf({ page }) ?? {} }
    return { ...written, readLine: (read) => record.readLine(read), around: this.#around.values }
  }

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(output: LineBytes, record: RecordView, notation: LineNotation, page: PageFacts): void {
    const beginning = this.#beginningOf(page, notation)
    const isJson = notation.mode === 'object'
    output.put(beginning)
    // In JSON, its brace is there already.
    if (isJson && beginning.length > 1 && record.lineLength > EMPTY_LENGTH) output.putByte(COMMA)
    let skipped = isJson ? 1 : 0
    if (notation.mode === 'csv' && beginning.length > 0 && record.lineLength === LONE_LENGTH) {
      // The kernel puts an empty cell in quotes if it is alone. Here it is not.
      record.readLine((bytes, from) => {
        if (bytes[from] === QUOTE) skipped = 2
      })
    }
    record.putLine(output, skipped)
  }

  #beginningOf(page: PageFacts, notation: LineNotation): Uint8Array {
    if (this.#begun?.page !== page) {
      this.#begun = { page, bytes: encoder.encode(beginLine(page, this.#ofPage, notation, this.filter.choice)) }
    }
    return this.#begun.bytes
  }
}

/** How a line begins with the fields of a page, or those that are chosen, after which others follow. */
function beginLine(
  page: PageFacts,
  chosen: ChosenFields | undefined,
  { format, mode, separator }: LineNotation,
  { setup }: Partial<LineChoice> = {},
): string {
  const values: RecordValues = chosen?.valuesOf({ page }) ?? { page: page as unknown as RecordValues }
  const names = chosen?.names ?? ['page']
  const line = format(
    names,
    names.map((name) => values[name]),
    setup ?? {},
  )
  if (mode === 'object') return line.slice(0, -1)
  return names.length === 0 ? '' : line + separator
}
