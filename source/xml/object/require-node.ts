// What objects are made of, and what is searched: elements and documents.

import { describeValue, withCode } from '../../stream/errors.ts'
import { XmlAttributes } from '../names/attributes.ts'
import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement } from '../tree/element.ts'

/** Returns the value if it is an element or a document. Throws a `TypeError` with the code `invalid-option` for any other, also for elements as plain data. */
export function requireNode<Node extends XmlElement | XmlDocument>(what: string, node: Node): Node {
  const element: unknown = typeof node === 'object' && node !== null && 'root' in node ? node.root : node
  const { attributes } = (element ?? {}) as Partial<XmlElement>
  if (attributes instanceof XmlAttributes) return node
  const message = `${what} needs an element or a document that was read, not ${describeValue(node)}`
  throw withCode(new TypeError(message), 'invalid-option')
}
