// A node and all below it as plain data. Without recursion.

import type { TextPosition } from './text-position.ts'
import { joinText, type Tree } from './tree.ts'

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

/** See `Term.toObject`. */
export function objectOf(tree: Tree<unknown>, root: number): SyntaxNodeObject {
  // Children stand before their parents on the tape: what is made last lies on top. What is in brackets stays there for the rule around them.
  const made: { record: number; object: SyntaxNodeObject }[] = []
  const take = (first: number): SyntaxNodeObject[] => {
    let from = made.length
    while (from > 0 && (made[from - 1] as { record: number }).record >= first) from--
    return made.splice(from).map(({ object }) => object)
  }
  for (let record = tree.firstOf(root); record <= root; record++) {
    const type = tree.typeOf(record)
    if (type.startsWith('(')) continue
    const members = take(tree.firstOf(record))
    const object = tree.isLiteral(record)
      ? tree.literalOf(record)
      : { [type]: joinStrings(members, tree.offset + tree.startOf(record)) }
    made.push({ record, object })
  }
  return made.at(-1)?.record === root ? (made[0] as { object: SyntaxNodeObject }).object : take(0)
}

/** See `Term.toJSON`. */
export function dataOf(tree: Tree<unknown>, root: number): SyntaxNodeData {
  // Children stand before their parents on the tape: what is made last lies on top.
  const made: { record: number; data: SyntaxNodeData }[] = []
  for (let record = tree.firstOf(root); record <= root; record++) {
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

/** Text alone as one string. */
function joinStrings(members: SyntaxNodeObject[], byteOffset: number): string | SyntaxNodeObject[] {
  const texts = members.filter((member) => typeof member === 'string')
  return texts.length === members.length ? joinText(texts, byteOffset) : members
}

/** A node and all below it as a list: a node before its children. Without recursion. */
export function listNodes(root: SyntaxNodeData): string {
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

export function referenceOf(tree: Tree<unknown>, record: number): NodeReference {
  return { start: placeOf(tree.position(tree.startOf(record))), end: placeOf(tree.position(tree.endOf(record))) }
}

function placeOf({ line, column, index }: TextPosition): Place {
  return { line, col: column, index }
}
