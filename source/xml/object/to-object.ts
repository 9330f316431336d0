// Elements as plain objects.

import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement } from '../tree/element.ts'
import { type Lister, ObjectBuilder } from './object-builder.ts'
import { readNames } from './options.ts'
import { TreePaths } from './paths.ts'
import { setOwn } from './put.ts'
import { requireNode } from './require-node.ts'
import { TextReader } from './texts.ts'
import { toOrdered } from './to-ordered.ts'
import type { XmlObject, XmlObjectOf, XmlObjectOptions } from './xml-object.ts'

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
