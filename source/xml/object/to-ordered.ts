// Elements with their content in order.

import type { XmlElement, XmlNode } from '../tree/element.ts'
import { setOwn } from './put.ts'
import type { TextReader } from './texts.ts'
import type { XmlOrderedNode, XmlOrderedObject, XmlValue } from './xml-object.ts'

type Ordered = XmlOrderedObject<XmlValue>

/** An element with all that is in it. Without recursion: elements may be nested to any depth. */
export function toOrdered(root: XmlElement, texts: TextReader): Ordered {
  const object = begin(root, texts)
  const rest: [XmlElement, Ordered][] = [[root, object]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [{ children }, around] = next
    for (const child of children) {
      const node = child.type === 'element' ? begin(child, texts) : nodeOf(child, texts)
      // Nothing may be left of a text that is trimmed.
      if (node !== '') around.children.push(node)
      if (child.type === 'element') rest.push([child, node as Ordered])
    }
  }
  return object
}

function begin({ name, attributes }: XmlElement, texts: TextReader): Ordered {
  const object: Ordered = { name, attributes: {}, children: [] }
  for (const [attribute, value] of attributes) setOwn(object.attributes, attribute, texts.value(value))
  return object
}

function nodeOf(node: Exclude<XmlNode, XmlElement>, texts: TextReader): XmlOrderedNode<XmlValue> {
  if (node.type === 'text') return texts.read(node.text)
  return node.type === 'comment' ? { comment: node.text } : { target: node.target, data: node.data }
}
