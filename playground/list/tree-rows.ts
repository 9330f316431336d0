// Which nodes of a tree are shown, one below the other.

/** Nodes that are shown when a tree appears. */
const FIRST_SHOWN = 60
const FIRST_CAPACITY = 1024
const NONE = -1

/** Where the keys of a tree lead. */
export type Move = 'up' | 'down' | 'first' | 'last' | 'pageUp' | 'pageDown'

/** The rows of a tree: its nodes, except those inside of nodes that are closed. Nodes are numbers from 0; the parent of a node has a smaller one. */
export class TreeRows {
  #length = 0
  #parent = new Int32Array(FIRST_CAPACITY)
  #depth = new Int32Array(FIRST_CAPACITY)
  #firstChild = new Int32Array(FIRST_CAPACITY)
  #lastChild = new Int32Array(FIRST_CAPACITY)
  #sibling = new Int32Array(FIRST_CAPACITY)
  /** The row of each node; -1 for those that are not shown. */
  #row = new Int32Array(FIRST_CAPACITY)
  #isOpen = new Uint8Array(FIRST_CAPACITY)
  #lastRoot = NONE
  #rows: readonly number[] = []

  /** The nodes that are shown. */
  get rows(): readonly number[] {
    return this.#rows
  }

  /** How many nodes there are. */
  get length(): number {
    return this.#length
  }

  /** Adds nodes by their parents, -1 for those at the root, as last children. Those above `openLevels` are open. */
  add(parents: ArrayLike<number>, openLevels = 0): void {
    if (parents.length === 0) return
    this.#reserve(this.#length + parents.length)
    for (let i = 0; i < parents.length; i++) this.#addNode(parents[i] as number, openLevels)
    this.#update()
  }

  hasChildren(node: number): boolean {
    return node < this.#length && this.#firstChild[node] !== NONE
  }

  isOpen(node: number): boolean {
    return this.#isOpen[node] === 1
  }

  /** The row of a node; undefined if it is not shown. */
  rowOf(node: number): number | undefined {
    const row = node < this.#length ? (this.#row[node] as number) : NONE
    return row === NONE ? undefined : row
  }

  /** How many nodes are around a node. */
  depthOf(node: number): number {
    return this.#depth[node] ?? 0
  }

  parentOf(node: number): number | undefined {
    const parent = this.#parent[node] ?? NONE
    return parent === NONE ? undefined : parent
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
  openFirst(): void {
    let level = [0]
    let shown = 1
    while (level.length > 0) {
      const below = level.flatMap((node) => this.#childrenOf(node, FIRST_SHOWN))
      shown += below.length
      if (shown > FIRST_SHOWN && level[0] !== 0) break
      for (const node of level) this.#isOpen[node] = 1
      level = below
    }
    this.#update()
  }

  #childrenOf(node: number, most: number): number[] {
    const children: number[] = []
    let child = this.#firstChild[node] as number
    for (; child !== NONE && children.length < most; child = this.#sibling[child] as number) children.push(child)
    return children
  }

  #addNode(parent: number, openLevels: number): void {
    const node = this.#length++
    const depth = parent === NONE ? 0 : (this.#depth[parent] as number) + 1
    const before = parent === NONE ? this.#lastRoot : (this.#lastChild[parent] as number)
    this.#parent[node] = parent
    this.#depth[node] = depth
    this.#isOpen[node] = depth < openLevels ? 1 : 0
    this.#firstChild[node] = this.#lastChild[node] = this.#sibling[node] = NONE
    if (before !== NONE) this.#sibling[before] = node
    else if (parent !== NONE) this.#firstChild[parent] = node
    if (parent === NONE) this.#lastRoot = node
    else this.#lastChild[parent] = node
  }

  #reserve(length: number): void {
    if (length <= this.#parent.length) return
    const capacity = Math.max(length, 2 * this.#parent.length)
    this.#parent = enlarge(this.#parent, capacity)
    this.#depth = enlarge(this.#depth, capacity)
    this.#firstChild = enlarge(this.#firstChild, capacity)
    this.#lastChild = enlarge(this.#lastChild, capacity)
    this.#sibling = enlarge(this.#sibling, capacity)
    this.#row = new Int32Array(capacity)
    const isOpen = new Uint8Array(capacity)
    isOpen.set(this.#isOpen)
    this.#isOpen = isOpen
  }

  #update(): void {
    const rows: number[] = []
    this.#row.fill(NONE)
    let node = this.#length > 0 ? 0 : NONE
    while (node !== NONE) {
      this.#row[node] = rows.push(node) - 1
      const child = this.#isOpen[node] === 1 ? (this.#firstChild[node] as number) : NONE
      node = child === NONE ? this.#nodeAfter(node) : child
    }
    this.#rows = rows
  }

  /** The next node that is not inside of a node; -1 if there is none. */
  #nodeAfter(node: number): number {
    let around = node
    while (around !== NONE && this.#sibling[around] === NONE) around = this.#parent[around] as number
    return around === NONE ? NONE : (this.#sibling[around] as number)
  }
}

function enlarge(from: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(capacity)
  to.set(from)
  return to
}
