// Code to copy, which is shown when the visitor asks for it.

import { button, element } from '../../shell/element.ts'

export class CodeBox {
  readonly element: HTMLElement
  readonly #code: HTMLElement
  readonly #said = element('span', { class: 'label', role: 'status' })

  /** `summary`: what the box is called; `name`: what the code is. */
  constructor(summary: string, name: string) {
    this.#code = element('pre', { class: 'program', tabindex: 0, 'aria-label': name })
    const copy = button('Copy', () => void this.#copy(), { class: 'button small', 'aria-label': `Copy the ${name}` })
    this.element = element(
      'details',
      { class: 'code-box' },
      element('summary', {}, summary),
      this.#code,
      element('div', { class: 'row' }, copy, this.#said),
    )
  }

  show(code: string): void {
    this.#code.textContent = code
    this.#said.textContent = ''
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#code.textContent ?? '')
      this.#said.textContent = 'Copied.'
    } catch {
      getSelection()?.selectAllChildren(this.#code)
      this.#said.textContent = 'The browser does not allow it. The text is selected: press Ctrl+C.'
    }
  }
}
