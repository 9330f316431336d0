// From a dump to lines.

import { decider } from '../stream/options.ts'
import { formatJson } from '../text/json.ts'
import type { LineForm } from '../xml/output/line-form.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { RecordPlan } from '../xml/question/plan.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import { addFields, type RecordKind } from './added-fields.ts'
import { ChosenFields, type LineChoice } from './chosen-fields.ts'
import { Collector, completed, outlineOf, PagesOfRevisions } from './collectors.ts'
import { LineOutput, NoteBit, notesOf } from './line-output.ts'
import { makeOutline, makePage, PAGE, PAGE_WITHOUT_TEXT, type Page, type PageFacts } from './page.ts'
import { canChoose, isOfPage, lineFormOf } from './page-form.ts'
import type {
  LineFilter,
  PageLineFilter,
  PageLines,
  PageRevisionTraits,
  PageTraits,
  RevisionLineFilter,
} from './page-lines.ts'
import { PAGE_REVISION, PAGE_REVISION_WITHOUT_TEXT } from './page-revision.ts'
import type { Revision } from './revision.ts'
import { WrittenPage, WrittenRevision } from './traits.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
const IS_REVISION = 1 << NoteBit.REVISION

/** A kind of records: where they are, and what is read of them, with their texts or without. */
interface LineKind {
  readonly kind: RecordKind
  readonly path: 'page' | 'page/revision'
  readonly shape: XmlShape
  readonly withoutText: XmlShape
}

const PAGES: LineKind = {
  kind: 'pages',
  path: 'page',
  shape: PAGE,
  withoutText: PAGE_WITHOUT_TEXT,
}
const REVISIONS: LineKind = {
  kind: 'revisions',
  path: 'page/revision',
  shape: PAGE_REVISION,
  withoutText: PAGE_REVISION_WITHOUT_TEXT,
}

/** Whether the kernel can write what is chosen. */
function isForKernel(kind: RecordKind, { fields, notation }: LineChoice): boolean {
  return notation.mode !== undefined && canChoose(kind, fields)
}

/** Whether texts are to be decoded where there are objects: if they are written, or looked at. */
function needsText(kind: RecordKind, { choice, observer }: LineFilter): boolean {
  const isOfText = (name: string) => /^(?:revision|(?:revision\.)?text)$/.test(name)
  if (!choice || observer || choice.fields.some(isOfText)) return true
  // The kernel decodes nothing that is not written.
  return isForKernel(kind, choice)
}

abstract class LineCollector<Filter extends LineFilter> extends Collector<PageLines> {
  protected readonly filter: Filter
  protected readonly lines: LineOutput
  protected readonly chosen: ChosenFields | undefined
  readonly #kind: LineKind

  constructor(kind: LineKind, filter: Filter) {
    const { limit, choice, isWanted } = filter
    const shape = needsText(kind.kind, filter) ? kind.shape : kind.withoutText
    super(kind.path, addFields(kind.kind, shape, choice?.fields))
    this.#kind = kind
    this.filter = { ...filter, isWanted: isWanted && decider('isWanted', isWanted) }
    this.chosen = choice && new ChosenFields(kind.kind, choice)
    this.lines = new LineOutput(limit, choice?.notation.lineEnd)
  }

  override get isOver(): boolean {
    return super.isOver || this.lines.isFull
  }

  override take(): PageLines[] {
    return [...super.take(), ...this.lines.take()]
  }

  protected override lineForm(plan: RecordPlan): LineForm | undefined {
    const { choice, observer } = this.filter
    // Where texts are looked at, there are objects.
    const canWrite = !observer && (!choice || isForKernel(this.#kind.kind, choice))
    return canWrite ? lineFormOf(plan, choice) : undefined
  }

  /** Writes a record that is an object. `values` has what was read of it, for fields that are added. */
  protected put(record: object, values: object, revision: Revision | undefined): void {
    const { lines, chosen } = this
    const { observer } = this.filter
    lines.output.putText(chosen ? chosen.write(record, values) : formatJson(record))
    lines.endLine()
    observer?.keep(observer.look(revision))
  }

  /** Counts a line of a page by its id. */
  protected count(notes: number, page: number, isSame = false): void {
    this.lines.count(notes, isSame)
    this.lines.note(page, page)
  }
}

export class PageLineCollector extends LineCollector<PageLineFilter> {
  constructor(filter: PageLineFilter) {
    super(PAGES, filter)
  }

  protected make(record: RecordView): undefined {
    const isWritten = record.hasLine
    if (!this.#takesAll && !this.#isWanted(isWritten ? new WrittenPage(record) : makeOutline(record))) return
    const page = isWritten ? undefined : (makePage(record, undefined) as Page)
    if (!this.lines.reserve()) return
    if (page) {
      this.put(page, record.values, page.revision)
      this.count(notesOf(page, page.revision), page.id)
    } else {
      record.putLine(this.lines.output)
      this.count(record.notes, Number(record.text('id')))
    }
  }

  /** Whether there is nothing to be decided. */
  get #takesAll(): boolean {
    const { namespaces, redirects = 'in', isWanted } = this.filter
    return !isWanted && !namespaces && redirects === 'in'
  }

  #isWanted(page: PageTraits): boolean {
    const { namespaces, redirects = 'in', onNamespace, isWanted } = this.filter
    // What is looked at is decoded.
    const ns = namespaces || onNamespace ? page.ns : undefined
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

  protected make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.#pages.isLikeFirst(record)) {
      const page = this.#pages.factsOf(record)
      if (page) this.#putWith(page, record)
    } else if (this.#isWanted(new WrittenRevision(record))) {
      record.putLine(this.lines.output)
      this.#count(record.notes | IS_REVISION, Number(record.text('page.id')))
    }
  }

  /** Writes a revision with a page that its line does not have, or not as the first revision found it. */
  #putWith(page: PageFacts, record: RecordView): void {
    if (record.hasLine && !record.isLineComplete) {
      if (!this.#isWanted(new WrittenRevision(record, page))) return
      this.#putAfterPage(record, page)
      this.#count(record.notes | IS_REVISION | notesOf(page, undefined), page.id)
      return
    }
    const outline = outlineOf(record, page)
    if (!this.#isWanted(outline)) return
    const revision = completed(record, outline)
    const readPage = () => record.value('page')
    const values = {
      ...record.ownValues,
      // What was read of the page, only if that is asked for.
      get page() {
        return readPage()
      },
    }
    this.put(revision, values, revision)
    this.#count(notesOf(page, revision), page.id)
  }

  /** Whether a revision is wanted, and makes room for its line. */
  #isWanted(revision: PageRevisionTraits): boolean {
    const { isWanted } = this.filter
    return (!isWanted || isWanted(revision)) && this.lines.reserve()
  }

  #count(notes: number, page: number): void {
    this.count(notes, page, page === this.lines.lastPage)
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
