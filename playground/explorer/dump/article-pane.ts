// A page of a wiki that was opened: its facts, and its wikitext as it is.

import { element } from '../../shell/element.ts'
import { countOf } from '../../shell/numbers.ts'
import { makeErrorCard } from '../error-card.ts'
import type { Article, ToldError } from '../protocol.ts'

/** How much of a text is shown at once, in UTF-16 units: browsers take long to lay out more. */
const PIECE = 100_000

export class ArticlePane {
  readonly element: HTMLElement
  /** A message; where a page is shown, its title, which is only heard: the text would be read aloud to its end. */
  readonly #said = element('p', { role: 'status' })
  readonly #shown = element('div', { class: 'article-shown' })

  constructor() {
    this.element = element('section', { class: 'card article', 'aria-label': 'Page' }, this.#said, this.#shown)
    this.say('Choose a page from the list. It is read from where it stands in the file.')
  }

  say(message: string): void {
    this.#shown.replaceChildren()
    this.#tell(message, 'message')
  }

  showError(error: ToldError): void {
    this.#tell('', 'only-heard')
    this.#shown.replaceChildren(makeErrorCard(error))
  }

  show({ title, text, whyNoText, facts }: Article): void {
    const list = element('dl', { class: 'facts' })
    for (const [name, value] of facts) list.append(element('dt', {}, name), element('dd', {}, value))
    const shown = element('pre', { class: 'wikitext', tabindex: 0, 'aria-label': 'Wikitext' })
    this.#tell(`${title} is open.`, 'only-heard')
    this.#shown.replaceChildren(
      element('h2', {}, title),
      list,
      whyNoText === undefined ? shown : element('p', { class: 'message' }, whyNoText),
    )
    this.#append(shown, text)
  }

  #tell(message: string, className: string): void {
    this.#said.textContent = message
    this.#said.className = className
  }

  #append(shown: HTMLElement, text: string): void {
    shown.append(text.slice(0, PIECE))
    const rest = text.slice(PIECE)
    if (rest === '') return
    const more = element(
      'button',
      { type: 'button', class: 'button' },
      `Show more (${countOf(rest.length, 'character')})`,
    )
    more.addEventListener('click', () => {
      more.remove()
      shown.focus({ preventScroll: true })
      this.#append(shown, rest)
    })
    this.#shown.append(more)
  }
}
