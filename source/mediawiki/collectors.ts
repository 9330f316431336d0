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
import type { FoundRecord } from '../xml/output/found-record.ts'
import type { LineForm } from '../xml/output/line-form.ts'
import type { LineRun, LineTaker } from '../xml/output/line-run.ts'
import { ObjectWriter } from '../xml/output/objects.ts'
import type { Detour } from '../xml/parser/detour.ts'
import type { FieldPlan, RecordPlan } from '../xml/projection/plan.ts'
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
import { canChoose, isOfPage, PageForm } from './page-form.ts'
import type { PageLineFilter, PageLines, PageRevisionTraits, PageTraits, RevisionLineFilter } from './page-lines.ts'
import {
  PAGE_REVISION,
  PAGE_REVISION_WITHOUT_TEXT,
  type PageRevision,
  type PageRevisionFacts,
} from './page-revision.ts'
import { addContent, makeRevision, type RevisionFacts } from './revision.ts'
import { requireRoot } from './site-info.ts'
import type { UsualKernel } from './usual-fields.ts'
import { makeUsualRecords, type UsualRecords, type UsualRecordsOptions } from './usual-records.ts'
import { type WrittenFields, WrittenPage, WrittenPageRevision } from './written-traits.ts'

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
  #writer: ObjectWriter<Item> | undefined
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
    const { plan } = projection
    const make = (record: FoundRecord) => this.#makeInPlace(record)
    const lines = this.lines && this.#takeInPlace(this.lines)
    const writer = new ObjectWriter<Item>({
      isLenient: true,
      parse: parseElement,
      make,
      lines,
      wantsEmptyOuter: true,
      onFault,
    })
    const onRoot = (name: Name, attributes: XmlAttributes, start: number) => {
      requireRoot(name, attributes, start)
      this.#hasRoot = true
    }
    this.#writer = writer
    const lineForm = this.started(writer, plan)
    this.#projector = new Projector({
      projection,
      writer,
      lineForm,
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

  /** A stretch begins. Gives what the kernel is to write of each record; undefined for nothing. */
  protected started(_writer: ObjectWriter<Item>, _plan: RecordPlan): LineForm | undefined {
    return undefined
  }

  /** What takes the lines that the kernel writes of whole records; undefined if it writes none. */
  protected get lines(): LineTaker | undefined {
    return undefined
  }

  /** What becomes of a record; undefined for nothing. Throws a `Fault` for anything that is not a page, revision or log item. */
  protected abstract make(record: FoundRecord): Item | undefined

  /** Where the page or the log item begins that a record belongs to. */
  protected pageStart({ start }: FoundRecord): number {
    return start
  }

  /** The name of the element that is open in a page. */
  protected childOf({ field }: OutermostRecord): string | undefined {
    return field === 'uploads' ? 'upload' : field
  }

  #makeInPlace(record: FoundRecord): Item | undefined {
    return this.#isInPlace(record) ? this.make(record) : undefined
  }

  #takeInPlace({ canTake, isWanted, add }: LineTaker): LineTaker {
    return { canTake, isWanted: (record) => this.#isInPlace(record) && isWanted(record), add }
  }

  /** Whether a record is before the end of what is wanted. */
  #isInPlace(record: FoundRecord): boolean {
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

  protected make(record: FoundRecord): Page | undefined {
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
  prefixes: { page: '', revision: 'revision.' },
}
const REVISIONS: UsualKernel = {
  module: revisionsModule,
  fields: revisionsFields,
  prefixes: { page: 'page.', revision: '' },
}

