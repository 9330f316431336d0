// Elements as JSON lines. Without recursion, so trees may be of any depth.

import type { XmlElement, XmlNode } from '../../xml/tree/element.ts'

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024

/** An element that is being written, and which of its children is next. */
interface Open {
  readonly children: readonly XmlNode[]
  next: number
}

/** The pieces of a line that says what `JSON.stringify(element)` would, with a line feed. */
export function* formatElementLine(root: XmlElement): Generator<string, void, undefined> {
  const open: Open[] = []
  let piece = begin(root, open)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.children[top.next]
    if (child) {
      if (top.next > 0) piece += ','
      top.next++
      piece += child.type === 'element' ? begin(child, open) : JSON.stringify(child)
    } else {
      piece += ']}'
      open.pop()
    }
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}\n`
}

function begin({ name, attributes, children }: XmlElement, open: Open[]): string {
  open.push({ children, next: 0 })
  return `{"name":${JSON.stringify(name)},"attributes":${JSON.stringify([...attributes])},"children":[`
}
