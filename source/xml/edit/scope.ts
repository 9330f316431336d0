// The namespaces that prefixes stand for where an element is edited: in the document, and in the result, where edits have changed declarations.

import type { XmlAttributes } from '../names/attributes.ts'
import { makeName } from '../names/names.ts'
import { type Declaration, XML_NAMESPACE } from '../names/namespaces.ts'

type Declared = ReadonlyMap<string, string>

const NOTHING: Declared = new Map()

/**
 * What prefixes stand for in one element. The empty prefix is the default, and an empty namespace is none. A scope has what its own element declares, and a
 * link to the scope around it: elements that are nested deep would copy the declarations around them again and again.
 */
export class Scope {
  static readonly OUTERMOST = new Scope(new Map([['xml', XML_NAMESPACE]]), undefined)
  /** What the element declares in the document. */
  readonly #own: Declared
  readonly #outer: Scope | undefined
  /** What it declares in the result, once edits have changed that. */
  #changed: Map<string, string> | undefined
  #isDefaultUsed = false

  private constructor(own: Declared, outer: Scope | undefined) {
    this.#own = own
    this.#outer = outer
  }

  /** The scope in an element with these attributes. It is this one if they declare nothing and no edits change the element. */
  enter(attributes: XmlAttributes, isEdited: boolean): Scope {
    let own: Map<string, string> | undefined
    for (const [raw, value] of attributes) {
      const { declares } = makeName(raw)
      if (declares === undefined) continue
      own ??= new Map()
      own.set(declares, value)
    }
    return own || isEdited ? new Scope(own ?? NOTHING, this) : this
  }

  /** What a prefix stands for in the result, as far as that is known: edits of elements around it may still be called. */
  get(prefix: string): string | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const namespace = scope.#declared.get(prefix)
      if (namespace !== undefined) return namespace
    }
    return undefined
  }

  /** A prefix, other than the empty one, that stands for a namespace in the result; undefined for none. */
  findPrefix(namespace: string): string | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      for (const [prefix, its] of scope.#declared) {
        // It may stand for another one in an element between.
        if (its === namespace && prefix !== '' && this.get(prefix) === namespace) return prefix
      }
    }
    return undefined
  }

  /** What its element declares in the result. */
  get #declared(): Declared {
    return this.#changed ?? this.#own
  }

  /** Its tags go, and its declarations with them. Returns one that does not hold around it: then they must not go. */
  unwrap(): Declaration | undefined {
    const outer = this.#outer
    const differing = [...this.#declared].find(([prefix, namespace]) => (outer?.get(prefix) ?? '') !== namespace)
    if (differing) return differing
    if (this.#isDefaultUsed || this.#declared.has('')) outer?.useDefault()
    this.#changed = new Map()
    return undefined
  }

  /** Whether content was inserted, or tags were left out, in the belief that the default of the element stays what it is. */
  get isDefaultUsed(): boolean {
    return this.#isDefaultUsed
  }

  /** Its element declares this in the result. */
  declare(prefix: string, namespace: string): void {
    this.#changed ??= new Map(this.#own)
    this.#changed.set(prefix, namespace)
  }

  /** Its element declares no default in the result: that around it holds. */
  removeDefault(): void {
    this.#changed ??= new Map(this.#own)
    this.#changed.delete('')
  }

  /** From now on the default must stay what it is: that of the innermost element that declares one, and of those in it, which do not. */
  useDefault(): void {
    for (let scope: Scope | undefined = this; scope && !scope.#isDefaultUsed; scope = scope.#outer) {
      scope.#isDefaultUsed = true
      if (scope.#declared.has('')) return
    }
  }

  /** The declarations that hold in the document. */
  get inDocument(): Declaration[] {
    return this.#collect((scope) => scope.#own)
  }

  /** Those that hold in the result. */
  get inResult(): Declaration[] {
    return this.#collect((scope) => scope.#declared)
  }

  #collect(declaredIn: (scope: Scope) => Declared): Declaration[] {
    const all = new Map<string, string>()
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      for (const [prefix, namespace] of declaredIn(scope)) if (!all.has(prefix)) all.set(prefix, namespace)
    }
    return [...all].filter(([prefix, namespace]) => prefix !== 'xml' && namespace !== '')
  }
}
