// From a dump to lines: those of usual pages, which a detour writes, and those that are written from what was captured.

import { pagesFields, pagesModule } from '../kernel/generated/pages.ts'
import { revisionsFields, revisionsModule } from '../kernel/generated/revisions.ts'
import { decider } from '../stream/options.ts'
import { formatJson } from '../text/json.ts'
import type { LineForm } from '../xml/output/line-form.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { Detour } from '../xml/parser/detour.ts'
import type { RecordPlan } from '../xml/projection/plan.ts'
import type { XmlShape } from '../xml/projection/shape.ts'
import type { RecordKind } from './added-fields.ts'
import { ChosenFields } from './chosen-fields.ts'
import { Collector, completed, PagesOfRevisions } from './collectors.ts'
import { LineOutput, NoteBit, notesOf } from './line-output.ts'
import { PAGE, type Page, type PageFacts } from './page.ts'
import { chooseFields, isOfPage, lineFormOf } from './page-form.ts'
import type {
  LineFilter,
  PageLineFilter,
  PageLines,
  PageRevisionTraits,
  PageTraits,
  RevisionLineFilter,
} from './page-lines.ts'
import { PAGE_REVISION } from './page-revision.ts'
import type { Revision } from './revision.ts'
import { type FieldTexts, WrittenPage, WrittenRevision } from './traits.ts'
import type { UsualKernel } from './usual-fields.ts'
import { makeUsualRecords } from './usual-records.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
const IS_REVISION = 1 << NoteBit.REVISION

/** A kind of records: where they are, what is read of them, and the kernel for usual ones. */
interface LineKind {
  readonly kind: RecordKind
  readonly path: 'page' | 'page/revision'
  readonly shape: XmlShape
  readonly kernel: UsualKernel
  /** What all lines have among their notes. */
  readonly notes: number
}

const PAGES: LineKind = {
  kind: 'pages',
  path: 'page',
  shape: PAGE,
  kernel: { module: pagesModule, fields: pagesFields, revision: 'revision.' },
  notes: 0,
}
const REVISIONS: LineKind = {
  kind: 'revisions',
  path: 'page/revision',
  shape: PAGE_REVISION,
  kernel: { module: revisionsModule, fields: revisionsFields, revision: '' },
  notes: IS_REVISION,
}

abstract class LineCollector<Filter extends LineFilter> extends Collector<PageLines> {
  protected readonly filter: Filter
  protected readonly lines: LineOutput
  protected readonly chosen: ChosenFields | undefined
  readonly #kind: LineKind

  constructor(kind: LineKind, filter: Filter) {
    const { limit, choice, observer, isWanted } = filter
    super(kind.path, choice ? chooseFields(kind.kind, kind.shape, choice, observer !== undefined) : kind.shape)
    this.#kind = kind
    this.filter = { ...filter, isWanted: isWanted && decider('isWanted', isWanted) }
    this.chosen = choice && new ChosenFields(kind.kind, choice)
    this.lines = new LineOutput(limit, choice?.notation.lineEnd)
  }

  override makeDetour(depth: number): Detour | undefined {
    const { choice, observer } = this.filter
    if (choice) return undefined
    return makeUsualRecords({
      kernel: this.#kind.kernel,
      depth,
      lines: this.lines,
      notes: this.#kind.notes,
      isWanted: this.wantsUsual,
      observer,
      ownedUntil: () => this.ownedUntil?.() ?? Number.POSITIVE_INFINITY,
      onOver: (offset) => {
        this.overAt = offset
      },
    })
  }

  override get isOver(): boolean {
    return super.isOver || this.lines.isFull
  }

  override take(): PageLines[] {
    return [...super.take(), ...this.lines.take()]
  }

