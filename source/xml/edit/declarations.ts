// What the document type declaration of a document means for edits: entities that new content may use, and defaults of attributes.

import type { DocumentType } from '../doctype/document-type.ts'
import { makeName } from '../names/names.ts'
import { standsFor } from '../text/references.ts'

/** Finds the names of elements in markup that is well-formed. Comments, CDATA sections and instructions are found without a name. */
const START_TAGS = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<([^\s<>/!?]+)/g

export class DocumentDeclarations {
  readonly #type: DocumentType | undefined
  #entities: ReadonlySet<string> | undefined
  #namespaceDefaults: ReadonlyMap<string, string> | undefined

  constructor(type: DocumentType | undefined) {
    this.#type = type
  }

  /** The names of entities that stand for text alone, wherever they are referred to, without those that are predefined. */
  get entities(): ReadonlySet<string> {
    if (!this.#entities) {
      const declared = [...(this.#type?.entities.values() ?? [])]
      const plain = declared.filter(({ name, text, isExternalDeclaration }) => {
        const isText = text !== undefined && !/[<&]/.test(text)
        return isText && !isExternalDeclaration && standsFor(name) === undefined
      })
      this.#entities = new Set(plain.map(({ name }) => name))
    }
    return this.#entities
  }

  /** Whether an element of this name has an attribute even if its tag does not. */
  hasDefault(element: string, attribute: string): boolean {
    return this.#type?.attributes.get(element)?.get(attribute)?.default !== undefined
  }

  /** The name of an attribute that each element of this name has, and that declares a namespace or needs a declared prefix; undefined if it has none. */
  namespaceDefault(element: string): string | undefined {
    this.#namespaceDefaults ??= this.#findNamespaceDefaults()
    return this.#namespaceDefaults.get(element)
  }

  /** The name of the first element in well-formed markup that has such an attribute. */
  findNamespaceDefault(markup: string): string | undefined {
    this.#namespaceDefaults ??= this.#findNamespaceDefaults()
    if (this.#namespaceDefaults.size === 0) return undefined
    for (const [, name] of markup.matchAll(START_TAGS)) {
      if (name !== undefined && this.#namespaceDefaults.has(name)) return name
    }
    return undefined
  }

  #findNamespaceDefaults(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const [element, attributes] of this.#type?.attributes ?? []) {
      for (const { name: raw, default: value } of attributes.values()) {
        if (value !== undefined && !makeName(raw).isPlain) found.set(element, raw)
      }
    }
    return found
  }
}
