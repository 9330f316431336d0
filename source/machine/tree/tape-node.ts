// A node of a tree: a view on the tape. What is not asked for is not made.

import { INSPECT, type InspectArguments, NO_CLONE, show } from '../../text/inspection.ts'
import type {
  NodeOfType,
  NodeReference,
  Place,
  SyntaxNode,
  SyntaxNodeData,
  SyntaxNodeObject,
  Term,
} from './syntax-node.ts'
import type { Parts } from './tape.ts'
import type { TextPosition } from './text-position.ts'
import { Tree } from './tree.ts'

/**
 * A subtree of at most so many records is made at once, in one pass, when the value of its root is first read. Small parts of streams share no
 * more records (LARGEST_SHARE), so none of them keeps nodes of another one.
 */
const BATCH = 1024
/**
 * In a larger tree, so many nodes are kept in the values that were read last. To keep all of them would cost much more than to make them again:
 * what survives is copied by the garbage collector.
 */
const MOST_KEPT = 2048
/** More children than this are always kept: to make them anew would be slow where somebody asks for each of them by its index. */
const FEW = 16

/** The nodes of parts. With `text`, the string that the bytes were. */
export function nodesOf(parts: Parts, types: readonly string[], text?: string): SyntaxNode[] {
  const tree = new Tree<TapeNode>(parts, types, text)
  return parts.roots.map((root) => asNode(new TapeNode(tree, root, undefined)))
}

/** What users see. A record says the type of a node, and so of which kind its value is. */
function asNode(node: TapeNode): SyntaxNode {
  return node as Term<string, unknown> as SyntaxNode
}

export class TapeNode implements Term<string, string | readonly SyntaxNode[]> {
  static readonly name = 'SyntaxNode'
  /** @internal */
  readonly self = this
  /** @internal */
  readonly clone = NO_CLONE
  readonly #tree: Tree<TapeNode>
  readonly #record: number
  #value: string | readonly TapeNode[] | undefined

  constructor(tree: Tree<TapeNode>, record: number, value: readonly TapeNode[] | undefined) {
    this.#tree = tree
    this.#record = record
    this.#value = value
  }

  get type(): string {
    return this.#tree.typeOf(this.#record)
  }

  get start(): number {
    return this.#tree.offset + this.#tree.startOf(this.#record)
  }

  get end(): number {
    return this.#tree.offset + this.#tree.endOf(this.#record)
  }

