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

/**
 * A tree of at most so many records keeps all nodes that were made, and so does a subtree. Small parts of streams share no more (LARGEST_SHARE),
 * so none of them keeps nodes of another one.
 */
const SMALL_TREE = 1024
/**
 * In a larger tree, so many nodes are kept in the subtrees whose values were read last. To keep all of them would cost much more than to make
 * them again: what survives is copied by the garbage collector.
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
   * It is made when it is first read, and kept. In a tree of more than 1,024 nodes, it may be made anew after the values of other nodes were
   * read: keep in a variable what you want to compare by identity.
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

/** In place of a value that is not made: `null` where the node is to forget it when others are read. */
type Unmade = null | undefined

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
  #value: string | readonly TapeNode[] | Unmade

  constructor(tree: Tree<TapeNode>, record: number, value: Unmade) {
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
    return (this.#value ?? TapeNode.#makeValue(this)) as SyntaxNode['value']
  }

  get count(): number {
    const value = this.#value
    return value && typeof value === 'object' ? value.length : this.#tree.countOf(this.#record)
  }

  get text(): string {
    return this.#tree.text(this.#tree.startOf(this.#record), this.#tree.endOf(this.#record))
  }

  get ref(): NodeReference {
    return referenceOf(this.#tree, this.#record)
  }

  child<Name extends string>(type: Name): NodeOfType<Name> | undefined {
    for (const node of TapeNode.#members(this)) if (node.type === type) return asNode(node) as NodeOfType<Name>
    return undefined
  }

  children<Name extends string>(type: Name): NodeOfType<Name>[] {
    const found: NodeOfType<Name>[] = []
    for (const node of TapeNode.#members(this)) if (node.type === type) found.push(asNode(node) as NodeOfType<Name>)
    return found
  }

  *walk(): Generator<SyntaxNode, void, undefined> {
    const rest: TapeNode[] = [this]
    for (let node = rest.pop(); node; node = rest.pop()) {
      yield asNode(node)
      TapeNode.#pushChildren(node, rest)
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
  static *#members(parent: TapeNode): Generator<TapeNode, void, undefined> {
    const rest: TapeNode[] = []
    TapeNode.#pushChildren(parent, rest)
    for (let node = rest.pop(); node; node = rest.pop()) {
      yield node
      if (node.type.startsWith('(')) TapeNode.#pushChildren(node, rest)
    }
  }

  /** Puts the children on a stack, the first one on top. */
  static #pushChildren(node: TapeNode, stack: TapeNode[]): void {
    if (node.#tree.isLiteral(node.#record)) return
    const children = node.value as unknown as readonly TapeNode[]
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as TapeNode)
  }

  static #makeValue(node: TapeNode): string | readonly TapeNode[] {
    const tree = node.#tree
    const record = node.#record
    const first = tree.firstOf(record)
    let value: string | readonly TapeNode[]
    if (tree.isLiteral(record)) value = tree.literalOf(record)
    else if (node.#value === null || record - first >= SMALL_TREE) value = TapeNode.#makeInLarge(node, first)
    else value = makeChildren(tree, first, record, undefined)
    node.#value = value
    return value
  }

  /** The children of a node that is large, or whose parent is. Apart from what makes most values, so that the engine can inline that. */
  static #makeInLarge(node: TapeNode, first: number): readonly TapeNode[] {
    const tree = node.#tree
    const record = node.#record
    const isSmall = record - first < SMALL_TREE
    const kept = isSmall ? undefined : tree.kept.get(record)
    if (kept) return kept
    if (isSmall) tree.readAhead(first, record)
    const children = makeChildren(tree, first, record, isSmall ? undefined : null)
    if (isSmall || children.length <= FEW) TapeNode.#keep(node, isSmall ? record - first : children.length)
    else tree.kept.set(record, children)
    return children
  }

  /** Lets the node keep its value, below which are so many nodes, and others forget theirs if they are too many. */
  static #keep(node: TapeNode, size: number): void {
    const { recent } = node.#tree
    recent.size += size
    if (recent.size > MOST_KEPT) {
      for (const other of recent.nodes) other.#value = null
      recent.nodes.length = 0
      recent.size = size
    }
    recent.nodes.push(node)
  }
}

/** The class of all nodes, for `instanceof`. */
export const SyntaxNode = TapeNode as unknown as abstract new () => SyntaxNode

/** The children of a record, with a value that says whether they always keep theirs. */
function makeChildren(tree: Tree<TapeNode>, first: number, record: number, value: Unmade): readonly TapeNode[] {
  const last = record - 1
  if (last < first) return arrayOf()
  // Most nodes have one child.
  if (tree.firstOf(last) === first) return arrayOf(new TapeNode(tree, last, value))
  let count = 0
  for (let child = last; child >= first; child = tree.firstOf(child) - 1) count++
  const children = (ROOMS[Math.min(count, FEW)] as TapeNode[]).slice()
  while (children.length < count) children.push(undefined as unknown as TapeNode)
  for (let child = last; child >= first; child = tree.firstOf(child) - 1) {
    children[--count] = new TapeNode(tree, child, value)
  }
  return children
}

/**
 * Arrays of children are made in this way, or are copies of one that was. For places in the code with `[]` or `new Array`, V8 decides by what it
 * sees first whether all their arrays are long-lived; if so, what they refer to lives as long, and a walk takes five times as long.
 */
function arrayOf(...nodes: TapeNode[]): TapeNode[] {
  return nodes
}

/** Arrays with room for so many children, to be copied: an array that grows has more room than it needs. */
const ROOMS = Array.from({ length: FEW + 1 }, (_, count) => arrayOf(...new Array<TapeNode>(count)))