/** Lines of pages: those of usual pages, which a detour writes, and those that are written from what was captured. */
export class PageLineCollector extends Collector<PageLines> {
  readonly #filter: PageLineFilter
  readonly #chosen: ChosenFields | undefined
  readonly #lines: LineOutput
  #json: PageForm | undefined

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
    const isWanted = (fields: WrittenFields) => {
      page ??= new WrittenPage(fields)
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

  protected override started(writer: ObjectWriter<PageLines>, plan: RecordPlan): LineForm | undefined {
    const { choice, observer } = this.#filter
    // Where texts are looked at, there are objects.
    if (observer || (choice && !isForKernel('pages', choice))) return undefined
    this.#json = new PageForm(writer, plan, choice)
    return this.#json.form
  }

  protected override get lines(): LineTaker {
    return {
      isWanted: (record) => this.#isWanted(record) && this.#lines.reserve(),
      add: (run) => this.#add(run),
    }
  }

  protected make(record: FoundRecord): undefined {
    if (!this.#isWanted(record)) return
    const page = makePage(record, undefined) as Page
    const lines = this.#lines
    if (!lines.reserve()) return
    lines.output.putText(this.#chosen ? this.#chosen.write(page, record.values) : formatJson(page))
    lines.endLine()
    lines.count(notesOf(page, page.revision), false)
    lines.note(page.id, page.id)
    const { observer } = this.#filter
    observer?.keep(observer.look(page.revision))
  }

  #add(run: LineRun): void {
    const lines = this.#lines
    lines.put(run)
    const { count } = run
    for (let i = 0; i < count; i++) lines.count(run.notesOf(i), false)
    const json = this.#json as PageForm
    lines.note(json.idOf(run.entryOf(0)), json.idOf(run.entryOf(count - 1)))
  }

  /** Whether there is nothing to be decided. */
  get #takesAll(): boolean {
    const { namespaces, redirects = 'in', isWanted } = this.#filter
    return !isWanted && !namespaces && redirects === 'in'
  }

  #isWanted(record: FoundRecord): boolean {
    if (this.#takesAll) return true
    return this.#isWantedPage(record.hasLine ? (this.#json as PageForm).traitsOf(record.entry) : makeOutline(record))
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
  /** The field that has the page. */
  #field: FieldPlan | undefined
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined
  /** The page of the last line that the kernel has written: where it begins, its first revision, and what that found of it. */
  #first: { readonly start: number; readonly revision: number; readonly page: number } | undefined

  constructor(shape: XmlShape = PAGE_REVISION) {
    super('page/revision', shape)
  }

  protected override pageStart(record: FoundRecord): number {
    return this.#startOfPage(record) ?? record.start
  }

  protected override childOf({ field, hasInner }: OutermostRecord): string | undefined {
    return hasInner ? 'revision' : field
  }

  protected override started(_writer: ObjectWriter<Item>, plan: RecordPlan): LineForm | undefined {
    this.#field = plan.fields.find(({ name }) => name === 'page')
    return undefined
  }

  protected make(record: FoundRecord): Item | undefined {
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
  #startOfPage(record: FoundRecord): number | undefined {
    return record.isOuter ? undefined : record.startOf(this.#field as FieldPlan)
  }

  /** What becomes of a revision of a page. */
  protected abstract makeRevision(record: FoundRecord, page: PageFacts): Item | undefined

  /**
   * Whether the line of a revision has what the first revision of its page found of the page, and the page is valid. `isSame`: whether two entries of a
   * page say the same.
   */
  protected isLikeFirst(record: FoundRecord, isSame: (page: number, other: number) => boolean): boolean {
    const field = this.#field as FieldPlan
    const start = record.startOf(field) as number
    if (this.#page?.start === start) return false
    const page = record.entryOf(field)
    if (this.#first?.start === start) return isSame(this.#first.page, page)
    this.#first = { start, revision: record.entry, page }
    return true
  }

  /** What was read of a revision, for fields that are added: of its page, only if that is asked for. */
  protected valuesOf(record: FoundRecord): object {
    const readPage = () => record.readField(this.#field as FieldPlan)
    return {
      ...record.ownValues,
      get page() {
        return readPage()
      },
    }
  }

  /** The data of a page as its first revision found it. A page that is not valid is reported once, and not at each of its revisions. */
  #factsOf(record: FoundRecord, start: number): PageFacts | undefined {
    if (this.#page?.start === start) return this.#page.facts
    this.#page = { start, facts: undefined }
    const first = this.#first?.start === start ? this.#first.revision : record.entry
    const values = record.readField(this.#field as FieldPlan, first) as XmlRecord<typeof PAGE_AROUND>
    const facts = makeFacts(values, { start })
    this.#page = { start, facts }
    return facts
  }
}

/** What is known of a revision without its text. */
function outlineOf({ ownValues }: FoundRecord, page: PageFacts): PageRevisionFacts {
  return { page, ...makeRevision(ownValues as unknown as RevisionRecord) }
}

/** A revision with its text, of what is known without it. */
function completed(record: FoundRecord, facts: PageRevisionFacts): PageRevision {
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

  protected makeRevision(record: FoundRecord, page: PageFacts): PageRevision | undefined {
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
  #json: PageForm | undefined
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
      ((fields: WrittenFields) => {
        revision ??= new WrittenPageRevision(fields, new WrittenPage(fields))
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

  protected override started(writer: ObjectWriter<PageLines>, plan: RecordPlan): LineForm | undefined {
    super.started(writer, plan)
    if (this.#observer || (this.#choice && !isForKernel('revisions', this.#choice))) return undefined
    this.#json = new PageForm(writer, plan, this.#choice)
    return this.#json.form
  }

  protected override get lines(): LineTaker {
    return {
      canTake: (record) => {
        return this.isLikeFirst(record, (page, other) => (this.#json as PageForm).isSamePage(page, other))
      },
      isWanted: ({ entry }) => this.#isWantedRevision(entry) && this.#lines.reserve(),
      add: (run) => this.#add(run),
    }
  }

  protected makeRevision(record: FoundRecord, page: PageFacts): undefined {
    const json = this.#json as PageForm
    // A line with a page has another one.
    const { isPart, entry } = record
    if (this.#isWanted && !this.#isWanted(isPart ? json.traitsOfRevision(entry, page) : outlineOf(record, page))) return
    const lines = this.#lines
    const isSame = lines.lastPage === page.id
    if (isPart) {
      if (!lines.reserve()) return
      this.#putAfterPage(record, page)
      lines.count(record.notes | IS_REVISION | notesOf(page, undefined), isSame)
    } else {
      const revision = completed(record, outlineOf(record, page))
      if (!lines.reserve()) return
      lines.output.putText(this.#chosen?.write(revision, this.valuesOf(record)) ?? formatJson(revision))
      lines.endLine()
      lines.count(notesOf(page, revision), isSame)
      this.#observer?.keep(this.#observer.look(revision))
    }
    lines.note(page.id, page.id)
  }

  #isWantedRevision(entry: number): boolean {
    if (!this.#isWanted) return true
    const json = this.#json as PageForm
    return this.#isWanted(json.traitsOfRevision(entry, json.traitsOf(json.otherOf(entry))))
  }

  #add(run: LineRun): void {
    const json = this.#json as PageForm
    const lines = this.#lines
    lines.put(run)
    for (let i = 0; i < run.count; i++) {
      const isSame = i > 0 && run.aroundOf(i) === run.aroundOf(i - 1)
      const page = isSame ? (lines.lastPage as number) : json.idOf(json.otherOf(run.entryOf(i)))
      lines.count(run.notesOf(i) | IS_REVISION, page === lines.lastPage)
      lines.note(page, page)
    }
  }

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(record: FoundRecord, page: PageFacts): void {
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

  protected make({ values, start, end, place }: FoundRecord): PagePlace {
    return { ...makeFacts(values as XmlRecord<typeof PAGE_PLACE>, { start: place }), start, end }
  }
}

export class LogItemCollector extends Collector<LogItem> {
  constructor() {
    super('logitem', LOG_ITEM)
  }

  protected make({ values, place }: FoundRecord): LogItem {
    return makeLogItem(values as unknown as XmlRecord<typeof LOG_ITEM>, { start: place })
  }
}
