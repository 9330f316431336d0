// The attributes of a start tag.

import type { Name } from './names.ts'

/** One attribute in detail. Offsets are in bytes of the input, from 0. */
export interface AttributeDetails {
  readonly name: string
  /** Empty when there is none. */
  readonly prefix: string
  readonly localName: string
  /** Undefined when it is in none, or namespaces are off. */
  readonly namespace: string | undefined
  readonly value: string
  /** Where its name begins and its value ends, without the quote; undefined for a default from the document type. */
  readonly start: number | undefined
  readonly end: number | undefined
}

interface Attribute {
  readonly name: Name
  readonly value: string
  readonly namespace: string | undefined
  readonly start: number | undefined
  readonly end: number | undefined
}

/** More attributes than this are looked up in a map. */
const FEW = 8

/** The attributes of an element, in the order of the document; defaults from the document type come last. Iterable as `[name, value]`. */
export class XmlAttributes implements Iterable<[name: string, value: string]> {
  static readonly NONE = new XmlAttributes()

  readonly #all: Attribute[] = []
  #byName: Map<string, string> | undefined

  /** How many there are. */
  get size(): number {
    return this.#all.length
  }

  /** The value of the attribute whose name is written so; undefined when there is none. */
  get(name: string): string | undefined {
    if (this.#all.length > FEW) {
      this.#byName ??= new Map(this.#all.map((attribute) => [attribute.name.raw, attribute.value]))
      return this.#byName.get(name)
    }
    return this.#all.find((attribute) => attribute.name.raw === name)?.value
  }

  /** Whether there is an attribute whose name is written so. */
  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  *[Symbol.iterator](): Iterator<[name: string, value: string]> {
    for (const { name, value } of this.#all) yield [name.raw, value]
  }

  /** All of them with prefix, local name, namespace and offsets. Made when asked for. */
  get details(): AttributeDetails[] {
    return this.#all.map(({ name, value, namespace, start, end }) => {
      const { raw, prefix, localName } = name
      return { name: raw, prefix, localName, namespace, value, start, end }
    })
  }

  /** As plain data: a `Map`, since names may be those of what objects have anyway. */
  toJSON(): [name: string, value: string][] {
    return [...this]
  }

  /** @internal */
  add(name: Name, value: string, namespace: string | undefined, start?: number, end?: number): void {
    this.#all.push({ name, value, namespace, start, end })
  }
}
