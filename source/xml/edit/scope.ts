// The namespaces that prefixes stand for where an element is edited.

import type { XmlAttributes } from '../names/attributes.ts'
import { makeName } from '../names/names.ts'
import { XML_NAMESPACE } from '../names/namespaces.ts'

/** What prefixes stand for at one place. The empty one is the default, and an empty namespace is none. Undefined where namespaces are off. */
export type Scope = ReadonlyMap<string, string>

export const OUTERMOST: Scope = new Map([['xml', XML_NAMESPACE]])

/** The scope in an element with these attributes; the same one if they declare nothing. */
export function enterScope(outer: Scope, attributes: XmlAttributes): Scope {
  let inner: Map<string, string> | undefined
  for (const [raw, value] of attributes) {
    const { declares } = makeName(raw)
    if (declares === undefined) continue
    inner ??= new Map(outer)
    inner.set(declares, value)
  }
  return inner ?? outer
}
