// Trees as JSON lines. Without recursion, and piece by piece, so that neither deep trees nor large ones are a matter.

import type { SyntaxNode } from '../../machine/tree/syntax-node.ts'
import type { XmlElement, XmlNode } from '../../xml/tree/element.ts'

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024

/** How a node is written. */
interface NodeText<Node> {
  readonly begin: string
  readonly children?: readonly Node[]
  /** Gives what stands after the children. */
  readonly end?: () => string
}

/** The pieces of a line that says what `JSON.stringify(root)` would, with a line feed. */
function* formatTree<Node>(root: Node, write: (node: Node) => NodeText<Node>): Generator<string, void, undefined> {
  /** Nodes that are being written, and which of their children is next. */
  const open: { readonly children: readonly Node[]; readonly end: () => string; next: number }[] = []
  let piece = ''
  const begin = (node: Node): void => {
    const { begin, children = [], end = () => '' } = write(node)
    piece += begin
    if (children.length > 0) open.push({ children, end, next: 0 })
    else piece += end()
  }
  begin(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.children[top.next]
    if (child) {
      if (top.next > 0) piece += ','
      top.next++
      begin(child)
    } else {
      piece += top.end()
      open.pop()
    }
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}\n`
}

/** The pieces of the line of an element of XML. */
export function formatElementLine(root: XmlElement): Iterable<string> {
  return formatTree<XmlNode>(root, (node) => {
    if (node.type !== 'element') return { begin: JSON.stringify(node) }
    const { name, attributes, children } = node
    const begin = `{"name":${JSON.stringify(name)},"attributes":${JSON.stringify([...attributes])},"children":[`
    return { begin, children, end: () => ']}' }
  })
}

/** The pieces of the line of a node of a parse by a grammar. */
export function formatNodeLine(root: SyntaxNode): Iterable<string> {
  return formatTree<SyntaxNode>(root, (node) => {
    const { type, start, end, count, value } = node
    const begin = `{"type":${JSON.stringify(type)},"start":${start},"end":${end},"count":${count},"value":`
    const ref = () => `,"ref":${JSON.stringify(node.ref)}}`
    if (typeof value === 'string') return { begin: begin + JSON.stringify(value), end: ref }
    return { begin: `${begin}[`, children: value, end: () => `]${ref()}` }
  })
}
