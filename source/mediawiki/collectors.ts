// From a dump to what is delivered: which elements, what is read of them, and what becomes of that.

import type { Report } from '../record/report.ts'
import type { RecordValues } from '../record/value.ts'
import { decider } from '../stream/options.ts'
import type { XmlError } from '../xml/errors/errors.ts'
import { UnplacedError } from '../xml/errors/unplaced-error.ts'
import type { XmlAttributes } from '../xml/names/attributes.ts'
import type { Name } from '../xml/names/names.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import { RecordWriter } from '../xml/output/record-writer.ts'
import type { OutermostRecord } from '../xml/projection/open-fields.ts'
import { Projector } from '../xml/projection/projector.ts'
import type { LineFormOptions } from '../xml/question/line-form.ts'
import { projectionOf } from '../xml/question/projection.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import { parseElement } from '../xml/tree/parse-element.ts'
import { LOG_ITEM, type LogItem } from './shape/log-item.ts'
import { describePage, PAGE, PAGE_PLACE, type Page, type PageFacts, type PageOutline } from './shape/page.ts'
import { PAGE_REVISION, type PageRevision, type PageRevisionFacts } from './shape/page-revision.ts'
import type { RevisionFacts } from './shape/revision.ts'
import { isBefore, type RootFacts, requireRoot, SITE_INFO, type SiteInfo } from './shape/site-info.ts'

/** Where records are. */
type RecordPath = 'page' | 'page/revision' | 'logitem' | '/mediawiki/siteinfo'

/** Collects items, from one stretch of a dump after the other. */
export abstract class Collector<Item extends object> {
  /** What is counted; undefined for records that are objects. */
  readonly report: Pick<Report, 'data'> | undefined
  readonly #path: RecordPath
  readonly #shape: XmlShape
  #writer: RecordWriter<Item> | undefined
  #projector: Projector | undefined
  #root: RootFacts | undefined
  #open: OutermostRecord | undefined
  /** The offset from which on pages are not wanted, as far as it is known; at the first that begins there or later, it is over. */
  ownedUntil: (() => number) | undefined
  /** Where that page begins; undefined as long as it is not over. */
  overAt: number | undefined

  /** `path` matches the elements of which items are made. */
  constructor(path: RecordPath, shape: XmlShape, report?: Pick<Report, 'data'>) {
    this.#path = path
    this.#shape = shape
    this.report = report
  }

  /** Whether the root has begun. */
  get hasRoot(): boolean {
    return this.#root !== undefined
  }

  /** What stands on the root; undefined before that has begun. */
  protected get root(): RootFacts | undefined {
    return this.#root
  }

  get isOver(): boolean {
    return this.overAt !== undefined
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#projector?.retainedFrom
  }

  /** Whether it stands in the root, between two records. */
  get isInRoot(): boolean {
    return this.#projector?.depth === 1
  }

