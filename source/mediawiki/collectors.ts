// From a dump to what is delivered: which elements, what is read of them, and what becomes of that.

import { pagesFields, pagesModule } from '../kernel/generated/pages.ts'
import { revisionsFields, revisionsModule } from '../kernel/generated/revisions.ts'
import type { LimitError } from '../stream/errors.ts'
import { decider } from '../stream/options.ts'
import { formatJson } from '../text/json.ts'
import type { ParseError } from '../text/parse-error.ts'
import { Fault } from '../xml/errors/fault.ts'
import type { XmlAttributes } from '../xml/names/attributes.ts'
import type { Name } from '../xml/names/names.ts'
import type { LineForm } from '../xml/output/line-form.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import { RecordWriter } from '../xml/output/record-writer.ts'
import type { Detour } from '../xml/parser/detour.ts'
import type { RecordPlan } from '../xml/projection/plan.ts'
import { projectionOf } from '../xml/projection/projection.ts'
import { type OutermostRecord, Projector } from '../xml/projection/projector.ts'
import type { XmlRecord, XmlShape } from '../xml/projection/shape.ts'
import { parseElement } from '../xml/tree/parse-element.ts'
import { addFields, type RecordKind } from './added-fields.ts'
import { ChosenFields, type LineChoice } from './chosen-fields.ts'
import { LineOutput, NoteBit, notesOf } from './line-output.ts'
import { LOG_ITEM, type LogItem, makeLogItem } from './log-item.ts'
import {
  describePage,
  makeFacts,
  makeOutline,
  makePage,
  PAGE,
  type PAGE_AROUND,
  PAGE_PLACE,
  PAGE_WITHOUT_TEXT,
  type Page,
  type PageFacts,
  type PageOutline,
} from './page.ts'
import { canChoose, isOfPage, lineFormOf } from './page-form.ts'
import type { PageLineFilter, PageLines, PageRevisionTraits, PageTraits, RevisionLineFilter } from './page-lines.ts'
import {
  PAGE_REVISION,
  PAGE_REVISION_WITHOUT_TEXT,
  type PageRevision,
  type PageRevisionFacts,
} from './page-revision.ts'
import { addContent, makeRevision, type RevisionFacts } from './revision.ts'
import { requireRoot } from './site-info.ts'
import { type FieldTexts, pageTraits, revisionTraits } from './traits.ts'
import type { UsualKernel } from './usual-fields.ts'
import { makeUsualRecords, type UsualRecords, type UsualRecordsOptions } from './usual-records.ts'

/** How a stretch of a dump is read. */
export interface StretchOptions {
  /** Whether it is a dump from its root on, or pages alone. */
  readonly hasRoot: boolean
  /** Gets the error for anything that is not a page, revision or log item. It is then not thrown, and the element is left out. */
  readonly onFault?: ((error: ParseError | LimitError) => void) | undefined
}

/** Collects items, from one stretch of a dump after the other. */
export abstract class Collector<Item extends object> {
  readonly #path: string
  readonly #shape: XmlShape
  #writer: RecordWriter<Item> | undefined
  #projector: Projector | undefined
  /** How many elements are open around a page or a log item. */
  #depth = 0
  #hasRoot = false
  #open: OutermostRecord | undefined
  /** The offset from which on pages are not wanted, as far as it is known; at the first that begins there or later, it is over. */
  ownedUntil: (() => number) | undefined
  /** Where that page begins; undefined as long as it is not over. */
  overAt: number | undefined

  /** `path` matches the elements of which items are made. */
  constructor(path: string, shape: XmlShape) {
    this.#path = path
    this.#shape = shape
  }

  /** Whether the root has begun. */
  get hasRoot(): boolean {
    return this.#hasRoot
  }

  get isOver(): boolean {
    return this.overAt !== undefined
  }

