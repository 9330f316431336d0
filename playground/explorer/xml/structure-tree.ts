// The structure of a document as it was seen so far: a tree of elements, from which one is chosen for records.

import { TreeRows } from '../../list/tree-rows.ts'
import { TreeView } from '../../list/tree-view.ts'
import { element } from '../../shell/element.ts'
import { countOf, formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import type { PickedElement, StructureRow } from '../protocol.ts'

/** Pixels, as in `explorer.css`. */
const ROW_HEIGHT = 48
/** Levels whose elements are shown at first. */
const OPEN_LEVELS = 3
/** Levels that the indent shows well. */
const INDENTED_LEVELS = 10
/** Levels from which records can be read: the library has paths of so many steps. */
const MOST_STEPS = 30
/** Rows that are kept. */
const MOST_ROWS = 2_000

export class StructureTree {
  readonly element: HTMLElement
  readonly #connection: Connection
  readonly #nodes = new TreeRows()
  readonly #view: TreeView
  readonly #rows = new Map<number, StructureRow>()
  /** Nodes whose rows are asked for with the next message. */
  #wanted = new Set<number>()
  #picked = 0
  /** The path of the element whose records are shown. */
  #record = ''

  /** `onPick` is called with the element that was chosen for records. */
  constructor(connection: Connection, onPick: (record: PickedElement) => void) {
    this.#connection = connection
    this.#view = new TreeView(this.#nodes, {
      label: 'Elements',
      rowHeight: ROW_HEIGHT,
      describe: (node) => this.#describe(node),
      onChoose: (node, clicked) => this.#choose(node, clicked),
    })
    this.element = this.#view.element
    this.element.setAttribute('aria-description', 'The Enter key uses an element as record')
    connection.on('structure', ({ added }) => {
      this.#nodes.add(added, OPEN_LEVELS)
      // The counts of those that are seen may be others now.
      for (const node of this.#view.drawn) this.#want(node)
      if (added.length > 0) this.#view.refresh()
    })
    connection.on('structureRows', ({ rows }) => {
      if (this.#rows.size > MOST_ROWS) this.#rows.clear()
      for (const row of rows) this.#rows.set(row.node, row)
      this.#view.refresh()
    })
    connection.on('picked', ({ ask, record }) => {
      if (ask === this.#picked) onPick(record)
    })
  }

  /** Marks the element whose records are shown, by its path. */
  mark(record: string): void {
    if (record === this.#record) return
    this.#record = record
    this.#view.refresh()
  }

  close(): void {
    this.#view.close()
  }

  #choose(node: number, clicked: Element | undefined): void {
    const isMeant = clicked === undefined || clicked.closest('button') !== null
    if (isMeant && this.#canBeRecord(node)) {
      this.#picked = this.#connection.nextNumber()
      this.#connection.send({ type: 'pick', ask: this.#picked, node })
    } else this.#view.setOpen(node, !this.#nodes.isOpen(node))
  }

  /** The root cannot: there is one only. */
  #canBeRecord(node: number): boolean {
    const depth = this.#nodes.depthOf(node)
    return depth > 0 && depth < MOST_STEPS
  }

  #want(node: number): void {
    if (this.#wanted.size === 0) {
      queueMicrotask(() => {
        this.#connection.send({ type: 'structureRows', nodes: [...this.#wanted] })
        this.#wanted = new Set()
      })
    }
    this.#wanted.add(node)
  }

  #describe(node: number): HTMLElement[] {
    const row = this.#rows.get(node)
    if (!row) {
      this.#want(node)
      return [element('span', { class: 'mono' }, '…')]
    }
    const depth = this.#nodes.depthOf(node)
    const head = [
      element('span', { class: 'element-name mono' }, `<${row.name}>`),
      element('span', { class: 'label number' }, describeCount(row, depth)),
      row.path === this.#record ? element('span', { class: 'badge good' }, 'record') : undefined,
    ]
    const facts = describeFacts(row)
    const texts = [
      element('span', { class: 'element-head' }, ...head),
      facts === '' ? undefined : element('span', { class: 'element-facts', title: facts }, facts),
    ]
    const described = [element('span', { class: 'element-texts' }, ...texts)]
    if (this.#canBeRecord(node)) described.push(this.#makePick(row))
    return described
  }

  /** For the mouse: keys choose the row itself. */
  #makePick({ path }: StructureRow): HTMLElement {
    const attributes = { type: 'button', class: 'button small', tabindex: -1, 'aria-label': `Use as record: ${path}` }
    return element('button', attributes, 'Use as record')
  }
}

function describeCount({ count, most }: StructureRow, depth: number): string {
  const parts = [formatCount(count)]
  if (most > 1) parts.push(`up to ${formatCount(most)} in one`)
  if (depth > INDENTED_LEVELS) parts.push(`level ${formatCount(depth + 1)}`)
  return parts.join(', ')
}

function describeFacts({ attributes, attributeCount, example }: StructureRow): string {
  const parts = attributes.map(({ name, example: value }) => `${name}="${value}"`)
  const more = attributeCount - attributes.length
  if (more > 0) parts.push(`and ${countOf(more, 'more attribute')}`)
  if (example !== undefined) parts.push(`“${example}”`)
  return parts.join('  ')
}
