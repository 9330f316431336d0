// What becomes of the elements of records, and of those in them: which are values, lists, records in records, and which are kept as XML.

import type { ValueKind } from '../question/shape.ts'
import type { PathNode } from './path-node.ts'
import type { ValueSurvey } from './value-kinds.ts'

/** A value, and where it was seen. */
export interface ValueForm {
  readonly kind: ValueKind
  readonly values: ValueSurvey
}

/** An element in a record, or that of the record. */
export interface ElementForm {
  readonly name: string
  readonly node: PathNode
  /** Whether a record has all of those in one parent; otherwise, there is one at most. */
  readonly isList: boolean
  /** Whether it is kept as it stands in the input, with all that is in it: it has text between elements, or too many different names. */
  readonly isXml: boolean
  readonly attributes: ReadonlyMap<string, ValueForm>
  /** Its text; undefined where it has none. */
  readonly text: ValueForm | undefined
  readonly children: ReadonlyMap<string, ElementForm>
}

/** What becomes of elements, of what was seen of them in those that have ended. */
export function formOf(node: PathNode): ElementForm {
  const isXml = node.isMixed || node.isCut
  const attributes = new Map<string, ValueForm>()
  for (const [name, values] of node.attributes) {
    if (values.count > 0) attributes.set(name, { kind: values.kind, values })
  }
  const children = new Map<string, ElementForm>()
  for (const [name, child] of node.children) if (!isXml && child.count > 0) children.set(name, formOf(child))
  const text = !isXml && node.hasText ? { kind: node.texts.kind, values: node.texts } : undefined
  return { name: node.name, node, isList: node.repeats, isXml, attributes, text, children }
}

/** Whether it is neither a value nor a record: only that it is there can be said. */
export function isBare({ isXml, attributes, text, children }: ElementForm): boolean {
  return !isXml && attributes.size === 0 && !text && children.size === 0
}

/** The one value that says all of an element: that of its only attribute, which is always there; undefined if there is no such one. */
export function onlyAttribute({ isXml, node, attributes, text, children }: ElementForm): string | undefined {
  const [first] = attributes
  if (isXml || !first || attributes.size > 1 || text || children.size > 0) return undefined
  return first[1].values.count === node.count ? first[0] : undefined
}

/** The one child that says all of an element, which is always in it, once or, if the element is not a list, several times; undefined if there is no such one. */
export function onlyChild({ isXml, node, isList, attributes, text, children }: ElementForm): ElementForm | undefined {
  const [first] = children.values()
  if (isXml || !first || children.size > 1 || text || attributes.size > 0) return undefined
  return first.node.parents >= node.count && !(isList && first.isList) ? first : undefined
}
