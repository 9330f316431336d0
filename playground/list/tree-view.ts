// A tree of any size, as rows. Only the rows that are seen are elements.

import { element } from '../shell/element.ts'
import type { Move, TreeRows } from './tree-rows.ts'
import { VirtualList } from './virtual-list.ts'

/** Levels that are indented; deeper ones stand below each other. */
const MOST_INDENTED = 24
const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}

export interface TreeViewOptions {
  /** What the tree is called. */
  readonly label: string
  /** The height of all rows, in CSS pixels. */
  readonly rowHeight: number
  /** What stands in the row of a node. It is asked again when `refresh` is called. */
  readonly describe: (node: number) => readonly (HTMLElement | undefined)[]
  /** A node was chosen: with the keyboard, or by a click on an element of its row. */
  readonly onChoose: (node: number, clicked: Element | undefined) => void
  /** A node is pointed at, or has the focus; undefined: none. */
  readonly onPoint?: (node: number | undefined) => void
}

/** Several trees of the same label may be on the page. */
let trees = 0

export class TreeView {
  readonly element: HTMLElement
  readonly #number = ++trees
  readonly #options: TreeViewOptions
  readonly #list: VirtualList
  #rows: TreeRows
  /** The node that keys move from. */
  #current = 0
  /** The node that was pointed at last, so that each is reported once. */
  #pointed: number | undefined

  constructor(rows: TreeRows, options: TreeViewOptions) {
    this.#rows = rows
    this.#options = options
    const { label, rowHeight } = options
    const makeRow = (index: number) => this.#makeRow(index)
    this.#list = new VirtualList({ rowHeight, makeRow, role: 'tree', label, bodyRole: 'none' })
    this.element = this.#list.element
    this.element.classList.add('tree')
    this.element.addEventListener('keydown', (event) => this.#onKey(event))
    this.element.addEventListener('click', (event) => this.#onClick(event))
    this.element.addEventListener('mousemove', ({ target }) => this.#point(nodeAt(target)))
    this.element.addEventListener('mouseleave', () => this.#pointAtFocus())
    this.element.addEventListener('focus', () => this.#pointAtFocus())
    this.element.addEventListener('blur', () => this.#point(undefined))
  }

  /** The nodes whose rows are elements now. */
  get drawn(): number[] {
    return this.#list.drawn.flatMap((row) => this.#rows.rows[row] ?? [])
  }

  /** Shows another tree. */
  show(rows: TreeRows): void {
    this.#rows = rows
    this.#current = 0
    this.#pointed = undefined
    this.element.scrollTop = 0
    this.#redraw()
  }

  /** Shows what has changed, with the next frame. */
  refresh(): void {
    this.#list.setCount(this.#rows.rows.length)
    this.#list.refresh()
    this.#mark()
  }

  /** Makes a node the current one, opens what is around it, and shows it. */
  select(node: number): void {
    this.#pointed = undefined
    this.#rows.reveal(node)
    this.#goTo(node)
  }

  setOpen(node: number, isOpen: boolean): void {
    this.#rows.setOpen(node, isOpen)
    if (this.#rows.rowOf(this.#current) === undefined) this.#current = node
    this.#redraw()
  }

  setAllOpen(isOpen: boolean): void {
    this.#rows.setAllOpen(isOpen)
    if (this.#rows.rowOf(this.#current) === undefined) this.#current = 0
    this.#goTo(this.#current)
  }

  close(): void {
    this.#list.close()
  }

  #pointAtFocus(): void {
    this.#point(this.#rows.length > 0 && this.element.matches(':focus') ? this.#current : undefined)
  }

  #point(node: number | undefined): void {
    if (node === this.#pointed) return
    this.#pointed = node
    this.#options.onPoint?.(node)
  }

  #onKey(event: KeyboardEvent): void {
    const rows = this.#rows
    if (rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const node = this.#current
    const move = MOVES[event.key]
    if (move) this.#point(this.#goTo(rows.move(node, move, Math.max(1, this.#list.rowsInView - 1))))
    else if (event.key === 'ArrowRight') {
      if (rows.hasChildren(node) && !rows.isOpen(node)) this.setOpen(node, true)
      else if (rows.hasChildren(node)) this.#point(this.#goTo(rows.move(node, 'down', 1)))
    } else if (event.key === 'ArrowLeft') {
      if (rows.hasChildren(node) && rows.isOpen(node)) this.setOpen(node, false)
      else this.#point(this.#goTo(rows.parentOf(node) ?? node))
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#options.onChoose(node, undefined)
    } else return
    event.preventDefault()
  }

  #onClick({ target }: MouseEvent): void {
    const node = nodeAt(target)
    if (node === undefined || !(target instanceof Element)) return
    this.#current = node
    this.#redraw()
    if (target.closest('.tree-toggle')) this.setOpen(node, !this.#rows.isOpen(node))
    else this.#options.onChoose(node, target)
  }

  #goTo(node: number): number {
    this.#current = node
    // The list has to be as long as it will be before it can be scrolled there.
    this.#list.setCount(this.#rows.rows.length)
    this.#list.reveal(this.#rows.rowOf(node) ?? 0)
    this.#redraw()
    return node
  }

  /** Shows at once what a visitor has done. */
  #redraw(): void {
    this.#list.setCount(this.#rows.rows.length)
    this.#list.redraw()
    this.#mark()
  }

  #mark(): void {
    if (this.#rows.length > 0) this.element.setAttribute('aria-activedescendant', this.#idOf(this.#current))
  }

  #idOf(node: number): string {
    return `tree-${this.#number}-${node}`
  }

  #makeRow(index: number): HTMLElement {
    const rows = this.#rows
    const node = rows.rows[index] ?? 0
    const depth = rows.depthOf(node)
    const isOpen = rows.hasChildren(node) ? rows.isOpen(node) : undefined
    const made = element(
      'div',
      {
        role: 'treeitem',
        id: this.#idOf(node),
        class: 'tree-row',
        'data-node': node,
        'aria-level': depth + 1,
        'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
        'aria-selected': String(node === this.#current),
      },
      element('span', { class: isOpen === undefined ? 'tree-leaf' : 'tree-toggle', 'aria-hidden': 'true' }),
      ...this.#options.describe(node),
    )
    made.style.setProperty('--level', String(Math.min(depth, MOST_INDENTED)))
    return made
  }
}

function nodeAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
  return row ? Number(row.dataset.node) : undefined
}
