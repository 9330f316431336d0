// The namespaces that prefixes stand for where an element is edited.

import type { XmlAttributes } from '../names/attributes.ts'
import { makeName } from '../names/names.ts'
import { XML_NAMESPACE } from '../names/namespaces.ts'

/**
 * What prefixes stand for in one element. The empty one is the default, and an empty namespace is none. Each scope has what its own element declares: elements
 * that are nested deep would copy the declarations around them again and again.
 */
export class Scope implements Iterable<[prefix: string, namespace: string]> {
  static readonly OUTERMOST = new Scope(new Map([['xml', XML_NAMESPACE]]))
  readonly #own: ReadonlyMap<string, string>
  readonly #outer: Scope | undefined

  private constructor(own: ReadonlyMap<string, string>, outer?: Scope) {
    this.#own = own
    this.#outer = outer
  }

  /** The scope in an element with these attributes; this one if they declare nothing. */
  enter(attributes: XmlAttributes): Scope {
    let own: Map<string, string> | undefined
    for (const [raw, value] of attributes) {
      const { declares } = makeName(raw)
      if (declares === undefined) continue
      own ??= new Map()
      own.set(declares, value)
    }
    return own ? new Scope(own, this) : this
  }

  /** With one prefix that stands for something else. */
  with(prefix: string, namespace: string): Scope {
    return new Scope(new Map([[prefix, namespace]]), this)
  }

  get(prefix: string): string | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const namespace = scope.#own.get(prefix)
      if (namespace !== undefined) return namespace
    }
    return undefined
  }

  /** All prefixes with what they stand for. */
  [Symbol.iterator](): IterableIterator<[prefix: string, namespace: string]> {
    const all = new Map<string, string>()
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      for (const [prefix, namespace] of scope.#own) if (!all.has(prefix)) all.set(prefix, namespace)
    }
    return all.entries()
  }
}
