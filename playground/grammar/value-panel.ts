// The value that the fields of a grammar give, beside the tree.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'

/** A value as JSON, or why there is none. */
interface ShownValue {
  readonly text: string
  /** Whether the end of the text is missing. */
  readonly isCut: boolean
  readonly isError: boolean
}

export class ValuePanel {
  readonly element: HTMLElement
  readonly #text = element('pre', { class: 'grammar-value', tabindex: '0', 'aria-labelledby': 'grammar-value-title' })
  readonly #note = element('p', { class: 'grammar-status', role: 'status' })

  constructor() {
    this.element = element(
      'section',
      { class: 'card', 'aria-labelledby': 'grammar-value-title', hidden: true },
      element('h2', { id: 'grammar-value-title' }, 'Value'),
      this.#note,
      this.#text,
    )
  }

  show({ text, isCut, isError }: ShownValue): void {
    const cut = `The first ${formatCount(text.length)} characters of what Grammar.value gives.`
    this.#note.textContent = isError ? 'There is no value:' : isCut ? cut : 'What Grammar.value gives, as JSON.'
    this.#text.textContent = text
    this.element.hidden = false
  }

  /** There are no fields, or there is no tree. */
  hide(): void {
    this.element.hidden = true
  }
}
