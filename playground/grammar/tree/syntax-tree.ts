// The tree of an input.

import { TreeRows } from '../../list/tree-rows.ts'
import { TreeView } from '../../list/tree-view.ts'
import { button, element } from '../../shell/element.ts'
import { countOf } from '../../shell/numbers.ts'
import type { FlatTree } from './flat-tree.ts'
import { describeNode } from './tree-row.ts'

const ROW_HEIGHT = 28

export interface SyntaxTreeEvents {
  /** A node is pointed at, or has the focus; undefined: none. */
  onPoint(node: number | undefined): void
  /** A node was chosen. */
  onChoose(node: number): void
}

export class SyntaxTree {
  readonly element: HTMLElement
  readonly #caption = element('p', { class: 'label' })
  readonly #view: TreeView
  #tree: FlatTree | undefined
  #input = ''

  constructor(events: SyntaxTreeEvents) {
    this.#view = new TreeView(new TreeRows(), {
      label: 'Syntax tree',
      rowHeight: ROW_HEIGHT,
      describe: (node) => (this.#tree ? describeNode(this.#tree, node, this.#input) : []),
      onChoose: (node) => events.onChoose(node),
      onPoint: (node) => events.onPoint(node),
    })
    const buttons = element(
      'div',
      { class: 'row' },
      button('Open all', () => this.#view.setAllOpen(true), { class: 'button small' }),
      button('Close all', () => this.#view.setAllOpen(false), { class: 'button small' }),
    )
    const head = element('div', { class: 'grammar-tree-head' }, this.#caption, buttons)
    this.element = element('div', { class: 'grammar-tree' }, head, this.#view.element)
  }

  /** Shows the tree of an input. */
  show(tree: FlatTree, input: string): void {
    this.#tree = tree
    this.#input = input
    const count = countOf(tree.type.length, 'node')
    this.#caption.textContent = tree.isCut
      ? `The first ${count}. There are more, which are not shown.`
      : `${count}. Point at one to see what it covers. Numbers are bytes.`
    const rows = new TreeRows()
    rows.add(tree.parent)
    rows.openFirst()
    this.#view.show(rows)
  }

  /** Makes a node the current one, opens what is around it, and shows it. */
  select(node: number): void {
    this.#view.select(node)
  }
}
