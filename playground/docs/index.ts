// The view "Docs": the documentation that this page was built with.

import { addStyle } from 'style:./docs.css'
import { type DocsPage, load } from 'docs:all'
import { element } from '../shell/element.ts'
import type { Frame, Place, View } from '../shell/view.ts'

/** An address is the name of a page, and perhaps of a heading: `xml/records`. */
export async function open(container: HTMLElement, _frame: Frame, place: Place): Promise<View> {
  const [pages] = await Promise.all([load(), addStyle()])
  return new DocsView(container, pages, place)
}

export function prepare(): void {
  void Promise.allSettled([load(), addStyle()])
}

class DocsView implements View {
  readonly wouldLose = false
  readonly #pages: readonly DocsPage[]
  readonly #links: readonly HTMLAnchorElement[]
  readonly #article = element('article', { class: 'docs-article', tabindex: -1 })
  readonly #summary = element('summary', {}, 'Pages')
  readonly #list: HTMLDetailsElement
  #shown: DocsPage | undefined
  /** How far each place was scrolled when the visitor left it. */
  readonly #scrolled = new Map<string, number>()
  #key = ''

  constructor(container: HTMLElement, pages: readonly DocsPage[], place: Place) {
    this.#pages = pages
    this.#links = pages.map(({ name, title }) => element('a', { href: name === '' ? '#docs' : `#docs/${name}` }, title))
    const items = this.#links.map((link) => element('li', {}, link))
    // On a phone the list is closed, so that the text comes first.
    this.#list = element('details', {}, this.#summary, element('ul', {}, ...items))
    this.#list.open = !matchMedia('(max-width: 56rem)').matches
    const nav = element('nav', { class: 'docs-pages', 'aria-label': 'Pages of the documentation' }, this.#list)
    container.append(element('div', { class: 'docs' }, nav, this.#article))
    this.#show(place)
  }

  visit(place: Place): void {
    this.#scrolled.set(this.#key, scrollY)
    this.#show(place)
    this.#article.focus({ preventScroll: true })
  }

  #show({ address, key }: Place): void {
    this.#key = key
    const [name = '', anchor] = address.split('/')
    const page = this.#pages.find((each) => each.name === name)
    for (const [index, link] of this.#links.entries()) {
      if (this.#pages[index] === page) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    if (!page) {
      this.#article.replaceChildren(
        element('h1', {}, 'There is no such page'),
        element(
          'p',
          {},
          'The documentation has the pages of the list, and begins with its ',
          element('a', { href: '#docs' }, 'contents'),
          '.',
        ),
      )
    } else if (page !== this.#shown) {
      // It was made when the page was built, of the project's own files.
      this.#article.innerHTML = page.html
    }
    this.#shown = page
    const scrolled = this.#scrolled.get(key)
    const heading = anchor === undefined ? null : document.getElementById(`docs-${anchor}`)
    if (scrolled !== undefined || !heading) scrollTo(0, scrolled ?? 0)
    else heading.scrollIntoView()
  }
}
