// A node of a tree: a view on the tape. What is not asked for is not made.

import { INSPECT, type InspectArguments, NO_CLONE, show } from '../../text/inspection.ts'
import {
  dataOf,
  listNodes,
  type NodeReference,
  objectOf,
  referenceOf,
  type SyntaxNodeData,
  type SyntaxNodeObject,
} from './node-data.ts'
import type { Parts } from './tape.ts'
import { Tree } from './tree.ts'

/** A subtree of at most so many records is made at once: one pass takes half of the time, and if little of it is read, two microseconds are lost. */
const BATCH = 64
/**
 * A tree of at most so many records keeps all nodes that were made. Small parts of streams share no more (LARGEST_SHARE), so none of them keeps
 * nodes of another one.
 */
const SMALL_TREE = 1024
/**
 * In a larger tree, so many nodes are kept in the values that were read last. To keep all of them would cost much more than to make them again:
 * what survives is copied by the garbage collector.
 */
const MOST_KEPT = 2048
/** More children than this are always kept: to make them anew would be slow where somebody asks for each of them by its index. */
const FEW = 16

/** What all nodes have. The declarations that `xylem types` writes extend it. */
export interface Term<Type extends string, Value> {
  readonly type: Type

  /** Offset in the input of its first byte, from 0, in the bytes of its UTF-8. */
  readonly start: number

  /** Offset in the input after its last byte. */
  readonly end: number

  /**
   * For a literal, its text without omitted parts; for other nodes, an array of its children, possibly empty.
   *
   * It is made when it is first read, and kept. In a tree of more than 1,024 nodes, it may be made anew after the values of some hundred other
   * nodes were read: keep in a variable what you want to compare by identity.
   *
   * Throws a `LimitError` with the code `length-limit` for text that is longer than a string can be (2^29 - 24 units).
   */
  readonly value: Value

  /** The number of children; for a literal, the number of bytes of its value. */
  readonly count: number

  /** The input of the node, including omitted parts. Throws like `value`. */
  readonly text: string

  /** The position in lines and columns. Computed on access. */
  readonly ref: NodeReference

  /** The first of `children(type)`; undefined if there is none. */
  child<Name extends string>(type: Name): NodeOfType<Name> | undefined

  /**
   * The children of this type, in the order of the input; an empty array if there are none. Brackets and repetitions are looked through, at any
   * depth: what is in them counts as a child too. What is in other rules does not.
   */
  children<Name extends string>(type: Name): NodeOfType<Name>[]

  /** Iterates this node and all nodes below it, in the order of the input, each node before those in it. Trees may be of any depth. */
  walk(): Generator<SyntaxNode, void, undefined>

  /**
   * The text and the rules of the node and all below it as small plain data, at any depth, to print, compare or store. It leaves out positions,
   * omitted parts, and which brackets and repetitions there are; `toJSON` has these.
   *
   * Throws like `value`.
   */
  toObject(): SyntaxNodeObject

  /** The node and all below it as plain data, at any depth; `JSON.stringify` itself writes some thousand levels. */
  toJSON(): SyntaxNodeData
}

/** A node of text. */
export interface LiteralNode extends Term<'literal', string> {}

/** A node with children: a rule, brackets or a repetition. */
export interface BranchNode extends Term<BranchType, readonly SyntaxNode[]> {}

/**
 * A node of a syntax tree. `type` is the name of its rule; `literal` for text; or `(...)`, `(...)?`, `(...)*`, `(...)+` and `(...){2,5}`
 * for brackets and repetitions. `type === 'literal'` says that `value` is a string, unless the grammar has a rule with this name.
 *
 * You can keep a node for as long as you like. It retains its part of the tree and of the input, and the nodes in it that were made; small
 * nodes of a stream share a copy of at most 16 KiB. Bytes passed to `Grammar.parse` are not copied: they must not change.
 */
export type SyntaxNode = LiteralNode | BranchNode

/** A node of which the type is known. */
export type NodeOfType<Type extends string> = SyntaxNode & { readonly type: Type }

type Letter = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | LaterLetter
type LaterLetter = 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type NameCharacter = Letter | Uppercase<Letter> | Digit | '_'

/** All names except one, which begins with `Before`. TypeScript has no "any string but this one". */
type NameExcept<Name extends string, Before extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? Before | `${Before}${Exclude<NameCharacter, First>}${string}` | NameExcept<Rest, `${Before}${First}`>
  : `${Before}${NameCharacter}${string}`

/** The type of a node with children: any but `literal`. */
export type BranchType = NameExcept<'literal'> | `(${string}`

/** The nodes of parts. With `text`, the string that the bytes were. */
export function nodesOf(parts: Parts, types: readonly string[], text?: string): SyntaxNode[] {
  const tree = new Tree<TapeNode>(parts, types, text)
  return parts.roots.map((root) => asNode(new TapeNode(tree, root, undefined)))
}

/** What users see. A record says the type of a node, and so of which kind its value is. */
function asNode(node: TapeNode): SyntaxNode {
  return node as Term<string, unknown> as SyntaxNode
}

/** What nodes are: the class behind the types. */
class TapeNode implements Term<string, string | readonly SyntaxNode[]> {
  /** What users see where objects are named by their class. */
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
    return objectOf(this.#tree, this.#record)
  }

  toJSON(): SyntaxNodeData {
    return dataOf(this.#tree, this.#record)
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
    const isSmall = record - first <= BATCH
    const kept = isSmall ? undefined : tree.kept.get(record)
    if (kept) return kept
    const children = isSmall ? makeSubtree(tree, first, record) : makeChildren(tree, first, record)
    if (tree.length <= SMALL_TREE) return children
    if (isSmall || children.length <= FEW) this.#keep(isSmall ? record - first : children.length)
    else tree.kept.set(record, children)
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

/** The class of all nodes, for `instanceof`. */
export const SyntaxNode = TapeNode as unknown as abstract new () => SyntaxNode

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
