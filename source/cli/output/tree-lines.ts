// Trees as JSON lines. Without recursion, and piece by piece, so trees may be deep and large.

import type { SyntaxNode } from '../../machine/tree/syntax-node.ts'
import type { XmlElement, XmlNode } from '../../xml/tree/element.ts'

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024

/** How nodes are written. */
interface TreeNotation<Node> {
  begin(node: Node): string
  /** What stands after the beginning: a JSON text, or the children, as an array. */
  contentOf(node: Node): string | readonly Node[]
  end(node: Node): string
}

/** A node that is being written, and which of its children is next. */
interface Open<Node> {
  readonly node: Node
  readonly children: readonly Node[]
  next: number
}

/** The pieces of a line that says what `JSON.stringify(root)` would, with a line feed. */
function* formatTree<Node>(root: Node, notation: TreeNotation<Node>): Generator<string, void, undefined> {
  const open: Open<Node>[] = []
  let piece = ''
  const begin = (node: Node): void => {
    piece += notation.begin(node)
    const content = notation.contentOf(node)
    if (typeof content === 'string') piece += content + notation.end(node)
    else {
      piece += '['
      open.push({ node, children: content, next: 0 })
    }
  }
  begin(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.children[top.next]
    if (child) {
      if (top.next > 0) piece += ','
      top.next++
      begin(child)
    } else {
      piece += `]${notation.end(top.node)}`
      open.pop()
    }
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}\n`
}

const ELEMENTS: TreeNotation<XmlNode> = {
  begin(node) {
    if (node.type !== 'element') return ''
    const { name, attributes } = node
    return `{"name":${JSON.stringify(name)},"attributes":${JSON.stringify([...attributes])},"children":`
  },
  contentOf: (node) => (node.type === 'element' ? node.children : JSON.stringify(node)),
  end: ({ type }) => (type === 'element' ? '}' : ''),
}

const SYNTAX: TreeNotation<SyntaxNode> = {
  begin: ({ type, start, end, count }) =>
    `{"type":${JSON.stringify(type)},"start":${start},"end":${end},"count":${count},"value":`,
  contentOf: ({ value }) => (typeof value === 'string' ? JSON.stringify(value) : value),
  end: ({ ref }) => `,"ref":${JSON.stringify(ref)}}`,
}

/** The pieces of the line of an element of XML. */
export function formatElementLine(root: XmlElement): Iterable<string> {
  return formatTree(root, ELEMENTS)
}

/** The pieces of the line of a node of a parse by a grammar. */
export function formatNodeLine(root: SyntaxNode): Iterable<string> {
  return formatTree(root, SYNTAX)
}
