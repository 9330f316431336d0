// Looking for elements in a tree.

import { requireOptions } from '../../stream/options.ts'
import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement, XmlNode } from '../tree/element.ts'
import { type PathStates, requireNode, TreePaths } from './paths.ts'

/** Options for `find` and `findAll`. */
export interface FindOptions {
  /** What prefixes in paths stand for. Without this option, names are compared as they are written. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined
}

/** An element whose content is being gone through. */
interface OpenElement {
  readonly children: readonly XmlNode[]
  next: number
  readonly states: PathStates
}

/**
 * The first element in an element, or in a document, that a path matches, in the order of the document; undefined if there is none. The paths are those of
 * `select`, and begin in what is given: `a/b` matches at any depth in it, `/a` is a child, or the root of a document. The element itself is not found, and no step matches it.
 * Of several paths in an array, any may match. Throws a `RangeError` with the code `invalid-option` for what is not a path,
 * and a `TypeError` with this code for anything else than an element or a document.
 */
export function find(
  source: XmlElement | XmlDocument,
  path: string | readonly string[],
  options: FindOptions = {},
): XmlElement | undefined {
  for (const element of matchesIn(source, path, options)) return element
  return undefined
}

/** All elements that a path matches, in the order of the document; an empty array if there are none. See {@link find}. */
export function findAll(
  source: XmlElement | XmlDocument,
  path: string | readonly string[],
  options: FindOptions = {},
): XmlElement[] {
  return [...matchesIn(source, path, options)]
}

/** Yields all elements in an element, at any depth, or all of a document, in the order of their start tags. */
export function* descendants(source: XmlElement | XmlDocument): Generator<XmlElement, void, undefined> {
  const open: Omit<OpenElement, 'states'>[] = [{ children: requireNode('descendants', source).children, next: 0 }]
  for (let place = open.at(-1); place; place = open.at(-1)) {
    const node = place.children[place.next++]
    if (!node) open.pop()
    else if (node.type === 'element') {
      yield node
      open.push({ children: node.children, next: 0 })
    }
  }
}

function* matchesIn(
  source: XmlElement | XmlDocument,
  path: string | readonly string[],
  options: FindOptions,
): Generator<XmlElement, void, undefined> {
  requireOptions(options, { prefixes: 'object' })
  const paths = new TreePaths(path, options)
  const open: OpenElement[] = [{ children: requireNode('find', source).children, next: 0, states: paths.start }]
  for (let place = open.at(-1); place; place = open.at(-1)) {
    const node = place.children[place.next++]
    if (!node) open.pop()
    else if (node.type === 'element') {
      const states = paths.enter(place.states, node)
      if (paths.isMatch(states, node)) yield node
      if (paths.isOpen(states)) open.push({ children: node.children, next: 0, states })
    }
  }
}
