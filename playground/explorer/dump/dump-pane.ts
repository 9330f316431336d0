// A dump of a wiki: its pages, and the one that is open.

import { element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import { DownloadButton } from '../download-button.ts'
import { ArticlePane } from './article-pane.ts'
import { PageFilters } from './page-filters.ts'
import { PageList } from './page-list.ts'

/** Milliseconds after which the visitor is told that a page is read: most are there before. */
const SLOW = 200

export class DumpPane {
  readonly element: HTMLElement
  readonly #list: PageList
  readonly #download: DownloadButton
  #slow: ReturnType<typeof setTimeout> | undefined

  /** `name`: of the file. `whyNoPages`: why its pages cannot be opened; undefined if they can. */
  constructor(name: string, whyNoPages: string | undefined, connection: Connection) {
    const article = new ArticlePane()
    let asked = 0
    this.#list = new PageList(connection, ({ index, title }) => {
      if (whyNoPages !== undefined) return
      asked = connection.nextNumber()
      clearTimeout(this.#slow)
      this.#slow = setTimeout(() => article.say(`Reading ${title} …`), SLOW)
      connection.send({ type: 'article', ask: asked, index })
    })
    if (whyNoPages !== undefined) article.say(whyNoPages)
    connection.on('article', ({ ask, article: found, error }) => {
      if (ask !== asked) return
      clearTimeout(this.#slow)
      if (error) article.showError(error)
      else if (found) article.show(found)
      else article.say('This page is not in the file any more. Has the file changed? Open it again.')
      // On a narrow screen it stands below the list.
      if (matchMedia('(max-width: 56rem)').matches) article.element.scrollIntoView({ block: 'nearest' })
    })
    const filters = new PageFilters((filter) => {
      connection.send({ type: 'filter', filter })
      // It asks for the rows of this filter.
      this.#list.reset()
    })
    this.#download = new DownloadButton(connection, 'Download these pages as JSON lines', () => ({
      name: `${name.replace(/\.(?:xml|bz2|gz|zst)/g, '')}.jsonl`,
      shape: undefined,
      filter: filters.filter,
      format: 'jsonl',
    }))
    const count = element('p', { class: 'label' })
    connection.on('listed', ({ shown, all, kept, isFull, isFiltered, namespaces }) => {
      this.#list.setCount(shown)
      filters.setNamespaces(namespaces)
      const full = isFull
        ? ` The list is full: it has the first ${formatCount(kept)} pages, and the others are only counted.`
        : ''
      count.textContent = `${formatCount(shown)} of ${formatCount(all)} pages${isFiltered ? '' : ', searching …'}.${full}`
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
        this.#download.element,
      ),
      article.element,
    )
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#download.isSaving
  }

  close(): void {
    clearTimeout(this.#slow)
    this.#list.close()
    this.#download.close()
  }
}
