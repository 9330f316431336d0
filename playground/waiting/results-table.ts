// The table of the ways, with a bar in each row. Rows are filled one by one.

import { element } from '../shell/element.ts'
import { findBarLength, formatNanoseconds, formatPromises, formatRatio, type Scale } from './bars.ts'
import type { Measured } from './protocol.ts'
import { FLOOR, groups, type Way, type WayGroup, type WayName } from './ways.ts'

interface Row {
  readonly element: HTMLTableRowElement
  readonly bar: HTMLElement
  readonly note: HTMLElement
  readonly nanoseconds: HTMLElement
  readonly times: HTMLElement
  readonly promises: HTMLElement
}

export class ResultsTable {
  readonly element: HTMLTableElement
  readonly #rows = new Map<WayName, Row>()
  readonly #measured = new Map<WayName, Measured>()
  #scale: Scale = 'linear'

  constructor() {
    const head = element(
      'tr',
      {},
      element('th', { scope: 'col' }, 'Way to read'),
      element('th', { scope: 'col', class: 'number' }, 'ns a character'),
      element('th', { scope: 'col', class: 'number' }, 'times the loop'),
      element('th', { scope: 'col', class: 'number' }, 'promises'),
    )
    this.element = element(
      'table',
      { class: 'table waiting-table' },
      element('caption', { class: 'only-heard' }, 'What each way takes. Shorter is better.'),
      element('thead', {}, head),
      ...groups.map((group) => this.#makeGroup(group)),
    )
    this.clear()
  }

  get measured(): ReadonlyMap<WayName, Measured> {
    return this.#measured
  }

  set scale(scale: Scale) {
    this.#scale = scale
    this.#draw()
  }

  /** Empties all rows. */
  clear(): void {
    this.#measured.clear()
    for (const row of this.#rows.values()) {
      row.element.classList.remove('measuring')
      row.note.textContent = ''
      for (const cell of [row.nanoseconds, row.times, row.promises]) cell.textContent = '–'
    }
    this.#draw()
  }

  /** Marks the row that is measured now; none if undefined. */
  mark(way: WayName | undefined): void {
    for (const [name, row] of this.#rows) row.element.classList.toggle('measuring', name === way)
  }

  add(measured: Measured): void {
    this.#measured.set(measured.way, measured)
    this.#draw()
  }

  #makeGroup({ label, ways }: WayGroup): HTMLTableSectionElement {
    const head = element('tr', { class: 'group' }, element('th', { scope: 'rowgroup', colspan: 4 }, label))
    return element('tbody', {}, head, ...ways.flatMap((way) => this.#makeRow(way)))
  }

  #makeRow({ name, label, isEager }: Way): HTMLTableRowElement[] {
    const bar = element('div', { class: isEager ? 'bar eager' : 'bar' })
    const note = element('span', { class: 'label' })
    const [nanoseconds, times, promises] = [makeNumber(), makeNumber(), makeNumber()]
    const head = element('th', { scope: 'row' }, label, ' ', note)
    const row = element('tr', { class: 'way' }, head, nanoseconds, times, promises)
    // The numbers say it to those who do not see it.
    const track = element('td', { colspan: 4 }, element('div', { class: 'track' }, bar))
    this.#rows.set(name, { element: row, bar, note, nanoseconds, times, promises })
    return [row, element('tr', { class: 'drawn', 'aria-hidden': 'true' }, track)]
  }

  #draw(): void {
    const values = [...this.#measured.values()].map(({ nanoseconds }) => nanoseconds)
    const [smallest, largest] = [Math.min(...values), Math.max(...values)]
    const floor = this.#measured.get(FLOOR)?.nanoseconds
    for (const [name, row] of this.#rows) {
      const measured = this.#measured.get(name)
      row.bar.style.width = measured
        ? `${100 * findBarLength(measured.nanoseconds, smallest, largest, this.#scale)}%`
        : '0'
      row.bar.classList.toggle('empty', !measured)
      if (!measured) continue
      row.nanoseconds.textContent = formatNanoseconds(measured.nanoseconds)
      row.times.textContent = floor === undefined ? '–' : `${formatRatio(measured.nanoseconds / floor)} ×`
      row.promises.textContent = formatPromises(measured.promises)
      row.note.textContent = measured.share < 0.995 ? `(${Math.round(100 * measured.share)} % of the text)` : ''
    }
  }
}

function makeNumber(): HTMLTableCellElement {
  return element('td', { class: 'number' }, '–')
}
