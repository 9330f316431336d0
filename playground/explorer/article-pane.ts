// A page of a wiki that was opened: its facts, and its wikitext as it is.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import { makeErrorCard } from './error-card.ts'
import type { Article, ToldError } from './protocol.ts'

/** How much of a text is shown at once, in UTF-16 units: browsers take long to lay out more. */
const PIECE = 100_000

export class ArticlePane {
  readonly element = element('section', {
    class: 'card article',
    'aria-label': 'Page',
    tabindex: -1,
    'aria-live': 'polite',
  })

  constructor() {
    this.say('Choose a page from the list. It is read from where it stands in the file.')
  }

  say(message: string): void {
    this.element.replaceChildren(element('p', { class: 'message' }, message))
  }

  showError(error: ToldError): void {
    this.element.replaceChildren(makeErrorCard(error))
  }

  show({ title, text, whyNoText, facts }: Article): void {
    const list = element('dl', { class: 'facts' })
    for (const [name, value] of facts) list.append(element('dt', {}, name), element('dd', {}, value))
    const shown = element('pre', { class: 'wikitext', tabindex: 0, 'aria-label': 'Wikitext' })
    this.element.replaceChildren(
      element('h2', {}, title),
      list,
      whyNoText === undefined ? shown : element('p', { class: 'message' }, whyNoText),
    )
    this.#append(shown, text)
  }

  #append(shown: HTMLElement, text: string): void {
    shown.append(text.slice(0, PIECE))
    const rest = text.slice(PIECE)
    if (rest === '') return
    const more = element(
      'button',
      { type: 'button', class: 'button' },
      `Show more (${formatCount(rest.length)} characters)`,
    )
    more.addEventListener('click', () => {
      more.remove()
      this.#append(shown, rest)
    })
    this.element.append(more)
  }
}
