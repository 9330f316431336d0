// A list of any length, of which only the rows that are seen are there.

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
  /** What the list is, and what it is called. */
  readonly role: string
  readonly label: string
  /** What the body is in it. */
  readonly bodyRole: string
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
  readonly #sizes = new ResizeObserver(() => this.#plan())
  #rows = new Map<number, HTMLElement>()
  /** Whether the rows that are there are to be made anew. */
  #isStale = false
  #count = 0
  /** How many rows share the height of one, as a power of two. */
  #pressed = 1
  #isPlanned = false

  constructor(options: VirtualListOptions) {
    this.#options = options
    const { role, label, bodyRole } = options
    this.body = element('div', { class: 'list-body', role: bodyRole })
    this.element = element('div', { class: 'list', role, tabindex: 0, 'aria-label': label }, this.body)
    this.element.addEventListener('wheel', (event) => this.#turn(event), { passive: false })
    this.element.addEventListener('scroll', () => this.#plan(), { passive: true })
    this.#sizes.observe(this.element)
  }

  /** How many rows are seen at once. */
  get rowsInView(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.#options.rowHeight))
  }

  /** The numbers of the rows that are there. */
  get drawn(): number[] {
    return [...this.#rows.keys()]
  }

  setCount(count: number): void {
    if (count === this.#count) return
    if (count < this.#count) this.#isStale = true
    this.#count = count
    this.#pressed = 1
    while ((count * this.#options.rowHeight) / this.#pressed > MOST_HEIGHT) this.#pressed *= 2
    this.body.style.height = `${this.#height}px`
    this.element.style.setProperty('--content', `${this.#height}px`)
    this.#plan()
  }

  /** Makes the rows that are there anew, with the next frame. */
  refresh(): void {
    this.#isStale = true
    this.#plan()
  }

  /** Makes the rows that are there anew, at once. */
  redraw(): void {
    this.#isStale = true
    this.#draw()
  }

  /** Scrolls as little as needed to show a row. */
  reveal(index: number): void {
    const { rowHeight } = this.#options
    const { clientHeight } = this.element
    const top = this.element.scrollTop * this.#scale
    if (index * rowHeight < top) this.element.scrollTop = (index * rowHeight) / this.#scale
    else if ((index + 1) * rowHeight > top + clientHeight) {
      this.element.scrollTop = ((index + 1) * rowHeight - clientHeight) / this.#scale
    }
  }

  /** The height of all rows, as they are pressed together. */
  get #height(): number {
    return (this.#count * this.#options.rowHeight) / this.#pressed
  }

  /** How far the rows move when the list is scrolled by one pixel: by more than one where they are pressed together. */
  get #scale(): number {
    if (this.#pressed === 1) return 1
    const { clientHeight } = this.element
    return (this.#count * this.#options.rowHeight - clientHeight) / (this.#height - clientHeight)
  }

  close(): void {
    this.#sizes.disconnect()
  }

  /** The wheel moves by its own distance, however many rows are pressed together. */
  #turn(event: WheelEvent): void {
    if (this.#pressed === 1 || event.ctrlKey || event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return
    event.preventDefault()
    this.element.scrollTop += event.deltaY / this.#scale
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
    const rows = new Map<number, HTMLElement>()
    const { scrollTop } = this.element
    const top = scrollTop * this.#scale
    const seen = Math.floor(top / rowHeight)
    const to = Math.min(this.#count, seen + this.rowsInView + 2 + BESIDE)
    for (let index = Math.max(0, seen - BESIDE); index < to; index++) {
      const known = this.#rows.get(index)
      const row = known ?? makeRow(index)
      if (known && this.#isStale) renew(known, makeRow(index))
      // Rows that are pressed together stand where the list is scrolled to.
      row.style.transform = `translateY(${scrollTop + index * rowHeight - top}px)`
      rows.set(index, row)
    }
    for (const [index, row] of this.#rows) if (!rows.has(index)) row.remove()
    this.#rows = rows
    this.#isStale = false
    this.#place([...rows.values()])
  }

  /** Puts rows into their order. Those that are there are not touched: a row that is taken out while a button of the mouse is down is not clicked. */
  #place(rows: readonly HTMLElement[]): void {
    let next: Element | null = this.body.firstElementChild
    for (const row of rows) {
      if (row === next) next = next.nextElementSibling
      else this.body.insertBefore(row, next)
    }
  }
}

/** Makes a row look as another one, and changes of it only what is different: a button that is replaced while the mouse is down on it is not clicked. */
function renew(row: Element, made: Element): void {
  for (const { name } of [...row.attributes])
    if (name !== 'style' && !made.hasAttribute(name)) row.removeAttribute(name)
  for (const { name, value } of made.attributes)
    if (name !== 'style' && row.getAttribute(name) !== value) row.setAttribute(name, value)
  // An attribute with a style may be forbidden by a policy; this is not.
  if (row instanceof HTMLElement && made instanceof HTMLElement) row.style.cssText = made.style.cssText
  const [before, after] = [[...row.childNodes], [...made.childNodes]]
  const isAlike = before.length === after.length && before.every((node, i) => node.nodeName === after[i]?.nodeName)
  if (!isAlike) row.replaceChildren(...after)
  else for (const [i, node] of before.entries()) renewNode(node, after[i] as ChildNode)
}

function renewNode(node: ChildNode, made: ChildNode): void {
  if (node instanceof Element && made instanceof Element) renew(node, made)
  else if (node.nodeValue !== made.nodeValue) node.nodeValue = made.nodeValue
}
