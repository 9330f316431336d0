// A node of a tree: a view on the tape. What is not asked for is not made.

import { INSPECT, type InspectArguments, NO_CLONE, show } from '../../text/inspection.ts'
import type { Parts } from './tape.ts'
import type { TextPosition } from './text-position.ts'
import { Tree } from './tree.ts'

/**
 * More children than this are kept: to make them anew would be slow where somebody asks for each of them by its index. Keeping all would
 * keep all of the tree that was read, which costs more than making them again.
 */
const FEW = 16

/** A place in the input. */
export interface Place {
  /** From 1. A line ends with a line feed. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly col: number
  /** UTF-16 units from the start of the input, from 0. */
  readonly index: number
}

/** Where a node lies: from `start` to before `end`. */
export interface NodeReference {
  readonly start: Place
  readonly end: Place
}

/** A node as plain data. */
export interface SyntaxNodeData {
  type: string
  start: number
  end: number
  count: number
  value: string | SyntaxNodeData[]
  ref: NodeReference
}

/**
 * A node of a syntax tree. `type` is the name of its rule; `literal` for text; or `(...)`, `(...)?`, `(...)*`, `(...)+` and `(...){2,5}`
 * for brackets and repetitions.
 *
 * You can keep a node for as long as you like. It retains its part of the tree and of the input; small nodes of a stream share a copy of at
 * most 16 KiB. Bytes passed to `Grammar.parse` are not copied: they must not change.
 */
export class SyntaxNode {
  /** @internal */
  readonly self = this
  /** @internal */
  readonly clone = NO_CLONE
  readonly #tree: Tree<SyntaxNode>
  readonly #record: number

  /** @internal */
  constructor(tree: Tree<SyntaxNode>, record: number) {
    this.#tree = tree
    this.#record = record
  }

  /**
   * The nodes of parts.
   *
   * @internal
   */
  static listOf(parts: Parts, types: readonly string[], text?: string): SyntaxNode[] {
    const tree = new Tree<SyntaxNode>(parts, types, text)
    return parts.roots.map((root) => new SyntaxNode(tree, root))
  }

  get type(): string {
    return this.#tree.typeOf(this.#record)
  }

  /** Offset in the input of its first byte, from 0, in the bytes of its UTF-8. */
  get start(): number {
    return this.#tree.offset + this.#tree.startOf(this.#record)
  }

  /** Offset in the input after its last byte. */
  get end(): number {
    return this.#tree.offset + this.#tree.endOf(this.#record)
  }

  /**
   * For a literal, its text without omitted parts; for other nodes, an array of its children, possibly empty. Created on each access: store
   * it if you need it often.
   *
   * Throws a `LimitError` with the code `length-limit` for text that is longer than a string can be (2^29 - 24 units).
   */
  get value(): string | readonly SyntaxNode[] {
    const tree = this.#tree
    const record = this.#record
    return tree.isLiteral(record) ? tree.literalOf(record) : makeChildren(tree, record)
  }

  /** The number of children; for a literal, the number of bytes of its value. */
  get count(): number {
    return this.#tree.countOf(this.#record)
  }

  /** The input of the node, including omitted parts. Throws like `value`. */
  get text(): string {
    return this.#tree.text(this.#tree.startOf(this.#record), this.#tree.endOf(this.#record))
  }

  /** The position in lines and columns. Computed on access. */
  get ref(): NodeReference {
    return referenceOf(this.#tree, this.#record)
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

  /** The node and all below it as plain data, at any depth; `JSON.stringify` itself writes some thousand levels. */
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

function makeChildren(tree: Tree<SyntaxNode>, record: number): readonly SyntaxNode[] {
  const first = tree.firstOf(record)
  const mayBeKept = record - first > FEW
  const kept = mayBeKept ? tree.kept.get(record) : undefined
  if (kept) return kept
  let count = 0
  for (let child = record - 1; child >= first; child = tree.firstOf(child) - 1) count++
  const children = new Array<SyntaxNode>(count)
  for (let child = record - 1; child >= first; child = tree.firstOf(child) - 1) {
    children[--count] = new SyntaxNode(tree, child)
  }
  if (children.length > FEW) tree.kept.set(record, children)
  return children
}

function referenceOf(tree: Tree<SyntaxNode>, record: number): NodeReference {
  return { start: placeOf(tree.position(tree.startOf(record))), end: placeOf(tree.position(tree.endOf(record))) }
}

function placeOf({ line, column, index }: TextPosition): Place {
  return { line, col: column, index }
}
