// From elements of a dump to what is handed over.

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

/** Collects items. What is no page, revision or log item, it throws as a `Fault`. */
export abstract class Collector<Item> implements DumpReceiver {
  #items: Item[] = []
  #hasRoot = false
  /** The offset from which on pages are not wanted, as far as it is known; at the first that begins there or behind, it is over. */
  ownedUntil: () => number = () => Number.POSITIVE_INFINITY
  isOver = false

  /** Whether the root has begun. */
  get hasRoot(): boolean {
    return this.#hasRoot
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
  endPage(): void {}

  /** What is open does not end. */
  giveUp(): void {}

  /** What reads pages in place of the parser; undefined where all are parsed. `depth` elements are open round a page. */
  makeDetour(_depth: number): Detour | undefined {
    return undefined
  }

  receive(element: XmlElement): void {
    if (element.name === 'siteinfo') return
    if (element.name === 'page') this.isOver ||= element.start >= this.ownedUntil()
    const item = this.isOver ? undefined : this.make(element)
    if (item !== undefined) this.push(item)
  }

  protected abstract make(element: XmlElement): Item | undefined

  protected push(item: Item): void {
    this.#items.push(item)
  }
}

/** Pages with their newest revision. */
export class PageCollector extends Collector<Page> {
  readonly #filter: ((page: PageOutline) => boolean) | undefined

  constructor(filter: ((page: PageOutline) => boolean) | undefined) {
    super()
    this.#filter = filter
  }

  protected make(element: XmlElement): Page | undefined {
    return makePage(element, this.#filter)
  }
}

const encoder = new TextEncoder()

/** Lines of pages: those of usual pages, which a detour writes, and those of pages that are made for it. */
export class PageLineCollector extends Collector<PageLines> {
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
      onOver: () => {
        this.isOver = true
      },
    })
  }

  protected make(element: XmlElement): PageLines | undefined {
    const page = makePage(element, (outline) => this.#isWanted(outline))
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
    const { namespaces, redirects = 'in' } = this.#filter
    if (redirects !== 'in' && (redirects === 'only') !== (redirect !== undefined)) return false
    return !namespaces || (ns !== undefined && namespaces.has(ns))
  }
}

function makePage(element: XmlElement, filter: ((page: PageOutline) => boolean) | undefined): Page | undefined {
  const builder = new PageBuilder(element)
  for (const child of element.childElements) builder.add(child)
  const outline = builder.outline()
  if (filter && !filter(outline)) return undefined
  if (outline.revision) addContent(outline.revision, builder.revision as XmlElement)
  return outline
}

/** Revisions with their pages. */
export class RevisionCollector extends Collector<PageRevision> {
  readonly #filter: ((revision: PageRevisionFacts) => boolean) | undefined
  #builder: PageBuilder | undefined
  #facts: PageFacts | undefined

  constructor(filter: ((revision: PageRevisionFacts) => boolean) | undefined) {
    super()
    this.#filter = filter
  }

  override beginPage(start: number): void {
    this.isOver ||= start >= this.ownedUntil()
    this.#builder = new PageBuilder({ start })
    this.#facts = undefined
  }

  override endPage(): void {
    const builder = this.#builder
    this.#builder = undefined
    // Also a page without revisions must be one.
    if (!this.#facts && !this.isOver) builder?.facts()
  }

  override giveUp(): void {
    this.#builder = undefined
  }

  protected make(element: XmlElement): PageRevision | undefined {
    const builder = this.#builder
    if (!builder) return undefined
    if (element.name !== 'revision') {
      builder.add(element)
      return undefined
    }
    // Told once where a page is none.
    this.#builder = undefined
    this.#facts ??= builder.facts()
    this.#builder = builder
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
export class PlaceCollector extends Collector<PagePlace> {
  protected make(element: XmlElement): PagePlace {
    const builder = new PageBuilder(element)
    for (const name of ['title', 'id']) {
      const child = element.child(name)
      if (child) builder.add(child)
    }
    const { id, title } = builder.facts()
    return { id, title, start: element.start, end: element.end }
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
