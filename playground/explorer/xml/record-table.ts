// The records of a shape, as a table of any length.

import { VirtualList } from '../../list/virtual-list.ts'
import { element } from '../../shell/element.ts'
import type { Connection } from '../connection.ts'
import { RowCache } from '../row-cache.ts'

const ROW_HEIGHT = 30

export class RecordTable {
  readonly element: HTMLElement
  readonly #list: VirtualList
  readonly #rows: RowCache<'recordRows'>
  readonly #head = element('div', { class: 'record-row record-head', role: 'row' })
  #columns = 0
  #count = 0

  constructor(connection: Connection) {
    this.#list = new VirtualList({
      rowHeight: ROW_HEIGHT,
      makeRow: (index) => this.#makeRow(index),
      role: 'table',
      label: 'Records',
      bodyRole: 'rowgroup',
    })
    this.#rows = new RowCache(connection, 'recordRows', () => this.#list.refresh())
    this.element = this.#list.element
    this.element.prepend(element('div', { role: 'rowgroup', class: 'record-heads' }, this.#head))
  }

  /** Another shape: its fields, and no rows. */
  reset(fields: readonly string[]): void {
    this.#columns = fields.length
    this.element.style.setProperty('--columns', String(fields.length))
    this.#head.replaceChildren(...fields.map((name) => element('span', { role: 'columnheader' }, name)))
    this.#rows.clear()
    this.#count = 0
    this.#list.setCount(0)
  }

  setCount(count: number): void {
    this.#count = count
    this.element.setAttribute('aria-rowcount', String(count + 1))
    this.#list.setCount(count)
  }

  close(): void {
    this.#list.close()
  }

  #makeRow(index: number): HTMLElement {
    const row = this.#rows.at(index, this.#count)
    const made = element('div', { class: 'list-row record-row', role: 'row', 'aria-rowindex': index + 2 })
    for (let column = 0; column < this.#columns; column++) {
      const text = row?.[column] ?? (row ? '' : '…')
      made.append(
        element(
          'span',
          { role: 'cell', title: text.length > 20 ? text.slice(0, 2000) : undefined },
          text.slice(0, 300),
        ),
      )
    }
    return made
  }
}
