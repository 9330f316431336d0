// Elements as plain objects.

import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement, XmlNode } from '../tree/element.ts'
import { type Lister, ObjectBuilder, setOwn, TextReader } from './object-builder.ts'
import { requireNode, TreePaths } from './paths.ts'
import {
  readNames,
  type XmlObject,
  type XmlObjectOf,
  type XmlObjectOptions,
  type XmlOrderedNode,
  type XmlOrderedObject,
  type XmlValue,
} from './xml-object.ts'

/**
 * An element as a plain object, `{ name: content }`; for a document, its root. Comments and processing instructions are left out, and so is white space
 * between elements; with `ordered`, everything is kept, and the result is a {@link XmlOrderedObject}. Works at any depth.
 *
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options and for anything else than an element or a document, and a `RangeError` with this code if `textName` is also the
 * name of an element or of an attribute where both would be in one object.
 */
export function toObject(source: XmlElement | XmlDocument, options?: undefined): XmlObject
// A default of the type would keep parameters of functions in the options from getting theirs.
export function toObject<const Options extends XmlObjectOptions>(
  source: XmlElement | XmlDocument,
  options: Options | undefined,
): XmlObjectOf<Options>
/** An element as an object of a type that you name: it is not checked. */
export function toObject<Content>(source: XmlElement | XmlDocument, options?: XmlObjectOptions): Content
export function toObject(source: XmlElement | XmlDocument, options: XmlObjectOptions = {}): unknown {
  const node = requireNode('toObject', source)
  const element = 'root' in node ? node.root : node
  const names = readNames(options)
  const texts = new TextReader(options)
  if (options.ordered) return toOrdered(element, texts)
  const object = {}
  setOwn(object, element.name, new ObjectBuilder(names, texts, listerOf(options.arrays)).contentOf(element))
  return object
}

function listerOf(arrays: XmlObjectOptions['arrays']): Lister | undefined {
  if (arrays === undefined) return undefined
  if (typeof arrays !== 'function') return new TreePaths(arrays)
  return { start: [], enter: () => [], isMatch: (_, element) => Boolean(arrays(element)) }
}

type Ordered = XmlOrderedObject<XmlValue>

/** An element with all that is in it. Without recursion: elements may be nested to any depth. */
function toOrdered(root: XmlElement, texts: TextReader): Ordered {
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
