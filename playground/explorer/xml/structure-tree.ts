// The structure of a document as it was seen so far: a tree of elements, of which one is chosen for records.

import { button, element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { StructureNode } from '../protocol.ts'

/** Levels that are open at first. */
const OPEN_LEVELS = 3
/** Attributes that are shown before the others are only counted. */
const MOST_ATTRIBUTES = 8

/** An element in the tree. */
class Branch {
  readonly item: HTMLLIElement
  readonly #tree: StructureTree
  readonly #depth: number
  readonly #count = element('span', { class: 'label number' })
  readonly #facts = element('div', { class: 'branch-facts' })
  readonly #children = element('ul', { class: 'branches' })
  readonly #toggle: HTMLButtonElement
  readonly #branches = new Map<string, Branch>()
  #node: StructureNode
  #isOpen: boolean

  constructor(tree: StructureTree, node: StructureNode, depth: number) {
    this.#tree = tree
    this.#depth = depth
    this.#node = node
    this.#isOpen = depth < OPEN_LEVELS
    this.#toggle = button(`<${node.name}>`, () => this.#turn(), { class: 'branch-name mono' })
    const pick = button('Use as record', () => tree.onPick(this.#node), {
      class: 'button small',
      'aria-label': `Use as record: ${node.path}`,
    })
    this.item = element(
      'li',
      {},
      element('div', { class: 'branch' }, this.#toggle, this.#count, depth === 0 ? undefined : pick),
      this.#facts,
      this.#children,
    )
    this.update(node)
  }

  update(node: StructureNode): void {
    this.#node = node
    const several = node.most > 1 ? `, up to ${formatCount(node.most)} in one` : ''
    this.#count.textContent = `${formatCount(node.count)}${several}`
    const hasChildren = node.children.length > 0
    this.#toggle.disabled = !hasChildren
    if (hasChildren) this.#toggle.setAttribute('aria-expanded', String(this.#isOpen))
    this.#showFacts()
    this.#children.hidden = !this.#isOpen
    // What is closed is not made.
    if (this.#isOpen) this.#updateChildren()
  }

  #updateChildren(): void {
    for (const child of this.#node.children) {
      const known = this.#branches.get(child.name)
      if (known) known.update(child)
      else {
        const branch = new Branch(this.#tree, child, this.#depth + 1)
        this.#branches.set(child.name, branch)
        this.#children.append(branch.item)
      }
    }
  }

  #showFacts(): void {
    const { attributes, example } = this.#node
    const shown = attributes.slice(0, MOST_ATTRIBUTES).map(({ name, example: value }) => `${name}="${value}"`)
    if (attributes.length > shown.length) shown.push(`and ${attributes.length - shown.length} more attributes`)
    const text = [...shown, ...(example === undefined ? [] : [`“${example}”`])].join('  ')
    if (this.#facts.textContent !== text) this.#facts.textContent = text
  }

  #turn(): void {
    this.#isOpen = !this.#isOpen
    this.update(this.#node)
  }
}

export class StructureTree {
  readonly element = element('ul', { class: 'branches tree' })
  readonly onPick: (node: StructureNode) => void
  readonly #roots = new Map<string, Branch>()

  /** `onPick` is called with the element that was chosen for records. */
  constructor(onPick: (node: StructureNode) => void) {
    this.onPick = onPick
  }

  update(roots: readonly StructureNode[]): void {
    for (const root of roots) {
      const known = this.#roots.get(root.name)
      if (known) known.update(root)
      else {
        const branch = new Branch(this, root, 0)
        this.#roots.set(root.name, branch)
        this.element.append(branch.item)
      }
    }
  }
}
