// A list of any length, of which only the rows that are seen are there.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import { element } from '../shell/element.ts'

/** Elements cannot be higher than this in all browsers, in CSS pixels. */
const MOST_HEIGHT = 12_000_000
/** Rows beside those that are seen. */
const BESIDE = 8

export interface VirtualListOptions {
  /** The height of all rows, in CSS pixels. */
  readonly rowHeight: number
  /** Makes a row. It is asked again when `refresh` is called. */
  readonly makeRow: (index: number) => HTMLElement
}

/**
 * Longer lists than a browser can show in full height are pressed together: a step of the scroll bar is then several rows, while the wheel and the keys move
 * by rows as in any other list.
 */
export class VirtualList {
  /** What scrolls. */
  readonly element: HTMLElement
  /** What has the rows as its children. */
  readonly body: HTMLElement
  readonly #options: VirtualListOptions
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>
  readonly #unmount: () => void
  #rows = new Map<number, HTMLElement>()
  #count = 0
  /** How many rows share the height of one, as a power of two. */
  #pressed = 1
  #isPlanned = false

  constructor(options: VirtualListOptions) {
    this.#options = options
    this.body = element('div', { class: 'list-body' })
    this.element = element('div', { class: 'list' }, this.body)
    this.element.addEventListener('wheel', (event) => this.#turn(event), { passive: false })
    this.#virtualizer = new Virtualizer<HTMLElement, HTMLElement>(this.#virtualizerOptions())
    this.#unmount = this.#virtualizer._didMount()
    this.#virtualizer._willUpdate()
  }

  /** How many rows are seen at once. */
  get rowsInView(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.#options.rowHeight))
  }

  setCount(count: number): void {
    if (count === this.#count) return
    if (count < this.#count) this.#rows.clear()
    this.#count = count
    let pressed = 1
    while ((count * this.#options.rowHeight) / pressed > MOST_HEIGHT) pressed *= 2
    const isOther = pressed !== this.#pressed
    this.#pressed = pressed
    this.#virtualizer.setOptions(this.#virtualizerOptions())
    if (isOther) this.#virtualizer.measure()
    this.#virtualizer._willUpdate()
    this.#plan()
  }

  /** Makes the rows that are there anew. */
  refresh(): void {
    this.#rows.clear()
    this.#plan()
  }

  /** Scrolls as little as needed to show a row. */
  reveal(index: number): void {
    const { rowHeight } = this.#options
    const height = rowHeight / this.#pressed
    const first = this.element.scrollTop / height
    const last = first + this.element.clientHeight / rowHeight - 1
    if (index < first) this.element.scrollTop = index * height
    else if (index > last) this.element.scrollTop = (index - this.element.clientHeight / rowHeight + 1) * height
  }

  close(): void {
    this.#unmount()
  }

  #virtualizerOptions() {
    return {
      count: this.#count,
      getScrollElement: () => this.element,
      estimateSize: () => this.#options.rowHeight / this.#pressed,
      overscan: BESIDE,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#plan(),
    }
  }

  /** The wheel moves by its own distance, however many rows are pressed together. */
  #turn(event: WheelEvent): void {
    if (this.#pressed === 1 || event.ctrlKey || event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return
    event.preventDefault()
    this.element.scrollTop += event.deltaY / this.#pressed
  }

  /** Draws with the next frame, once. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    requestAnimationFrame(() => {
      this.#isPlanned = false
      this.#draw()
    })
  }

  #draw(): void {
    const { rowHeight, makeRow } = this.#options
    const total = this.#virtualizer.getTotalSize()
    this.body.style.height = `${total}px`
    const [first] = this.#virtualizer.getVirtualItems()
    const rows = new Map<number, HTMLElement>()
    if (first) {
      const top = this.element.scrollTop
      const seen = Math.floor((top * this.#pressed) / rowHeight)
      const from = Math.max(0, seen - BESIDE)
      const to = Math.min(this.#count, seen + this.rowsInView + 2 + BESIDE)
      for (let index = from; index < to; index++) {
        const row = this.#rows.get(index) ?? makeRow(index)
        // Pressed rows stand where the list is scrolled to, and not where their index is.
        const at =
          this.#pressed === 1 ? index * rowHeight : top + (index - (top * this.#pressed) / rowHeight) * rowHeight
        row.style.transform = `translateY(${Math.min(at, Math.max(total - rowHeight, 0) + rowHeight * BESIDE)}px)`
        rows.set(index, row)
      }
    }
    this.#rows = rows
    this.body.replaceChildren(...rows.values())
  }
}
