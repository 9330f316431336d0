// The namespaces that prefixes stand for where an element is edited: in the document, and in the result, where edits have changed declarations.

import type { XmlAttributes } from '../names/attributes.ts'
import { makeName } from '../names/names.ts'
import { type Declaration, NamespaceScopes, XML_NAMESPACE } from '../names/namespaces.ts'

/** What most elements declare. It stays empty. */
const NOTHING = new Map<string, string>()

/** What an open element declares in the result. The empty prefix is the default, and an empty namespace is none. */
interface OpenScope {
  readonly depth: number
  declared: Map<string, string>
  /** Whether content was inserted, or tags were left out, in the belief that the default of the element stays what it is. */
  isDefaultUsed: boolean
}

/**
 * The scopes of the open elements that are edited or declare something. All methods are about the innermost one, which is the one whose edits are called. What prefixes stand
 * for in the result is what is known so far: edits of the elements around it may still be called. To look a prefix up takes the same time at any depth.
 */
export class Scopes {
  readonly #inDocument = new NamespaceScopes()
  readonly #inResult = new NamespaceScopes()
  readonly #open: OpenScope[] = []

  /** An element begins. */
  enter(depth: number, attributes: XmlAttributes): void {
    this.#open.push({ depth, declared: NOTHING, isDefaultUsed: false })
    for (const [raw, value] of attributes) {
      const { declares } = makeName(raw)
      if (declares === undefined) continue
      this.#inDocument.declare(declares, value, depth)
      this.declare(declares, value)
    }
  }

  /** It ends. */
  leave(): void {
    const { depth } = this.#open.pop() as OpenScope
    this.#inDocument.leave(depth)
    this.#inResult.leave(depth)
  }

  /** What a prefix stands for in the result; undefined for nothing. */
  get(prefix: string): string | undefined {
    return this.#inResult.resolve(prefix)
  }

  /** A prefix, other than the empty one, that stands for a namespace in the result; undefined for none. */
  findPrefix(namespace: string): string | undefined {
    return namespace === XML_NAMESPACE ? 'xml' : this.#inResult.find(namespace)
  }

  /** Its tags go, and its declarations with them. Returns one that does not hold around it: then they must not go. */
  unwrap(): Declaration | undefined {
    const { depth, declared, isDefaultUsed } = this.#innermost
    this.#inResult.leave(depth)
    const differing = [...declared].find(([prefix, namespace]) => (this.get(prefix) ?? '') !== namespace)
    if (differing) {
      this.#redeclare()
      return differing
    }
    if (isDefaultUsed || declared.has('')) this.#useDefault(this.#open.length - 2)
    declared.clear()
    return undefined
  }

  get isDefaultUsed(): boolean {
    return this.#innermost.isDefaultUsed
  }

  /** It declares this in the result. */
  declare(prefix: string, namespace: string): void {
    const scope = this.#innermost
    if (scope.declared === NOTHING) scope.declared = new Map()
    scope.declared.set(prefix, namespace)
    this.#inResult.declare(prefix, namespace, scope.depth)
  }

  /** It declares no default in the result: that around it holds. */
  removeDefault(): void {
    const { depth, declared } = this.#innermost
    declared.delete('')
    this.#inResult.leave(depth)
    this.#redeclare()
  }

  /** From now on the default must stay what it is, in the element or around it. */
  useDefault(isOutside: boolean): void {
    this.#useDefault(this.#open.length - (isOutside ? 2 : 1))
  }

  /** The declarations that hold in the document. */
  get inDocument(): Declaration[] {
    return this.#inDocument.declarations
  }

  /** Calls a function with what prefixes stand for in the result, in the element or around it, and with that depth. */
  inResult<Made>(isOutside: boolean, make: (prefixes: NamespaceScopes, depth: number) => Made): Made {
    const { depth } = this.#innermost
    if (!isOutside) return make(this.#inResult, depth)
    this.#inResult.leave(depth)
    try {
      return make(this.#inResult, depth - 1)
    } finally {
      this.#redeclare()
    }
  }

  get #innermost(): OpenScope {
    return this.#open.at(-1) as OpenScope
  }

  #redeclare(): void {
    const { depth, declared } = this.#innermost
    for (const [prefix, namespace] of declared) this.#inResult.declare(prefix, namespace, depth)
  }

  /** The default is that of the innermost element that declares one, and of those in it, which do not. */
  #useDefault(from: number): void {
    for (let i = from; i >= 0; i--) {
      const scope = this.#open[i] as OpenScope
      if (scope.isDefaultUsed) return
      scope.isDefaultUsed = true
      if (scope.declared.has('')) return
    }
  }
}
