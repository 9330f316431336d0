// Which pages the list shows: by namespace, redirects, and title.

import { element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { NamespaceCount, PageFilter } from '../protocol.ts'

/** Milliseconds after the last key, before a title is searched. */
const TYPING = 150

export class PageFilters {
  readonly element: HTMLElement
  readonly #onChange: (filter: PageFilter) => void
  readonly #title = element('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Part of a title',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  readonly #namespace = element('select', { class: 'field' }, element('option', { value: '' }, 'All namespaces'))
  readonly #redirects = element(
    'select',
    { class: 'field' },
    element('option', { value: 'all' }, 'With redirects'),
    element('option', { value: 'none' }, 'Without redirects'),
    element('option', { value: 'only' }, 'Only redirects'),
  )
  readonly #known = new Map<number, HTMLOptionElement>()
  #typing: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: (filter: PageFilter) => void) {
    this.#onChange = onChange
    this.element = element(
      'div',
      { class: 'row filters', role: 'search', 'aria-label': 'Pages' },
      label('Title', this.#title),
      label('Namespace', this.#namespace),
      label('Redirects', this.#redirects),
    )
    this.#title.addEventListener('input', () => {
      clearTimeout(this.#typing)
      this.#typing = setTimeout(() => this.#change(), TYPING)
    })
    this.#namespace.addEventListener('change', () => this.#change())
    this.#redirects.addEventListener('change', () => this.#change())
  }

  get filter(): PageFilter {
    const { value } = this.#namespace
    return {
      namespaces: value === '' ? undefined : [Number(value)],
      redirects: this.#redirects.value as PageFilter['redirects'],
      title: this.#title.value,
    }
  }

  /** Shows namespaces, with how many pages were seen in each: those that were shown before, and new ones, by their numbers. */
  setNamespaces(namespaces: readonly NamespaceCount[]): void {
    let before: Element = this.#namespace.firstElementChild as Element
    for (const { id, name, count } of namespaces) {
      const text = `${id === 0 && name === '' ? 'Articles' : name || `Namespace ${id}`} (${formatCount(count)})`
      const option = this.#known.get(id) ?? element('option', { value: id })
      if (!this.#known.has(id)) before.after(option)
      if (option.textContent !== text) option.textContent = text
      this.#known.set(id, option)
      before = option
    }
  }

  #change(): void {
    clearTimeout(this.#typing)
    this.#onChange(this.filter)
  }
}

function label(text: string, field: HTMLElement): HTMLElement {
  return element('label', { class: 'labelled' }, element('span', { class: 'label' }, text), field)
}