  get value(): string | readonly SyntaxNode[] {
    return (this.#value ?? this.#makeValue()) as SyntaxNode['value']
  }

  get count(): number {
    const value = this.#value
    return typeof value === 'object' ? value.length : this.#tree.countOf(this.#record)
  }

  get text(): string {
    return this.#tree.text(this.#tree.startOf(this.#record), this.#tree.endOf(this.#record))
  }

  get ref(): NodeReference {
    return referenceOf(this.#tree, this.#record)
  }

  child<Name extends string>(type: Name): NodeOfType<Name> | undefined {
    for (const node of this.#members()) if (node.type === type) return asNode(node) as NodeOfType<Name>
    return undefined
  }

  children<Name extends string>(type: Name): NodeOfType<Name>[] {
    const found: NodeOfType<Name>[] = []
    for (const node of this.#members()) if (node.type === type) found.push(asNode(node) as NodeOfType<Name>)
    return found
  }

  *walk(): Generator<SyntaxNode, void, undefined> {
    const rest: TapeNode[] = [this]
    for (let node = rest.pop(); node; node = rest.pop()) {
      yield asNode(node)
      node.#pushChildren(rest)
    }
  }

  toObject(): SyntaxNodeObject {
    const tree = this.#tree
    // Children stand before their parents on the tape: what is made last lies on top. What is in brackets stays there for the rule around them.
    const made: { record: number; object: SyntaxNodeObject }[] = []
    const take = (first: number): SyntaxNodeObject[] => {
      let from = made.length
      while (from > 0 && (made[from - 1] as { record: number }).record >= first) from--
      return made.splice(from).map(({ object }) => object)
    }
    for (let record = tree.firstOf(this.#record); record <= this.#record; record++) {
      const type = tree.typeOf(record)
      if (type.startsWith('(')) continue
      const members = take(tree.firstOf(record))
      const object = tree.isLiteral(record) ? tree.literalOf(record) : { [type]: joinStrings(members) }
      made.push({ record, object })
    }
    return made.at(-1)?.record === this.#record ? (made[0] as { object: SyntaxNodeObject }).object : take(0)
  }

  toJSON(): SyntaxNodeData {
    const tree = this.#tree
    // Children stand before their parents on the tape: what is made last lies on top.
    const made: { record: number; data: SyntaxNodeData }[] = []
    for (let record = tree.firstOf(this.#record); record <= this.#record; record++) {
      const children: SyntaxNodeData[] = []
      const first = tree.firstOf(record)
      for (let last = made.at(-1); last && last.record >= first; last = made.at(-1)) {
        children.push(last.data)
        made.pop()
      }
      const isLiteral = tree.isLiteral(record)
      const data: SyntaxNodeData = {
        type: tree.typeOf(record),
        start: tree.offset + tree.startOf(record),
        end: tree.offset + tree.endOf(record),
        count: isLiteral ? tree.countOf(record) : children.length,
        value: isLiteral ? tree.literalOf(record) : children.reverse(),
        ref: referenceOf(tree, record),
      }
      made.push({ record, data })
    }
    return (made[0] as { data: SyntaxNodeData }).data
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return listNodes(this.toJSON())
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    const { type, start, end, value } = this
    return show('SyntaxNode', type, { type, start, end, value }, how)
  }

  /** The children, and those of brackets and repetitions among them, in the order of the input. */
  *#members(): Generator<TapeNode, void, undefined> {
    const rest: TapeNode[] = []
    this.#pushChildren(rest)
    for (let node = rest.pop(); node; node = rest.pop()) {
      yield node
      if (node.type.startsWith('(')) node.#pushChildren(rest)
    }
  }

  /** Puts the children on a stack, the first one on top. */
  #pushChildren(stack: TapeNode[]): void {
    if (this.#tree.isLiteral(this.#record)) return
    const children = this.value as unknown as readonly TapeNode[]
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as TapeNode)
  }

  #makeValue(): string | readonly TapeNode[] {
    const tree = this.#tree
    const record = this.#record
    const value = tree.isLiteral(record) ? tree.literalOf(record) : this.#makeChildren()
    this.#value = value
    return value
  }

  #makeChildren(): readonly TapeNode[] {
    const tree = this.#tree
    const record = this.#record
    const first = tree.firstOf(record)
    if (record - first <= BATCH) {
      if (tree.length > BATCH) this.#keep(record - first)
      return makeSubtree(tree, first, record)
    }
    const kept = tree.kept.get(record)
    if (kept) return kept
    const children = makeChildren(tree, first, record)
    if (children.length > FEW) tree.kept.set(record, children)
    else this.#keep(children.length)
    return children
  }

  /** Lets the node keep its value, which has made so many nodes, and others forget theirs if they are too many. */
  #keep(size: number): void {
    const { recent } = this.#tree
    recent.size += size
    if (recent.size > MOST_KEPT) {
      for (const node of recent.nodes) node.#value = undefined
      recent.nodes.length = 0
      recent.size = size
    }
    recent.nodes.push(this)
  }
}

/** The children of a record, without what is below them. */
function makeChildren(tree: Tree<TapeNode>, first: number, record: number): readonly TapeNode[] {
  let count = 0
  for (let child = record - 1; child >= first; child = tree.firstOf(child) - 1) count++
  const children = makeArray(count)
  for (let child = record - 1; child >= first; child = tree.firstOf(child) - 1) {
    children[--count] = new TapeNode(tree, child, undefined)
  }
  return children
}

/** The children of a record, with all that is below them. */
function makeSubtree(tree: Tree<TapeNode>, first: number, root: number): readonly TapeNode[] {
  // The nodes of the records from `first` on.
  const made = makeArray(root - first)
  for (let record = first; record < root; record++) {
    const children = tree.isLiteral(record) ? undefined : gatherChildren(tree, record, made, first)
    made[record - first] = new TapeNode(tree, record, children)
  }
  return gatherChildren(tree, root, made, first)
}

function gatherChildren(tree: Tree<TapeNode>, record: number, made: readonly TapeNode[], offset: number): TapeNode[] {
  const first = tree.firstOf(record)
  const last = record - 1
  // Most nodes have one child.
  if (last >= first && tree.firstOf(last) === first) {
    const children = makeArray(1)
    children[0] = made[last - offset] as TapeNode
    return children
  }
  let count = 0
  for (let child = last; child >= first; child = tree.firstOf(child) - 1) count++
  const children = makeArray(count)
  for (let child = last; child >= first; child = tree.firstOf(child) - 1) {
    children[--count] = made[child - offset] as TapeNode
  }
  return children
}

/**
 * An array to be filled. For places in the code with `[]` or `new Array`, V8 decides by what it sees first whether all their arrays are
 * long-lived; if so, what they refer to lives as long, and a walk takes five times as long. This call has no such place.
 */
function makeArray(length: number): TapeNode[] {
  return Array.call(undefined, length) as TapeNode[]
}

/** Text alone as one string. */
function joinStrings(members: SyntaxNodeObject[]): string | SyntaxNodeObject[] {
  return members.every((member) => typeof member === 'string') ? members.join('') : members
}

/** A node and all below it as a list: a node before its children. Without recursion. */
function listNodes(root: SyntaxNodeData): string {
  const list: string[] = []
  const rest = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    const { type, start, end, count, value, ref } = node
    const text = typeof value === 'string' ? value : undefined
    list.push(JSON.stringify([type, start, end, count, text, ref.start.line, ref.start.col, ref.end.line, ref.end.col]))
    if (typeof value !== 'string') for (let i = value.length - 1; i >= 0; i--) rest.push(value[i] as SyntaxNodeData)
  }
  return list.join()
}

function referenceOf(tree: Tree<TapeNode>, record: number): NodeReference {
  return { start: placeOf(tree.position(tree.startOf(record))), end: placeOf(tree.position(tree.endOf(record))) }
}

function placeOf({ line, column, index }: TextPosition): Place {
  return { line, col: column, index }
}
