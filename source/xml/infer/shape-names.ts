// Names as the paths of a shape have them: a namespace has one prefix there, whatever documents write.

import type { AttributeDetails } from '../names/attributes.ts'
import { XML_NAMESPACE, XMLNS_NAMESPACE, XSI_NAMESPACE } from '../names/namespaces.ts'

/** The names of elements, or those of attributes. */
class NamesOfOne {
  readonly #shape: ShapeNames
  /** By namespaces, their prefixes with the colon. */
  readonly #known: Map<string, string>
  #invented = 0

  constructor(shape: ShapeNames, known: readonly (readonly [string, string])[]) {
    this.#shape = shape
    this.#known = new Map([[XML_NAMESPACE, 'xml:'], ...known])
  }

  /** What a name is here; undefined if it is in a namespace that none is in. */
  find(written: string, namespace = ''): string | undefined {
    const prefix = written.slice(0, written.indexOf(':') + 1)
    const known = this.#shape.prefixes ? this.#known.get(namespace) : prefix
    const isWritten = known === undefined ? prefix === '' && this.#shape.prefixes?.size === 0 : known === prefix
    if (known === undefined || isWritten) return isWritten ? written : undefined
    this.#shape.areOthers = true
    return known + written.slice(prefix.length)
  }

  /** The same, for one that may be in a new namespace. */
  add(written: string, namespace = ''): string {
    const { prefixes } = this.#shape
    if (prefixes && !this.#known.has(namespace)) {
      const prefix = written.slice(0, Math.max(0, written.indexOf(':')))
      let own = prefix
      while ((prefixes.get(own) ?? namespace) !== namespace) own = `${prefix || 'ns'}${++this.#invented}`
      prefixes.set(own, namespace)
      this.#known.set(namespace, own && `${own}:`)
    }
    return this.find(written, namespace) as string
  }
}

export class ShapeNames {
  /** What prefixes stand for, that of elements without a prefix under the empty one; undefined where namespaces are off. */
  readonly prefixes: Map<string, string> | undefined
  readonly hasNamespaces: boolean
  readonly elements = new NamesOfOne(this, [])
  readonly attributes = new NamesOfOne(this, [['', '']])
  /** Whether documents write some in another way. */
  areOthers = false

  constructor(hasNamespaces: boolean) {
    this.hasNamespaces = hasNamespaces
    this.prefixes = hasNamespaces ? new Map() : undefined
  }

  /** Whether an attribute is no value: it declares a namespace, or says whether its element is null. */
  isNoValue({ namespace, localName }: Pick<AttributeDetails, 'namespace' | 'localName'>): boolean {
    const isNil = namespace === XSI_NAMESPACE && localName === 'nil'
    return this.hasNamespaces && (isNil || namespace === XMLNS_NAMESPACE)
  }
}
