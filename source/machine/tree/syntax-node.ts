// What users see of the nodes of a tree.

import { TapeNode } from './tape-node.ts'

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
 * What a node says, as small data. Text is a string. A rule is an object with its name, and what is in it: a string where there is nothing but
 * text, else an array in the order of the input. Brackets and repetitions are looked through; one at the top is an array.
 */
export type SyntaxNodeObject = string | SyntaxNodeObject[] | { [type: string]: string | SyntaxNodeObject[] }

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

  /**
   * The first of `children(type)`; undefined if there is none.
   */
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
 * You can keep a node for as long as you like. It retains its part of the tree and of the input; small nodes of a stream share a copy of at
 * most 16 KiB. Bytes passed to `Grammar.parse` are not copied: they must not change.
 */
export type SyntaxNode = LiteralNode | BranchNode

/** The class of all nodes, for `instanceof`. */
export const SyntaxNode = TapeNode as unknown as abstract new () => SyntaxNode

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
