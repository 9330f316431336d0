// The pages of a dump, as a list from which one is chosen.

import { VirtualList } from '../../list/virtual-list.ts'
import { element } from '../../shell/element.ts'
import type { Connection } from '../connection.ts'
import type { PageRow } from '../protocol.ts'
import { RowCache } from '../row-cache.ts'

const ROW_HEIGHT = 32

/** Several lists may be on the page: files whose downloads run stay open. */
let lists = 0

export class PageList {
  readonly element: HTMLElement
  readonly #number = ++lists
  readonly #list: VirtualList
  readonly #rows: RowCache<'rows'>
  readonly #onChoose: (row: PageRow, place: number) => void
  #count = 0
  /** The place of the row that keys move, from 0; -1 as long as there is none. */
  #place = -1
  /** The place of a page that was chosen before its row was there. */
  #waiting: number | undefined

  /** `onChoose` is called with a page that was chosen, and its place in the list. */
  constructor(connection: Connection, onChoose: (row: PageRow, place: number) => void) {
    this.#onChoose = onChoose
    this.#list = new VirtualList({
      rowHeight: ROW_HEIGHT,
      makeRow: (index) => this.#makeRow(index),
      role: 'listbox',
      label: 'Pages',
      bodyRole: 'presentation',
    })
    this.#rows = new RowCache(connection, 'rows', () => {
      this.#list.refresh()
      if (this.#waiting !== undefined) this.#choose(this.#waiting)
    })
    this.element = this.#list.element
    this.element.addEventListener('keydown', (event) => this.#press(event))
    this.element.addEventListener('click', ({ target }) => {
      const row = (target as HTMLElement).closest<HTMLElement>('[data-place]')
      if (row) this.#choose(Number(row.dataset.place))
    })
  }

  /** How many pages the list has now. */
  setCount(count: number): void {
    this.#count = count
    this.#list.setCount(count)
  }

  /** Another filter: all rows are others. */
  reset(): void {
    this.#rows.clear()
    this.#place = -1
    this.#waiting = undefined
    this.element.removeAttribute('aria-activedescendant')
    this.element.scrollTop = 0
    // What is shown stays until the rows come, so that nothing flickers.
    this.#rows.at(0, 1)
  }

  /** Marks the page that is open, without choosing it; undefined if it is not in the list. */
  mark(place: number | undefined): void {
    if (place !== undefined) {
      this.#move(place)
      return
    }
    this.#place = -1
    this.element.removeAttribute('aria-activedescendant')
    this.#list.refresh()
  }

  close(): void {
    this.#list.close()
  }

  #makeRow(place: number): HTMLElement {
    const row = this.#rows.at(place, this.#count)
    const isChosen = place === this.#place
    return element(
      'div',
      {
        class: 'list-row page-row',
        role: 'option',
        id: this.#idOf(place),
        'data-place': place,
        'aria-selected': String(isChosen),
        'aria-setsize': this.#count,
        'aria-posinset': place + 1,
      },
      element('span', { class: 'page-title' }, row?.title ?? '…'),
      row?.isRedirect ? element('span', { class: 'badge' }, 'redirect') : undefined,
      element('span', { class: 'page-id' }, row ? String(row.id) : ''),
    )
  }

  #idOf(place: number): string {
    return `page-${this.#number}-${place}`
  }

  #press(event: KeyboardEvent): void {
    const page = this.#list.rowsInView - 1
    const moves: Record<string, number> = {
      ArrowDown: this.#place + 1,
      ArrowUp: this.#place - 1,
      PageDown: this.#place + page,
      PageUp: this.#place - page,
      Home: 0,
      End: this.#count - 1,
    }
    const place = moves[event.key]
    if (place !== undefined) this.#move(Math.min(Math.max(place, 0), this.#count - 1))
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(this.#place)
    else return
    event.preventDefault()
  }

  #move(place: number): void {
    if (place < 0) return
    this.#place = place
    this.#waiting = undefined
    this.element.setAttribute('aria-activedescendant', this.#idOf(place))
    this.#list.reveal(place)
    this.#list.refresh()
  }

  #choose(place: number): void {
    if (place < 0) return
    this.#move(place)
    const row = this.#rows.at(place, this.#count)
    if (row) this.#onChoose(row, place)
    else this.#waiting = place
  }
}
