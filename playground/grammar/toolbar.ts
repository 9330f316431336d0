// What is chosen above the editors: an example, how the grammar is read, and the rule to begin with.

import type { Dialect, Rule } from 'xylem/grammar'
import { button, element } from '../shell/element.ts'
import { type Example, examples } from './examples.ts'
import { TOO_LONG } from './link/address-keeper.ts'

export interface ToolbarEvents {
  onExample(example: Example): void
  onDialect(dialect: Dialect): void
  onEntry(entry: string): void
  onCopy(): Promise<string>
}

const DIALECTS: Readonly<Record<Dialect, string>> = {
  xylem: 'xylem: sequence before choice',
  'bnf-parser': 'bnf-parser: from left to right',
}

export class Toolbar {
  readonly element: HTMLElement
  readonly #example = element('select', { class: 'field', id: 'grammar-example' })
  readonly #dialect = element('select', { class: 'field', id: 'grammar-dialect' })
  /** What is told of the link. */
  readonly #said = element('span', { class: 'label', role: 'status' })
  readonly #entry = element('select', { class: 'field', id: 'grammar-entry' })

  constructor(events: ToolbarEvents) {
    this.#example.append(element('option', { value: '', disabled: true }, 'Your own'))
    for (const [number, { label }] of examples.entries()) {
      this.#example.append(element('option', { value: number }, label))
    }
    for (const [dialect, label] of Object.entries(DIALECTS)) {
      this.#dialect.append(element('option', { value: dialect }, label))
    }
    this.#example.addEventListener('change', () => {
      const example = examples[Number(this.#example.value)]
      if (example) events.onExample(example)
    })
    this.#dialect.addEventListener('change', () => events.onDialect(this.#dialect.value as Dialect))
    this.#entry.addEventListener('change', () => events.onEntry(this.#entry.value))
    const copy = button(
      'Copy link',
      async () => {
        this.#said.textContent = ''
        this.#said.textContent = await events.onCopy()
      },
      { class: 'button' },
    )
    this.element = element(
      'div',
      { class: 'grammar-toolbar' },
      makeField('Example', this.#example),
      makeField('Begin with the rule', this.#entry),
      makeField('Dialect', this.#dialect),
      element('div', { class: 'row' }, copy, this.#said),
    )
  }

  /** Shows which example the texts are, if they are one. */
  showExample(grammar: string, input: string): void {
    const number = examples.findIndex((example) => example.grammar === grammar && example.input === input)
    this.#example.value = number === -1 ? '' : String(number)
  }

  showDialect(dialect: Dialect): void {
    this.#dialect.value = dialect
  }

  /** Whether the page's address holds what is shown. */
  showLink(fits: boolean): void {
    this.#said.textContent = fits ? '' : TOO_LONG
  }

  showRules(rules: readonly Rule[], entry: string): void {
    const names = rules.map(({ name }) => name)
    const shown = Array.from(this.#entry.options, ({ value }) => value)
    if (names.join(' ') !== shown.join(' ')) {
      this.#entry.replaceChildren(...names.map((name) => element('option', { value: name }, name)))
    }
    this.#entry.value = entry
  }
}

function makeField(label: string, field: HTMLSelectElement): HTMLElement {
  return element('div', { class: 'grammar-field' }, element('label', { class: 'label', for: field.id }, label), field)
}
