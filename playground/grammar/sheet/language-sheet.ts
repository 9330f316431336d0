// The sheet of the language beside the editors, and the button that shows it.

import { button, element } from '../../shell/element.ts'
import { SHEET } from './sheet-parts.ts'

const ID = 'grammar-sheet'

export class LanguageSheet {
  /** Hidden until it is asked for. */
  readonly element: HTMLElement
  readonly button: HTMLButtonElement

  constructor() {
    this.button = button('Language sheet', () => this.#toggle(), {
      class: 'button small',
      'aria-expanded': 'false',
      'aria-controls': ID,
    })
    const title = element('h2', { id: 'grammar-sheet-title' }, 'The language of grammars')
    const close = button('Close', () => this.#close(), { class: 'button small' })
    const parts = SHEET.flatMap(({ title: name, lines }) => [
      element('h3', {}, name),
      element(
        'dl',
        {},
        ...lines.flatMap(({ code, meaning }) => [
          element('dt', {}, element('code', {}, code)),
          element('dd', {}, meaning),
        ]),
      ),
    ])
    const dialects =
      'A sequence binds stronger than a choice. The dialect bnf-parser reads both from left to right: write brackets there.'
    this.element = element(
      'section',
      { id: ID, class: 'card grammar-sheet', 'aria-labelledby': 'grammar-sheet-title', hidden: true },
      element('div', { class: 'grammar-sheet-head' }, title, close),
      element(
        'div',
        { class: 'grammar-sheet-parts', tabindex: 0, role: 'group', 'aria-labelledby': 'grammar-sheet-title' },
        ...parts,
        element('p', { class: 'label' }, dialects),
        element('p', {}, element('a', { href: '#docs/grammar' }, 'All about the language')),
      ),
    )
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#close()
    })
  }

  #toggle(): void {
    this.#show(this.element.hidden === true)
  }

  #close(): void {
    this.#show(false)
    this.button.focus()
  }

  #show(isShown: boolean): void {
    this.element.hidden = !isShown
    this.button.setAttribute('aria-expanded', String(isShown))
  }
}