  /**
   * What reads the next stretch. `onFault` gets the error for anything that is not a page, revision or log item: it is then not thrown, and the element is
   * left out.
   */
  begin(onFault?: (error: XmlError) => void): Projector {
    const projection = projectionOf({ path: this.#path, shape: this.#shape, nested: 'outermost', watch: 'page' })
    const writer = new RecordWriter<Item>({
      isLenient: false,
      parsing: { parseElement },
      make: (record) => (this.#isInPlace(record) ? this.make(record) : undefined),
      wantsEmptyOuter: true,
      mayLack: ({ since }) => since !== undefined && !this.needsIds && isBefore(this.#root, since),
      onFault,
    })
    const onRoot = (name: Name, attributes: XmlAttributes, start: number) => {
      this.#root = requireRoot(name, attributes, start)
    }
    this.#writer = writer
    this.#projector = new Projector({
      projection,
      writer,
      written: this.written,
      onRoot,
      onWatched: (start, depth) => this.passPage(start, depth),
    })
    return this.#projector
  }

  /**
   * What there is; nothing: an empty array. It has to be asked for whenever the parser stops. `failedAt`: where the parser has failed, if it has. The
   * record that is open may come after a record that is wrong.
   */
  take(failedAt = Number.POSITIVE_INFINITY): Item[] {
    this.#open = this.#projector?.openRecord
    const open = this.#open
    if (open && open.start <= failedAt && this.#isForeign(open.start)) this.overAt ??= open.start
    return this.#writer?.take() ?? []
  }

  /** What there still is when no more records come, because of the end, of a limit or of an error; nothing: an empty array. */
  finish(): Item[] {
    return []
  }

  /** The child of a page that was open when `take` was called last, and which page it was, for messages; undefined between two. */
  describeOpen(): { readonly child: string | undefined; readonly page: string | undefined } {
    return { child: this.#child, page: this.#page }
  }

  /** What the kernel is to write of each record; undefined for nothing. */
  protected get written(): LineFormOptions | undefined {
    return undefined
  }

  /** Whether an id must be there, also in dumps whose schema does not require it. */
  protected get needsIds(): boolean {
    return true
  }

  /** What becomes of a record; undefined for nothing. Throws an `UnplacedError` for anything that is not a page, revision or log item. */
  protected abstract make(record: RecordView): Item | undefined

  /** Whether a record is before the end of what is wanted. */
  #isInPlace(record: RecordView): boolean {
    if (this.ownedUntil) {
      const ofPage = this.#path === 'page/revision' && !record.isOuter
      const start = (ofPage ? record.startOf('page') : undefined) ?? record.start
      if (this.#isForeign(start)) this.overAt ??= start
    }
    return !this.isOver
  }

  /** Whether a page that begins at an offset is not wanted. */
  #isForeign(start: number): boolean {
    return this.ownedUntil !== undefined && start >= this.ownedUntil()
  }

  /** Called where a page begins. */
  protected passPage(start: number, depth: number): void {
    if (depth === 2) return
    throw new UnplacedError('a page must be inside <mediawiki>', 'malformed-dump', undefined, start)
  }

  /** The name of the element that is open in a page. */
  get #child(): string | undefined {
    const { field, hasInner = false } = this.#open ?? {}
    if (this.#path === 'page/revision' && hasInner) return 'revision'
    return field === 'uploads' ? 'upload' : field
  }

  get #page(): string | undefined {
    const [title, id] = [this.#open?.readField('title'), this.#open?.readField('id')]
    return this.#open && describePage(title as string | undefined, id as number | undefined)
  }
}

/** Pages with their newest revision. */
export class PageCollector extends Collector<Page> {
  readonly #filter: ((page: PageOutline) => boolean) | undefined

  constructor(filter: ((page: PageOutline) => boolean) | undefined) {
    super('page', PAGE)
    this.#filter = filter && decider('filter', filter)
  }

  protected override get needsIds(): boolean {
    return false
  }

  protected make(record: RecordView): Page | undefined {
    if (this.#filter && !this.#filter(record.compact(record.values))) return undefined
    return record.compact(record.complete())
  }
}

/** The first revision of a page: where the page begins, the revision's entry, and offsets at which it found the fields of the page, if those are known. */
interface FirstRevision {
  readonly start: number
  readonly revision: number
  origins?: readonly number[]
}

/** The pages of revisions, each as its first revision found it. */
export class PagesOfRevisions {
  readonly #onPage: ((record: RecordView, first: number) => void) | undefined
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined
  /** That of the page of the last line that the kernel has written completely. */
  #first: FirstRevision | undefined

  /** `onPage` is called with the entry of the first revision of a page before `factsOf` gives its data. */
  constructor(onPage?: (record: RecordView, first: number) => void) {
    this.#onPage = onPage
  }

  /** Whether the line of a revision has what the first revision of its page found of the page, and the page is valid. */
  isLikeFirst(record: RecordView): boolean {
    const start = record.startOf('page') as number
    const isFirst = this.#first?.start !== start
    if (isFirst && this.#page?.start === start) return false
    if (isFirst) this.#first = { start, revision: record.entry }
    else {
      const origins = this.#originsIn(record)
      if (record.originsOf('page').some((origin, i) => origin !== origins[i])) return false
    }
    // Another one may need the data of the page when the entry is not known any more.
    if (record.isLast) this.factsOf(record)
    return true
  }

  /** The data of the page of a revision. Undefined for a page that is not valid, which is reported at its first revision, and for a page without revisions. */
  factsOf(record: RecordView): PageFacts | undefined {
    if (record.isOuter) {
      // Its values are read for their errors.
      return record.values && undefined
    }
    const start = record.startOf('page') as number
    if (this.#page?.start === start) return this.#page.facts
    this.#page = { start, facts: undefined }
    const known = this.#first?.start === start ? this.#first : undefined
    if (known) this.#originsIn(record)
    const first = known?.revision ?? record.entry
    const facts = record.compact<PageFacts>(record.value('page', first) as RecordValues, 'page')
    this.#page = { start, facts }
    this.#onPage?.(record, first)
    return facts
  }

  /** Where the first revision found the fields of the page. Known after its entry is not: so they are asked for before. */
  #originsIn(record: RecordView): readonly number[] {
    const first = this.#first as FirstRevision
    first.origins ??= record.originsOf('page', first.revision)
    return first.origins
  }
}

/** What is known of a revision without its text. */
function outlineOf(record: RecordView, page: PageFacts): PageRevisionFacts {
  return { page, ...record.compact<RevisionFacts>(record.ownValues) }
}

/** A revision with its text. */
export function completed(record: RecordView, page: PageFacts): PageRevision {
  record.addLate(record.ownValues)
  return outlineOf(record, page)
}

/** Revisions with their pages. */
export class RevisionCollector extends Collector<PageRevision> {
  readonly #filter: ((revision: PageRevisionFacts) => boolean) | undefined
  readonly #pages = new PagesOfRevisions()

  constructor(filter: ((revision: PageRevisionFacts) => boolean) | undefined) {
    super('page/revision', PAGE_REVISION)
    this.#filter = filter && decider('filter', filter)
  }

  protected override get needsIds(): boolean {
    return false
  }

  protected make(record: RecordView): PageRevision | undefined {
    const page = this.#pages.factsOf(record)
    if (!page || (this.#filter && !this.#filter(outlineOf(record, page)))) return undefined
    return completed(record, page)
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

  protected make(record: RecordView): PagePlace {
    const { start, end } = record
    return { ...record.compact<PageFacts>(record.values), start, end }
  }
}

/** Where pages begin and end, and nothing else of them. */
export class PageStartCollector extends Collector<Pick<PagePlace, 'start' | 'end'>> {
  constructor() {
    super('page', {})
  }

  protected make({ start, end }: RecordView): Pick<PagePlace, 'start' | 'end'> {
    return { start, end }
  }
}

export class LogItemCollector extends Collector<LogItem> {
  constructor() {
    super('logitem', LOG_ITEM)
  }

  protected make(record: RecordView): LogItem {
    return record.compact(record.values)
  }
}

/** The description of the wiki, which ends before the first page. */
export class SiteInfoCollector extends Collector<SiteInfo> {
  #found: SiteInfo | undefined
  #firstPage: number | undefined
  /** Whether a value in it is an error. */
  #isInvalid = false
  #isOver = false

  constructor() {
    super('/mediawiki/siteinfo', SITE_INFO)
  }

  override get isOver(): boolean {
    return this.#isOver
  }

  /** What is known, and will not change when this is over. */
  get siteInfo(): SiteInfo {
    return { ...this.root, ...(this.#found ?? { namespaces: [] }) }
  }

  override take(): SiteInfo[] {
    this.#isOver = this.#found !== undefined || (this.#firstPage !== undefined && !this.#isInvalid)
    return super.take()
  }

  protected make(record: RecordView): undefined {
    if (this.#found || record.place > (this.#firstPage ?? record.place)) return
    this.#isInvalid = true
    this.#found = record.compact<SiteInfo>(record.values)
    this.#isInvalid = false
  }

  protected override passPage(start: number): void {
    this.#firstPage ??= start
  }
}
