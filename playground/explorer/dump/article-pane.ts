// A page of a wiki that was opened: its facts, and its wikitext as it is, with links that lead to other pages of the dump.

import { button, element } from '../../shell/element.ts'
import { countOf } from '../../shell/numbers.ts'
import { makeErrorCard } from '../error-card.ts'
import type { Article, ToldError } from '../protocol.ts'
import { findSection, splitLinks } from './wikitext.ts'

/** How much of a text is shown at once, in UTF-16 units: browsers take long to lay out more. */
const PIECE = 100_000

/** Where a page begins to be shown. */
export interface ArticleStart {
  /** The heading at the top; the beginning if there is no such heading, scrolled by so many pixels. */
  readonly section: string
  readonly scrolled: number
  /** Leads to the page before. */
  readonly back: HTMLElement | undefined
}

export class ArticlePane {
  readonly element: HTMLElement
  readonly #onFollow: (target: string) => void
  /** A message; where a page is shown, its title, which is only heard: the text would be read aloud to its end. */
  readonly #said = element('p', { role: 'status' })
  readonly #shown = element('div', { class: 'article-shown' })
  readonly #text = element('pre', { class: 'wikitext', tabindex: 0, 'aria-label': 'Wikitext' })

  /** `onFollow` is called with the target of a link that was clicked. */
  constructor(onFollow: (target: string) => void) {
    this.#onFollow = onFollow
    this.element = element(
      'section',
      { class: 'card article', 'aria-label': 'Page', tabindex: -1 },
      this.#said,
      this.#shown,
    )
    this.element.addEventListener('click', ({ target }) => {
      // What was selected with the mouse is not followed.
      if (getSelection()?.isCollapsed ?? true) this.#follow(target)
    })
    this.element.addEventListener('keydown', ({ key, target }) => {
      if (key === 'Enter') this.#follow(target)
    })
    this.say('Choose a page from the list. It is read from where it stands in the file.')
  }

  /** How far the text is scrolled. */
  get scrolled(): number {
    return this.#text.scrollTop
  }

  say(message: string): void {
    // A link that was followed is gone.
    if (this.#shown.contains(document.activeElement)) this.element.focus({ preventScroll: true })
    this.#shown.replaceChildren()
    this.#tell(message, 'message')
  }

  /** Says something about a link; the page stays. */
  sayOfLink(message: string): void {
    this.#tell(message, 'message link-message')
  }

  showError(error: ToldError): void {
    this.#tell('', 'only-heard')
    this.#shown.replaceChildren(makeErrorCard(error))
  }

  show({ title, redirect, text, whyNoText, facts }: Article, { section, scrolled, back }: ArticleStart): void {
    const list = element('dl', { class: 'facts' })
    if (redirect !== undefined)
      list.append(element('dt', {}, 'Redirect to'), element('dd', {}, makeLink(redirect, redirect)))
    for (const [name, value] of facts) list.append(element('dt', {}, name), element('dd', {}, value))
    const heading = element('h2', { tabindex: -1 }, title)
    const hadFocus = this.element.contains(document.activeElement)
    this.#tell(`${title} is open.`, 'only-heard')
    this.#text.replaceChildren()
    this.#shown.replaceChildren(
      element('div', { class: 'row spread' }, heading, back),
      list,
      whyNoText === undefined ? this.#text : element('p', { class: 'message' }, whyNoText),
    )
    this.#append(text, findSection(text, section))
    if (hadFocus) heading.focus({ preventScroll: true })
    const start = this.#text.querySelector<HTMLElement>('.section')
    this.#text.scrollTop = start ? start.offsetTop - this.#text.offsetTop : scrolled
  }

  #tell(message: string, className: string): void {
    this.#said.textContent = message
    this.#said.className = className
  }

  #follow(from: EventTarget | null): void {
    const target = from instanceof HTMLElement ? from.dataset.target : undefined
    if (target !== undefined) this.#onFollow(target)
  }

  /** `section`: where the heading is that the page is opened at; -1 if there is none. */
  #append(text: string, section = -1): void {
    const piece = text.slice(0, lengthOfPiece(text))
    const rest = text.slice(piece.length)
    const anchor = section >= 0 && section < piece.length ? [element('span', { class: 'section' })] : []
    const at = Math.max(section, 0)
    this.#text.append(...makeParts(piece.slice(0, at)), ...anchor, ...makeParts(piece.slice(at)))
    if (rest === '') return
    const more = button(
      `Show more (${countOf(rest.length, 'character')})`,
      () => {
        more.remove()
        this.#text.focus({ preventScroll: true })
        this.#append(rest)
      },
      { class: 'button' },
    )
    this.#shown.append(more)
  }
}

/** Pieces end with a line where that is possible, so that no link is cut in two. */
function lengthOfPiece(text: string): number {
  if (text.length <= PIECE) return text.length
  const end = text.lastIndexOf('\n', PIECE) + 1
  return end > PIECE / 2 ? end : PIECE
}

function makeParts(text: string): (string | HTMLElement)[] {
  return splitLinks(text).map(({ text: part, target }) => (target === undefined ? part : makeLink(part, target)))
}

/** Text that is followed. It can be selected and copied like the text around it. */
function makeLink(text: string, target: string): HTMLElement {
  return element('span', { class: 'wiki-link', role: 'link', tabindex: 0, 'data-target': target }, text)
}
