// Which nodes of a tree are shown, one below the other.

import type { FlatTree } from './flat-tree.ts'

/** Nodes that are shown when a tree appears. */
const FIRST_SHOWN = 60

/** Where the keys of a tree lead. */
export type Move = 'up' | 'down' | 'first' | 'last' | 'pageUp' | 'pageDown'

/** The rows of a tree: its nodes, except those inside of nodes that are closed. */
export class TreeRows {
  readonly tree: FlatTree
  readonly #isOpen: Uint8Array
  #rows: readonly number[] = []

  constructor(tree: FlatTree) {
    this.tree = tree
    this.#isOpen = new Uint8Array(tree.type.length)
    this.#openFirst()
    this.#update()
  }

  /** The nodes that are shown, in document order. */
  get rows(): readonly number[] {
    return this.#rows
  }

  hasChildren(node: number): boolean {
    return this.#next(node) > node + 1
  }

  isOpen(node: number): boolean {
    return this.#isOpen[node] === 1
  }

  /** The row of a node; undefined if it is not shown. */
  rowOf(node: number): number | undefined {
    const rows = this.#rows
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((rows[middle] as number) < node) low = middle + 1
      else high = middle
    }
    return rows[low] === node ? low : undefined
  }

  /** How many nodes are around a node. */
  depthOf(node: number): number {
    let depth = 0
    for (let around = this.parentOf(node); around !== undefined; around = this.parentOf(around)) depth++
    return depth
  }

  parentOf(node: number): number | undefined {
    const parent = this.tree.parent[node] ?? -1
    return parent < 0 ? undefined : parent
  }

  setOpen(node: number, isOpen: boolean): void {
    if (!this.hasChildren(node)) return
    this.#isOpen[node] = isOpen ? 1 : 0
    this.#update()
  }

  setAllOpen(isOpen: boolean): void {
    this.#isOpen.fill(isOpen ? 1 : 0)
    this.#isOpen[0] = 1
    this.#update()
  }

  /** Opens all that is around a node. Returns its row. */
  reveal(node: number): number {
    let isChanged = false
    for (let around = this.parentOf(node); around !== undefined; around = this.parentOf(around)) {
      isChanged ||= this.#isOpen[around] === 0
      this.#isOpen[around] = 1
    }
    if (isChanged) this.#update()
    return this.rowOf(node) ?? 0
  }

  /** The node that a key leads to from another. */
  move(node: number, move: Move, page: number): number {
    const row = this.rowOf(node) ?? 0
    const last = this.#rows.length - 1
    const rows: Record<Move, number> = {
      up: row - 1,
      down: row + 1,
      first: 0,
      last,
      pageUp: row - page,
      pageDown: row + page,
    }
    return this.#rows[Math.min(last, Math.max(0, rows[move]))] ?? node
  }

  /** Opens level after level, as long as not much is shown. */
  #openFirst(): void {
    let level = [0]
    let shown = 1
    while (level.length > 0) {
      const below = level.flatMap((node) => this.#childrenOf(node, FIRST_SHOWN))
      shown += below.length
      if (shown > FIRST_SHOWN && level[0] !== 0) return
      for (const node of level) this.#isOpen[node] = 1
      level = below
    }
  }

  #childrenOf(node: number, most: number): number[] {
    const children: number[] = []
    const end = this.#next(node)
    for (let child = node + 1; child < end && children.length < most; child = this.#next(child)) children.push(child)
    return children
  }

  #next(node: number): number {
    return this.tree.next[node] ?? node + 1
  }

  #update(): void {
    const rows: number[] = []
    const { length } = this.tree.type
    for (let node = 0; node < length; node = this.#isOpen[node] === 1 ? node + 1 : this.#next(node)) rows.push(node)
    this.#rows = rows
  }
}
