// From a dump to what is delivered: which elements, what is read of them, and what becomes of that.

import type { LimitError } from '../stream/errors.ts'
import type { ParseError } from '../text/parse-error.ts'
import type { XmlAttributes } from '../xml/attributes.ts'
import type { Detour } from '../xml/detour.ts'
import { Fault } from '../xml/fault.ts'
import type { Name } from '../xml/names.ts'
import { type FoundRecord, ObjectWriter } from '../xml/output/objects.ts'
import { Path } from '../xml/path.ts'
import { planShape } from '../xml/projection/plan.ts'
import { type OutermostRecord, Projector } from '../xml/projection/projector.ts'
import type { XmlRecord, XmlShape } from '../xml/projection/shape.ts'
import { LOG_ITEM, type LogItem, makeLogItem } from './log-item.ts'
import {
  describePage,
  makeFacts,
  makePage,
  PAGE,
  PAGE_AROUND,
  PAGE_PLACE,
  type Page,
  type PageFacts,
  type PageOutline,
} from './page.ts'
import type { PageLineFilter, PageLines } from './page-lines.ts'
import type { PageRevision, PageRevisionFacts } from './page-revision.ts'
import { addContent, makeRevision, REVISION, type RevisionFacts } from './revision.ts'
import { requireRoot } from './site-info.ts'
import { makeUsualPages } from './usual-pages.ts'

/** How a stretch of a dump is read. */
export interface StretchOptions {
  /** Whether it is a dump from its root on, or pages alone. */
  readonly hasRoot: boolean
  /** Gets the error for anything that is not a page, revision or log item. It is then not thrown, and the element is left out. */
  readonly onFault?: ((error: ParseError | LimitError) => void) | undefined
}

/** Collects items, from one stretch of a dump after the other. */
export abstract class Collector<Item extends object> {
  readonly #path: Path
  readonly #shape: XmlShape
  readonly #items: Item[] = []
  #writer: ObjectWriter<Item> | undefined
  #projector: Projector | undefined
  /** How many elements are open around a page or a log item. */
  #depth = 0
  #hasRoot = false
  #open: OutermostRecord | undefined
  /** The offset from which on pages are not wanted, as far as it is known; at the first that begins there or later, it is over. */
  ownedUntil: () => number = () => Number.POSITIVE_INFINITY
  /** Where that page begins; undefined as long as it is not over. */
  overAt: number | undefined

