// From elements of a dump to what is delivered.

import type { Detour } from '../xml/detour.ts'
import type { XmlElement } from '../xml/element.ts'
import type { DumpReceiver } from './dump-sink.ts'
import { type LogItem, makeLogItem } from './log-item.ts'
import { type Page, PageBuilder, type PageFacts, type PageOutline } from './page.ts'
import type { PageLineFilter, PageLines } from './page-lines.ts'
import type { PageRevision, PageRevisionFacts } from './page-revision.ts'
import { addContent, makeRevision, type RevisionFacts } from './revision.ts'
import { makeSiteInfo, type RootFacts, type SiteInfo } from './site-info.ts'
import { makeUsualPages } from './usual-pages.ts'

/** Collects items. Throws a `Fault` for anything that is not a page, revision or log item. */
export abstract class Collector<Item> implements DumpReceiver {
  #items: Item[] = []
  #hasRoot = false
  /** The offset from which on pages are not wanted, as far as it is known; at the first that begins there or later, it is over. */
  ownedUntil: () => number = () => Number.POSITIVE_INFINITY
  /** Where that page begins; undefined as long as it is not over. */
  overAt: number | undefined

  /** Whether the root has begun. */
  get hasRoot(): boolean {
    return this.#hasRoot
  }

  get isOver(): boolean {
    return this.overAt !== undefined
  }

  /** What there is; nothing: an empty array. */
  take(): Item[] {
    const items = this.#items
    if (items.length > 0) this.#items = []
    return items
  }

  root(_facts: RootFacts): void {
    this.#hasRoot = true
  }

  beginPage(_start: number): void {}
  endPage(_end: number): void {}

  /** What is open does not end. */
  giveUp(): void {}

  /** Which page is open, for messages; undefined between two. */
  describePage(): string | undefined {
    return undefined
  }

  /** What reads pages instead of the parser; undefined where all are parsed. `depth` elements are open around a page. */
  makeDetour(_depth: number): Detour | undefined {
    return undefined
  }

  receive(element: XmlElement): void {
    const item = element.name === 'siteinfo' || this.isOver ? undefined : this.make(element)
    if (item !== undefined) this.push(item)
  }

  /** What becomes of a child of a page, or of a log item. */
  protected abstract make(element: XmlElement): Item | undefined

  protected push(item: Item): void {
    this.#items.push(item)
  }
}

/** Puts pages together from their children, so that no more of a page is held than what is kept of it. */
abstract class PagewiseCollector<Item> extends Collector<Item> {
  /** The page that is open; undefined between two pages, and where the open one is not wanted. */
  protected page: PageBuilder | undefined
  protected start = 0

  override beginPage(start: number): void {
    if (start >= this.ownedUntil()) this.overAt ??= start
    this.start = start
    this.page = this.isOver ? undefined : new PageBuilder({ start })
  }

  override giveUp(): void {
    this.page = undefined
  }

  override describePage(): string | undefined {
    return this.page?.describe()
  }

  /** A page with an invalid child is not delivered. */
  protected make(child: XmlElement): Item | undefined {
    const { page } = this
    this.page = undefined
    page?.add(child)
    this.page = page
    return undefined
  }

  override endPage(end: number): void {
    const { page } = this
    this.page = undefined
    const item = page && this.finish(page, end)
    if (item !== undefined) this.push(item)
  }

  /** What becomes of a page when all its children are known. It ends before the offset `end`. */
  protected abstract finish(page: PageBuilder, end: number): Item | undefined
}

/** Pages with their newest revision. */
export class PageCollector extends PagewiseCollector<Page> {
  readonly #filter: ((page: PageOutline) => boolean) | undefined

  constructor(filter: ((page: PageOutline) => boolean) | undefined) {
    super()
    this.#filter = filter
  }

  protected finish(page: PageBuilder): Page | undefined {
    return page.finish(this.#filter)
  }
}

const encoder = new TextEncoder()

/** Lines of pages: those of usual pages, which a detour writes, and those of pages that are made for it. */
export class PageLineCollector extends PagewiseCollector<PageLines> {
  readonly #filter: PageLineFilter

  constructor(filter: PageLineFilter) {
    super()
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

  protected finish(builder: PageBuilder): PageLines | undefined {
    const page = builder.finish((outline) => this.#isWanted(outline))
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

/** Revisions with their pages. */
export class RevisionCollector extends PagewiseCollector<PageRevision> {
  readonly #filter: ((revision: PageRevisionFacts) => boolean) | undefined
  #facts: PageFacts | undefined

  constructor(filter: ((revision: PageRevisionFacts) => boolean) | undefined) {
    super()
    this.#filter = filter
  }

  override beginPage(start: number): void {
    super.beginPage(start)
    this.#facts = undefined
  }

  /** A page without revisions must be valid, too. */
  protected finish(page: PageBuilder): undefined {
    if (!this.#facts) page.facts()
  }

  protected override make(element: XmlElement): PageRevision | undefined {
    const { page } = this
    if (!page) return undefined
    if (element.name !== 'revision') {
      page.add(element)
      return undefined
    }
    // A page that is not valid is reported once, and not at each of its revisions.
    this.page = undefined
    this.#facts ??= page.facts()
    this.page = page
    const facts: PageRevisionFacts = { page: this.#facts, ...makeRevision(element) }
    if (this.#filter && !this.#filter(facts)) return undefined
    addContent(facts as RevisionFacts, element)
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
export class PlaceCollector extends PagewiseCollector<PagePlace> {
  protected override make(child: XmlElement): undefined {
    if (child.name === 'title' || child.name === 'id') this.page?.add(child)
  }

  protected finish(page: PageBuilder, end: number): PagePlace {
    const { id, title } = page.facts()
    return { id, title, start: this.start, end }
  }
}

export class LogItemCollector extends Collector<LogItem> {
  protected make(element: XmlElement): LogItem {
    return makeLogItem(element)
  }
}

/** What comes before the first page. */
export class SiteInfoCollector implements DumpReceiver {
  #root: RootFacts = {}
  #element: XmlElement | undefined
  /** Whether all is known. */
  isComplete = false
  hasRoot = false

  get siteInfo(): SiteInfo {
    return makeSiteInfo(this.#root, this.#element)
  }

  root(facts: RootFacts): void {
    this.#root = facts
    this.hasRoot = true
  }

  beginPage(): void {
    this.isComplete = true
  }

  endPage(): void {}

  receive(element: XmlElement): void {
    if (this.isComplete) return
    this.#element = element
    this.isComplete = true
  }
}