  /** What reads the next stretch. */
  begin({ hasRoot, onFault }: StretchOptions): Projector {
    this.#depth = hasRoot ? 1 : 0
    const projection = projectionOf({ path: this.#path, shape: this.#shape, nested: 'outermost', watch: 'page' })
    const writer = new RecordWriter<Item>({
      isLenient: true,
      parse: parseElement,
      make: (record) => (this.#isInPlace(record) ? this.make(record) : undefined),
      wantsEmptyOuter: true,
      onFault,
    })
    const onRoot = (name: Name, attributes: XmlAttributes, start: number) => {
      requireRoot(name, attributes, start)
      this.#hasRoot = true
    }
    this.#writer = writer
    this.#projector = new Projector({
      projection,
      writer,
      lineForm: this.lineForm(projection.plan),
      onRoot: hasRoot ? onRoot : undefined,
      onWatched: (start, depth) => this.#requirePlace(start, depth),
    })
    return this.#projector
  }

  /** What there is; nothing: an empty array. It has to be asked for whenever the parser stops. */
  take(): Item[] {
    this.#open = this.#projector?.openRecord
    if (this.#open && this.#isForeign(this.#open.start)) this.overAt ??= this.#open.start
    return this.#writer?.take() ?? []
  }

  /** The child of a page that was open when `take` was called last, and which page it was, for messages; undefined between two. */
  describeOpen(): { readonly child: string | undefined; readonly page: string | undefined } {
    return { child: this.#open && this.childOf(this.#open), page: this.#page }
  }

  /** What reads pages instead of the parser; undefined where all are parsed. `depth` elements are open around a page. */
  makeDetour(_depth: number): Detour | undefined {
    return undefined
  }

  /** Usual pages, or what is in them, as lines without the parser; undefined where the kernel cannot run. */
  protected usualRecords(
    depth: number,
    lines: LineOutput,
    options: Pick<UsualRecordsOptions, 'kernel' | 'isWanted' | 'observer' | 'notes'>,
  ): UsualRecords | undefined {
    const ownedUntil = () => this.ownedUntil?.() ?? Number.POSITIVE_INFINITY
    const onOver = (offset: number) => {
      this.overAt = offset
    }
    return makeUsualRecords({ ...options, depth, lines, ownedUntil, onOver })
  }

  /** What the kernel is to write of each record of a stretch that begins; undefined for nothing. */
  protected lineForm(_plan: RecordPlan): LineForm | undefined {
    return undefined
  }

  /** What becomes of a record; undefined for nothing. Throws a `Fault` for anything that is not a page, revision or log item. */
  protected abstract make(record: RecordView): Item | undefined

  /** Where the page or the log item begins that a record belongs to. */
  protected pageStart({ start }: RecordView): number {
    return start
  }

  /** The name of the element that is open in a page. */
  protected childOf({ field }: OutermostRecord): string | undefined {
    return field === 'uploads' ? 'upload' : field
  }

  /** Whether a record is before the end of what is wanted. */
  #isInPlace(record: RecordView): boolean {
    if (this.ownedUntil) {
      const start = this.pageStart(record)
      if (this.#isForeign(start)) this.overAt ??= start
    }
    return !this.isOver
  }

  /** Whether a page that begins at an offset is not wanted. */
  #isForeign(start: number): boolean {
    return this.ownedUntil !== undefined && start >= this.ownedUntil()
  }

  #requirePlace(start: number, depth: number): void {
    if (depth === this.#depth + 1) return
    throw new Fault('a page must be inside <mediawiki>', 'malformed-dump', undefined, start)
  }

  get #page(): string | undefined {
    const [title, id] = [this.#open?.readField('title'), this.#open?.readField('id')] as (string | undefined)[]
    return this.#open && describePage(title, id)
  }
}

/** Pages with their newest revision. */
export class PageCollector extends Collector<Page> {
  readonly #filter: ((page: PageOutline) => boolean) | undefined

  constructor(filter: ((page: PageOutline) => boolean) | undefined) {
    super('page', PAGE)
    this.#filter = filter && decider('filter', filter)
  }

  protected make(record: RecordView): Page | undefined {
    return makePage(record, this.#filter)
  }
}

const encoder = new TextEncoder()
const COMMA = 0x2c
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
const IS_REVISION = 1 << NoteBit.REVISION

/** Whether the kernel can write what is chosen. */
function isForKernel(kind: RecordKind, { fields, notation }: LineChoice): boolean {
  return notation.mode !== undefined && canChoose(kind, fields)
}

/** Whether texts are to be decoded where there are objects: if they are written, or looked at. */
function needsText(kind: RecordKind, { choice, observer }: PageLineFilter | RevisionLineFilter): boolean {
  const isOfText = (name: string) => /^(?:revision|(?:revision\.)?text)$/.test(name)
  if (!choice || observer || choice.fields.some(isOfText)) return true
  // The kernel decodes nothing that is not written.
  return isForKernel(kind, choice)
}

const PAGES: UsualKernel = {
  module: pagesModule,
  fields: pagesFields,
  revision: 'revision.',
}
const REVISIONS: UsualKernel = {
  module: revisionsModule,
  fields: revisionsFields,
  revision: '',
}

/** Lines of pages: those of usual pages, which a detour writes, and those that are written from what was captured. */
export class PageLineCollector extends Collector<PageLines> {
  readonly #filter: PageLineFilter
  readonly #chosen: ChosenFields | undefined
  readonly #lines: LineOutput

  constructor(filter: PageLineFilter) {
    super('page', addFields('pages', needsText('pages', filter) ? PAGE : PAGE_WITHOUT_TEXT, filter.choice?.fields))
    const { isWanted } = filter
    this.#filter = { ...filter, isWanted: isWanted && decider('isWanted', isWanted) }
    this.#chosen = filter.choice && new ChosenFields('pages', filter.choice)
    this.#lines = new LineOutput(filter.limit, filter.choice?.notation.lineEnd)
  }

  override makeDetour(depth: number): Detour | undefined {
    if (this.#filter.choice) return undefined
    let page: PageTraits | undefined
    const isWanted = (fields: FieldTexts) => {
      page ??= pageTraits(fields)
      return this.#isWantedPage(page)
    }
    return this.usualRecords(depth, this.#lines, {
      kernel: PAGES,
      notes: 0,
      isWanted: this.#takesAll ? undefined : isWanted,
      observer: this.#filter.observer,
    })
  }

  override get isOver(): boolean {
    return super.isOver || this.#lines.isFull
  }

  override take(): PageLines[] {
    return [...super.take(), ...this.#lines.take()]
  }

  protected override lineForm(plan: RecordPlan): LineForm | undefined {
    const { choice, observer } = this.#filter
    // Where texts are looked at, there are objects.
    const canWrite = !observer && (!choice || isForKernel('pages', choice))
    return canWrite ? lineFormOf(plan, choice) : undefined
  }

  protected make(record: RecordView): undefined {
    const isWritten = record.hasLine
    if (!this.#takesAll && !this.#isWantedPage(isWritten ? pageTraits(record) : makeOutline(record))) return
    const page = isWritten ? undefined : (makePage(record, undefined) as Page)
    const lines = this.#lines
    if (!lines.reserve()) return
    if (page) {
      lines.output.putText(this.#chosen ? this.#chosen.write(page, record.values) : formatJson(page))
      lines.endLine()
    } else record.putLine(lines.output)
    lines.count(page ? notesOf(page, page.revision) : record.notes, false)
    const id = page ? page.id : Number(record.text('id'))
    lines.note(id, id)
    const { observer } = this.#filter
    if (page) observer?.keep(observer.look(page.revision))
  }

  /** Whether there is nothing to be decided. */
  get #takesAll(): boolean {
    const { namespaces, redirects = 'in', isWanted } = this.#filter
    return !isWanted && !namespaces && redirects === 'in'
  }

  #isWantedPage(page: PageTraits): boolean {
    const { namespaces, redirects = 'in', onNamespace, isWanted } = this.#filter
    // What is looked at is decoded.
    const ns = namespaces || onNamespace ? page.ns : undefined
    if (namespaces && (ns === undefined || !namespaces.has(ns))) return false
    if (ns !== undefined) onNamespace?.(ns)
    if (redirects !== 'in' && (redirects === 'only') !== (page.redirect !== undefined)) return false
    return !isWanted || isWanted(page)
  }
}

type RevisionRecord = XmlRecord<typeof PAGE_REVISION>

/** Reads revisions, each with its page. */
abstract class RevisionwiseCollector<Item extends object> extends Collector<Item> {
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined
  /** The page of the last line that the kernel has written completely: where it begins, and the entry of its first revision. */
  #first: { readonly start: number; readonly revision: number } | undefined

  constructor(shape: XmlShape = PAGE_REVISION) {
    super('page/revision', shape)
  }

  protected override pageStart(record: RecordView): number {
    return this.#startOfPage(record) ?? record.start
  }

  protected override childOf({ field, hasInner }: OutermostRecord): string | undefined {
    return hasInner ? 'revision' : field
  }

  protected make(record: RecordView): Item | undefined {
    const start = this.#startOfPage(record)
    if (start !== undefined) {
      const facts = this.#factsOf(record, start)
      return facts && this.makeRevision(record, facts)
    }
    // A page without revisions must be valid, too.
    makeFacts(record.values as XmlRecord<typeof PAGE_AROUND>, { start: record.place })
    return undefined
  }

  /** Where the page of a revision begins; undefined for a page. */
  #startOfPage(record: RecordView): number | undefined {
    return record.isOuter ? undefined : record.startOf('page')
  }

  /** What becomes of a revision of a page. */
  protected abstract makeRevision(record: RecordView, page: PageFacts): Item | undefined

  /** Whether the line of a revision has what the first revision of its page found of the page, and the page is valid. */
  protected isLikeFirst(record: RecordView): boolean {
    const start = record.startOf('page') as number
    if (this.#page?.start === start) return false
    if (this.#first?.start === start) return record.hasSame('page', this.#first.revision)
    this.#first = { start, revision: record.entry }
    return true
  }

  /** What was read of a revision, for fields that are added: of its page, only if that is asked for. */
  protected valuesOf(record: RecordView): object {
    const readPage = () => record.value('page')
    return {
      ...record.ownValues,
      get page() {
        return readPage()
      },
    }
  }

  /** The data of a page as its first revision found it. A page that is not valid is reported once, and not at each of its revisions. */
  #factsOf(record: RecordView, start: number): PageFacts | undefined {
    if (this.#page?.start === start) return this.#page.facts
    this.#page = { start, facts: undefined }
    const first = this.#first?.start === start ? this.#first.revision : record.entry
    const values = record.value('page', first) as XmlRecord<typeof PAGE_AROUND>
    const facts = makeFacts(values, { start })
    this.#page = { start, facts }
    return facts
  }
}

/** What is known of a revision without its text. */
function outlineOf({ ownValues }: RecordView, page: PageFacts): PageRevisionFacts {
  return { page, ...makeRevision(ownValues as unknown as RevisionRecord) }
}

/** A revision with its text, of what is known without it. */
function completed(record: RecordView, facts: PageRevisionFacts): PageRevision {
  const { ownValues } = record
  record.addLate(ownValues)
  addContent(facts as RevisionFacts, ownValues as unknown as RevisionRecord)
  return facts
}

/** Revisions with their pages. */
export class RevisionCollector extends RevisionwiseCollector<PageRevision> {
  readonly #filter: ((revision: PageRevisionFacts) => boolean) | undefined

  constructor(filter: ((revision: PageRevisionFacts) => boolean) | undefined) {
    super(PAGE_REVISION)
    this.#filter = filter && decider('filter', filter)
  }

  protected makeRevision(record: RecordView, page: PageFacts): PageRevision | undefined {
    const facts = outlineOf(record, page)
    return this.#filter && !this.#filter(facts) ? undefined : completed(record, facts)
  }
}

/** Lines of revisions. */
export class RevisionLineCollector extends RevisionwiseCollector<PageLines> {
  readonly #isWanted: RevisionLineFilter['isWanted']
  readonly #observer: RevisionLineFilter['observer']
  readonly #choice: LineChoice | undefined
  /** The fields that are written, and those of them that are of the page. */
  readonly #chosen: ChosenFields | undefined
  readonly #ofPage: ChosenFields | undefined
  readonly #lines: LineOutput
  /** The page of the last line, as its lines begin. */
  #begun: { readonly page: PageFacts; readonly bytes: Uint8Array } | undefined

  constructor(filter: RevisionLineFilter) {
    super(
      addFields(
        'revisions',
        needsText('revisions', filter) ? PAGE_REVISION : PAGE_REVISION_WITHOUT_TEXT,
        filter.choice?.fields,
      ),
    )
    const { isWanted, limit, choice, observer } = filter
    this.#isWanted = isWanted && decider('isWanted', isWanted)
    this.#observer = observer
    this.#choice = choice
    this.#chosen = choice && new ChosenFields('revisions', choice)
    this.#ofPage = this.#chosen?.only(isOfPage)
    this.#lines = new LineOutput(limit, choice?.notation.lineEnd)
  }

  override makeDetour(depth: number): Detour | undefined {
    if (this.#choice) return undefined
    const filter = this.#isWanted
    let revision: PageRevisionTraits | undefined
    const isWanted =
      filter &&
      ((fields: FieldTexts) => {
        revision ??= revisionTraits(fields)
        return filter(revision)
      })
    return this.usualRecords(depth, this.#lines, {
      kernel: REVISIONS,
      notes: IS_REVISION,
      isWanted,
      observer: this.#observer,
    })
  }

  override get isOver(): boolean {
    return super.isOver || this.#lines.isFull
  }

  override take(): PageLines[] {
    return [...super.take(), ...this.#lines.take()]
  }

  protected override lineForm(plan: RecordPlan): LineForm | undefined {
    const choice = this.#choice
    const canWrite = !this.#observer && (!choice || isForKernel('revisions', choice))
    return canWrite ? lineFormOf(plan, choice) : undefined
  }

  protected override make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.isLikeFirst(record)) {
      super.make(record)
      return
    }
    const lines = this.#lines
    if ((this.#isWanted && !this.#isWanted(revisionTraits(record))) || !lines.reserve()) return
    record.putLine(lines.output)
    this.#count(record.notes | IS_REVISION, Number(record.text('page.id')))
  }

  protected makeRevision(record: RecordView, page: PageFacts): undefined {
    // A line with a page has another one.
    const isPart = record.hasLine && !record.isLineComplete
    if (this.#isWanted && !this.#isWanted(isPart ? revisionTraits(record, page) : outlineOf(record, page))) return
    const lines = this.#lines
    if (isPart) {
      if (!lines.reserve()) return
      this.#putAfterPage(record, page)
      this.#count(record.notes | IS_REVISION | notesOf(page, undefined), page.id)
    } else {
      const revision = completed(record, outlineOf(record, page))
      if (!lines.reserve()) return
      lines.output.putText(this.#chosen?.write(revision, this.valuesOf(record)) ?? formatJson(revision))
      lines.endLine()
      this.#count(notesOf(page, revision), page.id)
      this.#observer?.keep(this.#observer.look(revision))
    }
  }

  #count(notes: number, page: number): void {
    this.#lines.count(notes, page === this.#lines.lastPage)
    this.#lines.note(page, page)
  }

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(record: RecordView, page: PageFacts): void {
    const { output } = this.#lines
    const beginning = this.#beginningOf(page)
    const isJson = (this.#choice?.notation.mode ?? 'object') === 'object'
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

/** A page, and where it stands. */
export interface PagePlace extends Pick<PageFacts, 'id' | 'ns' | 'title' | 'redirect'> {
  /** Offsets in bytes of the decompressed dump: where its start tag begins and its end tag ends. */
  start: number
  end: number
}

/** Where pages are. */
export class PlaceCollector extends Collector<PagePlace> {
  constructor() {
    super('page', PAGE_PLACE)
  }

  protected make({ values, start, end, place }: RecordView): PagePlace {
    return { ...makeFacts(values as XmlRecord<typeof PAGE_PLACE>, { start: place }), start, end }
  }
}

export class LogItemCollector extends Collector<LogItem> {
  constructor() {
    super('logitem', LOG_ITEM)
  }

  protected make({ values, place }: RecordView): LogItem {
    return makeLogItem(values as unknown as XmlRecord<typeof LOG_ITEM>, { start: place })
  }
}
