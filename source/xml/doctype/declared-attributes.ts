// What a document type declares of the attributes of elements: types, by which blanks in values are collapsed, and defaults.

import { makeName, type Name } from '../names/names.ts'
import { type AttributeDeclaration, collapse, type DocumentType } from './document-type.ts'

interface DefaultAttribute {
  readonly name: Name
  readonly value: string
}

export class DeclaredAttributes {
  /** By the names of elements, then of attributes. */
  readonly #declared: DocumentType['attributes']
  readonly #defaults = new Map<string, readonly DefaultAttribute[]>()

  constructor({ attributes }: DocumentType) {
    this.#declared = attributes
    for (const [element, byName] of attributes) this.#defaults.set(element, defaultsOf(byName))
  }

  /** Whether something is declared of the attributes of an element. */
  has(element: string): boolean {
    return this.#declared.has(element)
  }

  /**
   * Collapses the values of a tag that are not of the type CDATA, and adds the defaults that it does not have (section 3.3.3). Returns how many UTF-16
   * units the defaults would add to the tag.
   */
  apply(element: string, names: Name[], values: string[]): number {
    const declared = this.#declared.get(element)
    for (const [i, { raw }] of names.entries()) {
      if (declared?.get(raw)?.isTokenized) values[i] = collapse(values[i] as string)
    }
    const there = new Set(names.map(({ raw }) => raw))
    let units = 0
    for (const { name, value } of this.#defaults.get(element) ?? []) {
      if (there.has(name.raw)) continue
      names.push(name)
      values.push(value)
      // ` name="value"`
      units += name.raw.length + value.length + 4
    }
    return units
  }
}

/** Those attributes that are there where no tag has them. */
function defaultsOf(declarations: ReadonlyMap<string, AttributeDeclaration>): DefaultAttribute[] {
  return [...declarations.values()].flatMap(({ name, default: value }) => {
    return value === undefined ? [] : { name: makeName(name), value }
  })
}
