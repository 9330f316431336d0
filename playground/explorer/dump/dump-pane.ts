// A dump of a wiki: its pages, and the one that is open.

import { button, element } from '../../shell/element.ts'
import { countOf, formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import { SaveRow } from '../save-row.ts'
import { ArticlePane } from './article-pane.ts'
import { PageFilters } from './page-filters.ts'
import { PageList } from './page-list.ts'
import { readTarget } from './wikitext.ts'

/** Milliseconds after which the visitor is told that a page is read: most are there before. */
const SLOW = 200

/** A page that is open, or was. */
export interface Visit {
  readonly index: number
  readonly title: string
  /** Its place in the list that the filter with this number gives; undefined if it is not there. */
  readonly place: number | undefined
  readonly filter: number
  /** The heading that it is opened at; empty: its beginning. */
  readonly section: string
  /** The page whose link led here; undefined if it was chosen from the list. */
  readonly from: Visit | undefined
  /** How far its text was scrolled when it was left. */
  scrolled: number
}

const BEGINNING = { section: '', from: undefined, scrolled: 0 } as const

const NOT_FOUND = {
  'so far': (title: string) =>
    `“${title}” has not been read so far. Follow the link again when more of the dump is read.`,
  all: (title: string) => `This dump has no page “${title}”.`,
  part: (title: string) => `“${title}” is not among the pages that were read.`,
}

export class DumpPane {
  readonly element: HTMLElement
  readonly #connection: Connection
  readonly #article: ArticlePane
  readonly #list: PageList
  readonly #saving: SaveRow
  #slow: ReturnType<typeof setTimeout> | undefined
  /** The number of the page that was asked for last. */
  #asked = 0
  /** The number of the link that was followed last; 0 if a page was chosen after it. */
  #followed = 0
  readonly #onStep: () => void
  #visit: Visit | undefined
  /** Counts filters. */
  #filter = 0
  /** The section of the link that was followed last. */
  #section = ''

  /**
   * `name`: of the file. `whyNoPages`: why its pages cannot be opened; undefined if they can. `onStep` is called before a link opens another page: what is
   * open then can be come back to by the browser's history.
   */
  constructor(name: string, whyNoPages: string | undefined, connection: Connection, onStep: () => void) {
    this.#connection = connection
    this.#onStep = onStep
    this.#article = new ArticlePane((target) => this.#follow(target))
    this.#list = new PageList(connection, ({ index, title }, place) => {
      if (whyNoPages === undefined) this.#open({ ...BEGINNING, index, title, place, filter: this.#filter })
    })
    if (whyNoPages !== undefined) this.#article.say(whyNoPages)
    this.#hearArticles()
    const filters = new PageFilters((filter) => {
      connection.send({ type: 'filter', filter })
      this.#filter++
      // It asks for the rows of this filter.
      this.#list.reset()
    })
    this.#saving = new SaveRow(connection, name, 'Download these pages as', () => filters.filter)
    const count = element('p', { class: 'label' })
    let isEmpty = true
    connection.on('listed', ({ shown, all, kept, isFull, isFiltered, namespaces }) => {
      isEmpty = all === 0
      this.#list.setCount(shown)
      filters.setNamespaces(namespaces)
      const full = isFull
        ? ` The list is full: it has the first ${countOf(kept, 'page')}, and the others are only counted.`
        : ''
      count.textContent = `${formatCount(shown)} of ${countOf(all, 'page')}${isFiltered ? '' : ', searching …'}.${full}`
    })
    connection.on('state', ({ state }) => {
      if (isEmpty && state === 'done') this.#article.say('This dump has no pages.')
      else if (isEmpty && state !== 'reading' && state !== 'paused') this.#article.say('No page was read.')
    })
    this.element = element(
      'div',
      { class: 'panes' },
      element(
        'section',
        { class: 'card pages', 'aria-label': 'Pages of the dump' },
        filters.element,
        count,
        this.#list.element,
        this.#saving.element,
      ),
      this.#article.element,
    )
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#saving.isSaving
  }

  /** The page that is open. */
  get visit(): Visit | undefined {
    if (this.#visit) this.#visit.scrolled = this.#article.scrolled
    return this.#visit
  }

  /** Opens a page again as it was left. */
  returnTo(visit: Visit): void {
    if (visit === this.#visit) return
    this.#open({ ...visit, section: '' })
    this.#list.mark(visit.filter === this.#filter ? visit.place : undefined)
  }

  close(): void {
    clearTimeout(this.#slow)
    this.#list.close()
    this.#saving.close()
  }

  #hearArticles(): void {
    this.#connection.on('article', ({ ask, article, error }) => {
      if (ask !== this.#asked || !this.#visit) return
      clearTimeout(this.#slow)
      const { section, scrolled } = this.#visit
      if (error) this.#article.showError(error)
      else if (article) this.#article.show(article, { section, scrolled, back: this.#makeBack() })
      else this.#article.say('This page is not in the file any more. Has the file changed? Open it again.')
      // On a narrow screen it stands below the list.
      if (matchMedia('(max-width: 56rem)').matches) this.#article.element.scrollIntoView({ block: 'nearest' })
    })
    this.#connection.on('foundPage', ({ ask, title, index, place, extent }) => {
      if (ask !== this.#followed) return
      if (index === undefined) {
        this.#article.sayOfLink(NOT_FOUND[extent](title))
        return
      }
      const from = this.visit
      this.#onStep()
      this.#open({ ...BEGINNING, index, title, place, filter: this.#filter, section: this.#section, from })
      this.#list.mark(place)
    })
  }

  #open(visit: Visit): void {
    this.#visit = visit
    this.#followed = 0
    this.#asked = this.#connection.nextNumber()
    clearTimeout(this.#slow)
    this.#slow = setTimeout(() => this.#article.say(`Reading ${visit.title} …`), SLOW)
    this.#connection.send({ type: 'article', ask: this.#asked, index: visit.index })
  }

  #follow(target: string): void {
    const { title, section } = readTarget(target, this.#visit?.title ?? '')
    this.#section = section
    this.#followed = this.#connection.nextNumber()
    this.#connection.send({ type: 'findPage', ask: this.#followed, target: title })
  }

  /** A button that leads to the page whose link led here. */
  #makeBack(): HTMLElement | undefined {
    const from = this.#visit?.from
    if (!from) return undefined
    const back = () => {
      this.#onStep()
      this.returnTo(from)
    }
    return button(`Back to ${from.title}`, back, { class: 'button small' })
  }
}
