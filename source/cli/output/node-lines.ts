// Nodes of trees as JSON lines. Without recursion, and piece by piece, so that neither deep trees nor large ones are a matter.

import type { SyntaxNode } from '../../machine/tree/syntax-node.ts'

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024

/** A node that is being written: its children, and which of them is next. */
interface Open {
  readonly node: SyntaxNode
  readonly children: readonly SyntaxNode[]
  next: number
}

/** The pieces of a line that says what `JSON.stringify(node)` would, with a line feed. */
export function* formatNodeLine(root: SyntaxNode): Generator<string, void, undefined> {
  let piece = ''
  const open: Open[] = []
  const begin = (node: SyntaxNode): void => {
    const { type, start, end, count, value } = node
    piece += `{"type":${JSON.stringify(type)},"start":${start},"end":${end},"count":${count},"value":`
    if (typeof value === 'string') {
      piece += JSON.stringify(value)
      finish(node)
    } else {
      piece += '['
      open.push({ node, children: value, next: 0 })
    }
  }
  const finish = (node: SyntaxNode): void => {
    piece += `,"ref":${JSON.stringify(node.ref)}}`
  }
  begin(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.children[top.next]
    if (child) {
      if (top.next > 0) piece += ','
      top.next++
      begin(child)
    } else {
      piece += ']'
      finish(top.node)
      open.pop()
    }
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}\n`
}
