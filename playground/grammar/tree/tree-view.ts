// The tree of an input, as rows. Only the rows that can be seen are elements: a tree may have half a million nodes.

import { button, element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { FlatTree } from './flat-tree.ts'
import { describeNode, makeRow, ROW_HEIGHT } from './tree-row.ts'
import { type Move, TreeRows } from './tree-rows.ts'

export interface TreeViewEvents {
  /** A node is pointed at, or has the focus; undefined: none. */
  onPoint(node: number | undefined): void
  /** A node was chosen. */
  onChoose(node: number): void
}

const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}
/** Rows above and below what is seen. */
const BEYOND = 8

export class TreeView {
  readonly element: HTMLElement
  readonly #events: TreeViewEvents
  readonly #tree = element('div', { role: 'tree', class: 'tree', tabindex: 0, 'aria-label': 'Syntax tree' })
  readonly #space = element('div', { role: 'none', class: 'tree-space' })
  readonly #caption = element('p', { class: 'label' })
  readonly #resized = new ResizeObserver(() => this.#draw())
  #rows: TreeRows | undefined
  #input = ''
  /** The node that keys move from. */
  #current = 0
  /** The node that was pointed at last, so that each is told once. */
  #pointed: number | undefined
  #drawn = ''

  constructor(events: TreeViewEvents) {
    this.#events = events
    const buttons = element(
      'div',
      { class: 'row' },
      button('Open all', () => this.#setAllOpen(true), { class: 'button' }),
      button('Close all', () => this.#setAllOpen(false), { class: 'button' }),
    )
    const head = element('div', { class: 'grammar-tree-head' }, this.#caption, buttons)
    this.element = element('div', { class: 'grammar-tree' }, head, this.#tree)
    this.#tree.append(this.#space)
    this.#tree.addEventListener('scroll', () => this.#draw())
    this.#tree.addEventListener('keydown', (event) => this.#onKey(event))
    this.#tree.addEventListener('click', (event) => this.#onClick(event))
    this.#tree.addEventListener('mousemove', ({ target }) => this.#point(nodeAt(target)))
    this.#tree.addEventListener('mouseleave', () => this.#pointAtFocus())
    this.#tree.addEventListener('focus', () => this.#pointAtFocus())
    this.#tree.addEventListener('blur', () => this.#point(undefined))
    this.#resized.observe(this.#tree)
  }

  /** Shows the tree of an input. */
  show(tree: FlatTree, input: string): void {
    this.#rows = new TreeRows(tree)
    this.#input = input
    this.#current = 0
    this.#pointed = undefined
    const count = formatCount(tree.type.length)
    this.#caption.textContent = tree.isCut
      ? `The first ${count} nodes. There are more, which are not shown.`
      : `${count} ${tree.type.length === 1 ? 'node' : 'nodes'}. The numbers are bytes: the first, and the one after the last.`
    this.#tree.scrollTop = 0
    this.#redraw()
  }

  /** Makes a node the current one, opens what is around it, and shows it. */
  select(node: number): void {
    if (!this.#rows) return
    this.#current = node
    this.#pointed = undefined
    this.#reveal(this.#rows.reveal(node))
    this.#redraw()
  }

  #pointAtFocus(): void {
    this.#point(this.#rows && document.activeElement === this.#tree ? this.#current : undefined)
  }

  #point(node: number | undefined): void {
    if (node === this.#pointed) return
    this.#pointed = node
    this.#events.onPoint(node)
  }

  #setAllOpen(isOpen: boolean): void {
    if (!this.#rows) return
    this.#rows.setAllOpen(isOpen)
    if (this.#rows.rowOf(this.#current) === undefined) this.#current = 0
    this.#redraw()
    this.#reveal(this.#rows.rowOf(this.#current) ?? 0)
  }

  #onKey(event: KeyboardEvent): void {
    const rows = this.#rows
    if (!rows || event.ctrlKey || event.metaKey || event.altKey) return
    const node = this.#current
    const move = MOVES[event.key]
    if (move) this.#goTo(rows.move(node, move, Math.max(1, Math.floor(this.#tree.clientHeight / ROW_HEIGHT) - 1)))
    else if (event.key === 'ArrowRight') {
      if (rows.hasChildren(node) && !rows.isOpen(node)) this.#setOpen(node, true)
      else if (rows.hasChildren(node)) this.#goTo(node + 1)
    } else if (event.key === 'ArrowLeft') {
      if (rows.hasChildren(node) && rows.isOpen(node)) this.#setOpen(node, false)
      else this.#goTo(rows.parentOf(node) ?? node)
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#events.onChoose(node)
    } else return
    event.preventDefault()
  }

  #onClick({ target }: MouseEvent): void {
    const node = nodeAt(target)
    if (node === undefined || !this.#rows) return
    const isToggle = target instanceof Element && target.closest('.tree-toggle') !== null
    if (isToggle) this.#setOpen(node, !this.#rows.isOpen(node))
    this.#current = node
    this.#redraw()
    if (!isToggle) this.#events.onChoose(node)
  }

  #setOpen(node: number, isOpen: boolean): void {
    this.#rows?.setOpen(node, isOpen)
    if (this.#rows?.rowOf(this.#current) === undefined) this.#current = node
    this.#redraw()
  }

  #goTo(node: number): void {
    this.#current = node
    this.#reveal(this.#rows?.rowOf(node) ?? 0)
    this.#redraw()
    this.#point(node)
  }

  /** Scrolls as little as is needed. */
  #reveal(row: number): void {
    this.#setHeight()
    const top = row * ROW_HEIGHT
    const { scrollTop, clientHeight } = this.#tree
    if (top < scrollTop) this.#tree.scrollTop = top
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.#tree.scrollTop = top + ROW_HEIGHT - clientHeight
  }

  #redraw(): void {
    this.#drawn = ''
    this.#draw()
  }

  #setHeight(): void {
    this.#space.style.height = `${(this.#rows?.rows.length ?? 0) * ROW_HEIGHT}px`
  }

  #draw(): void {
    const rows = this.#rows
    if (!rows) return
    this.#setHeight()
    const { scrollTop, clientHeight } = this.#tree
    const from = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - BEYOND)
    const to = Math.min(rows.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + BEYOND)
    if (this.#drawn === `${from} ${to}`) return
    this.#drawn = `${from} ${to}`
    const shown = rows.rows.slice(from, to)
    this.#space.replaceChildren(
      ...shown.map((node, i) => makeRow(describeNode(rows, node, this.#input), from + i, node === this.#current)),
    )
    this.#tree.setAttribute('aria-activedescendant', shown.includes(this.#current) ? `tree-node-${this.#current}` : '')
  }
}

function nodeAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
  return row ? Number(row.dataset.node) : undefined
}