  /** `path` matches the elements of which items are made. */
  constructor(path: string, shape: XmlShape) {
    this.#path = new Path(path)
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
    const plan = planShape(this.#shape)
    const make = (record: FoundRecord) => this.#makeInPlace(record)
    const writer = new ObjectWriter<Item>({ plan, isLenient: true, make, wantsOuter: true, onFault })
    const onRoot = (name: Name, attributes: XmlAttributes, start: number) => {
      requireRoot(name, attributes, start)
      this.#hasRoot = true
    }
    this.#writer = writer
    this.#projector = new Projector({
      paths: [this.#path],
      plan,
      nested: 'outermost',
      writer,
      onRoot: hasRoot ? onRoot : undefined,
      watch: { name: 'page', onElement: (start, depth) => this.#requirePlace(start, depth) },
    })
    return this.#projector
  }

  /** What there is; nothing: an empty array. It has to be asked for whenever the parser stops. */
  take(): Item[] {
    this.#open = this.#projector?.openRecord
    if (this.#open && this.#open.start >= this.ownedUntil()) this.overAt ??= this.#open.start
    const items = this.#items.splice(0)
    const made = this.#writer?.take() ?? []
    return items.length > 0 ? [...items, ...made] : made
  }

  /** The child of a page that was open when `take` was called last, and which page it was, for messages; undefined between two. */
  describeOpen(): { readonly child: string | undefined; readonly page: string | undefined } {
    return { child: this.#open && this.childOf(this.#open), page: this.#page }
  }

  /** What reads pages instead of the parser; undefined where all are parsed. `depth` elements are open around a page. */
  makeDetour(_depth: number): Detour | undefined {
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

  protected push(item: Item): void {
    this.#items.push(item)
  }

  #makeInPlace(record: FoundRecord): Item | undefined {
    const start = this.pageStart(record)
    if (start >= this.ownedUntil()) this.overAt ??= start
    return this.isOver ? undefined : this.make(record)
  }

  #requirePlace(start: number, depth: number): void {
    if (depth === this.#depth + 1) return
    throw new Fault('a page must be inside <mediawiki>', 'malformed-dump', undefined, start)
  }

  get #page(): string | undefined {
    const [title, id] = [this.#open?.valueOf('title'), this.#open?.valueOf('id')] as (string | undefined)[]
    return this.#open && describePage(title, id)
  }
}

/** Pages with their newest revision. */
export class PageCollector extends Collector<Page> {
  readonly #filter: ((page: PageOutline) => boolean) | undefined

  constructor(filter: ((page: PageOutline) => boolean) | undefined) {
    super('page', PAGE)
    this.#filter = filter
  }

  protected make(record: FoundRecord): Page | undefined {
    return makePage(record, this.#filter)
  }
}

const encoder = new TextEncoder()

/** Lines of pages: those of usual pages, which a detour writes, and those of pages that are made for it. */
export class PageLineCollector extends Collector<PageLines> {
  readonly #filter: PageLineFilter

  constructor(filter: PageLineFilter) {
    super('page', PAGE)
    this.#filter = filter
  }

  override makeDetour(depth: number): Detour | undefined {
    return makeUsualPages({
      filter: this.#filter,
      depth,
      give: (lines) => this.push(lines),
      ownedUntil: () => this.ownedUntil(),
      onOver: (offset) => {
        this.overAt = offset
      },
    })
  }

  protected make(record: FoundRecord): PageLines | undefined {
    const page = makePage(record, (outline) => this.#isWanted(outline))
    if (!page) return undefined
    const { id, redirect, revision } = page
    const bytes = revision?.bytes ?? 0
    return {
      bytes: encoder.encode(`${JSON.stringify(page)}\n`),
      pages: 1,
      firstPage: id,
      lastPage: id,
      redirects: redirect === undefined ? 0 : 1,
      revisions: revision ? 1 : 0,
      missingTexts: revision && revision.text === undefined && bytes > 0 ? 1 : 0,
      suppressed: revision && (bytes < 0 || (revision.contributor && 'deleted' in revision.contributor)) ? 1 : 0,
    }
  }

  #isWanted({ ns, redirect }: PageFacts): boolean {
    const { namespaces, redirects = 'in', onNamespace } = this.#filter
    if (namespaces && (ns === undefined || !namespaces.has(ns))) return false
    if (ns !== undefined) onNamespace?.(ns)
    return redirects === 'in' || (redirects === 'only') === (redirect !== undefined)
  }
}

const PAGE_REVISION = { ...REVISION, page: { outer: 'page', fields: PAGE_AROUND } } as const

/** Revisions with their pages. */
export class RevisionCollector extends Collector<PageRevision> {
  readonly #filter: ((revision: PageRevisionFacts) => boolean) | undefined
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined

  constructor(filter: ((revision: PageRevisionFacts) => boolean) | undefined) {
    super('page/revision', PAGE_REVISION)
    this.#filter = filter
  }

  protected override pageStart({ isOuter, values, start }: FoundRecord): number {
    return isOuter ? start : ((values as unknown as XmlRecord<typeof PAGE_REVISION>).page?.start ?? start)
  }

  protected override childOf({ field, hasInner }: OutermostRecord): string | undefined {
    return hasInner ? 'revision' : field
  }

  protected make({ values, start, place, isOuter, addLate }: FoundRecord): PageRevision | undefined {
    // A page without revisions must be valid, too.
    if (isOuter) {
      if (this.#page?.start !== start) makeFacts(values as XmlRecord<typeof PAGE_AROUND>, { start: place })
      return undefined
    }
    const { page, ...revision } = values as unknown as XmlRecord<typeof PAGE_REVISION>
    if (!page) return undefined
    const around = this.#factsOf(page)
    if (!around) return undefined
    const facts: PageRevisionFacts = { page: around, ...makeRevision(revision) }
    if (this.#filter && !this.#filter(facts)) return undefined
    addLate()
    addContent(facts as RevisionFacts, values as unknown as XmlRecord<typeof REVISION>)
    return facts
  }

  /** The data of a page as its first revision found it. A page that is not valid is reported once, and not at each of its revisions. */
  #factsOf(page: XmlRecord<typeof PAGE_AROUND>): PageFacts | undefined {
    const start = page.start ?? 0
    if (this.#page?.start === start) return this.#page.facts
    this.#page = { start, facts: undefined }
    const facts = makeFacts(page, { start })
    this.#page = { start, facts }
    return facts
  }
}

/** A page, and where it stands. */
export interface PagePlace {
  id: number
  title: string
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
    const { id, title } = makeFacts(values as XmlRecord<typeof PAGE_PLACE>, { start: place })
    return { id, title, start, end }
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