  protected override lineForm(plan: RecordPlan): LineForm | undefined {
    // Where texts are looked at, there are objects.
    return this.filter.observer ? undefined : lineFormOf(this.#kind.kind, plan, this.filter.choice)
  }

  /** Decides about each usual record; undefined if all are wanted. */
  protected abstract get wantsUsual(): ((fields: FieldTexts) => boolean) | undefined

  /** Writes a record that is an object. `values` has what was read of it, for fields that are added. */
  protected put(record: object, values: object, revision: Revision | undefined): void {
    const { lines, chosen } = this
    const { observer } = this.filter
    lines.output.putText(chosen ? chosen.write(record, values) : formatJson(record))
    lines.endLine()
    observer?.keep(observer.look(revision))
  }

  /** Counts the line of a record. `ofPage` and `ofRevision`: what the names of their fields begin with. */
  protected count(
    record: RecordView,
    ofPage: string,
    ofRevision: string,
    isOfLastPage: (page: number) => boolean,
  ): void {
    const { choice } = this.filter
    const page = Number(record.text(`${ofPage}id`))
    const notes = choice && !choice.counts ? 0 : notesOf(record, ofPage, ofRevision)
    this.lines.count(notes | this.#kind.notes, isOfLastPage(page))
    this.lines.note(page, page)
  }
}

export class PageLineCollector extends LineCollector<PageLineFilter> {
  constructor(filter: PageLineFilter) {
    super(PAGES, filter)
  }

  protected get wantsUsual(): ((fields: FieldTexts) => boolean) | undefined {
    return this.#takesAll ? undefined : (fields) => this.#isWanted(new WrittenPage(fields))
  }

  protected make(record: RecordView): undefined {
    // What is not valid is an error, also if it is not wanted.
    const values = record.hasLine ? undefined : record.values
    if (!this.#takesAll && !this.#isWanted(new WrittenPage(record))) return
    if (values) record.complete()
    if (!this.lines.reserve()) return
    if (values) {
      const page = record.compact<Page>(values)
      this.put(page, values, page.revision)
    } else record.putLine(this.lines.output)
    this.count(record, '', 'revision.', () => false)
  }

  /** Whether there is nothing to be decided. */
  get #takesAll(): boolean {
    const { namespaces, redirects = 'in', isWanted } = this.filter
    return !isWanted && !namespaces && redirects === 'in'
  }

  #isWanted(page: PageTraits): boolean {
    const { namespaces, redirects = 'in', onNamespace, isWanted } = this.filter
    // What is looked at is decoded.
    const ns = namespaces && page.ns
    if (namespaces && (ns === undefined || !namespaces.has(ns))) return false
    if (ns !== undefined) onNamespace?.(ns)
    if (redirects !== 'in' && (redirects === 'only') !== (page.redirect !== undefined)) return false
    return !isWanted || isWanted(page)
  }
}

export class RevisionLineCollector extends LineCollector<RevisionLineFilter> {
  readonly #pages = new PagesOfRevisions()
  /** The chosen fields of the page. */
  readonly #ofPage: ChosenFields | undefined
  /** The page of the last line, as its lines begin. */
  #begun: { readonly page: PageFacts; readonly bytes: Uint8Array } | undefined

  constructor(filter: RevisionLineFilter) {
    super(REVISIONS, filter)
    this.#ofPage = this.chosen?.only(isOfPage)
  }

  protected get wantsUsual(): ((fields: FieldTexts) => boolean) | undefined {
    const { isWanted } = this.filter
    return isWanted && ((fields) => isWanted(new WrittenRevision(fields)))
  }

  protected make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.#pages.isLikeFirst(record)) {
      const page = this.#pages.factsOf(record)
      if (page) this.#putWith(page, record)
    } else if (this.#isWanted(new WrittenRevision(record))) {
      record.putLine(this.lines.output)
      this.#count(record)
    }
  }

  /** Writes a revision with a page that its line does not have, or not as the first revision found it. */
  #putWith(page: PageFacts, record: RecordView): void {
    if (record.hasLine && !record.isLineComplete) {
      if (!this.#isWanted(new WrittenRevision(record))) return
      this.#putAfterPage(record, page)
      this.#count(record)
      return
    }
    const { ownValues } = record
    if (!ownValues || !this.#isWanted(new WrittenRevision(record))) return
    const revision = completed(record, page)
    const readPage = () => record.value('page')
    const values = {
      ...record.ownValues,
      // What was read of the page, only if that is asked for.
      get page() {
        return readPage()
      },
    }
    this.put(revision, values, revision)
    this.#count(record)
  }

  /** Whether a revision is wanted, and makes room for its line. */
  #isWanted(revision: PageRevisionTraits): boolean {
    const { isWanted } = this.filter
    return (!isWanted || isWanted(revision)) && this.lines.reserve()
  }

  #count(record: RecordView): void {
    this.count(record, 'page.', '', (page) => page === this.lines.lastPage)
  }

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(record: RecordView, page: PageFacts): void {
    const { output } = this.lines
    const beginning = this.#beginningOf(page)
    const isJson = (this.filter.choice?.notation.mode ?? 'object') === 'object'
    output.put(beginning)
    // In JSON, its brace is there already.
    if (isJson && beginning.length > 1 && record.lineLength > EMPTY_LENGTH) output.putByte(COMMA)
    record.putLine(output, isJson ? 1 : 0)
  }

  #beginningOf(page: PageFacts): Uint8Array {
    if (this.#begun?.page !== page) {
      const beginning = this.#ofPage ? this.#ofPage.begin({ page }) : formatJson({ page }).slice(0, -1)
      this.#begun = { page, bytes: encoder.encode(beginning) }
    }
    return this.#begun.bytes
  }
}
