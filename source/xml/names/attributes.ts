// The attributes of a start tag.

import { INSPECT, type InspectArguments, NO_CLONE, show } from '../../text/inspection.ts'
import { isPattern, matchesName, type NamePattern, parseNamePattern } from './name-pattern.ts'
import { makeName } from './names.ts'

/** One attribute in detail. Offsets are in bytes of the input, from 0. */
export interface AttributeDetails {
  readonly name: string
  /** Empty when there is none. */
  readonly prefix: string
  readonly localName: string
  /** Undefined when it is in none, or namespaces are off. Declarations are in `http://www.w3.org/2000/xmlns/`. */
  readonly namespace: string | undefined
  readonly value: string
  /** Where its name begins and its value ends, without the quote; undefined for a default from the document type, and in what an entity brings. */
  readonly start: number | undefined
  readonly end: number | undefined
}

/** More attributes than this are looked up in a map. */
const FEW = 8

/**
 * Four for each attribute: its name as it is written, its value, and where it begins and ends; the offsets are undefined for a default from the
 * document type. One array: tags with attributes are many, and each array more of a tag costs as much as an attribute.
 */
export type AttributeEntries = readonly (string | number | undefined)[]

export const ENTRY_LENGTH = 4
const VALUE = 1
const START = 2
const END = 3

/** Gives pairs. A generator would take several times as long, and tags are many. */
class AttributeIterator implements IterableIterator<[name: string, value: string]> {
  readonly #entries: AttributeEntries
  #next = 0

  constructor(entries: AttributeEntries) {
    this.#entries = entries
  }

  next(): IteratorResult<[name: string, value: string], undefined> {
    const at = this.#next
    if (at >= this.#entries.length) return { done: true, value: undefined }
    this.#next = at + ENTRY_LENGTH
    return { done: false, value: [this.#entries[at] as string, this.#entries[at + VALUE] as string] }
  }

  [Symbol.iterator](): this {
    return this
  }
}

/** The attributes of an element, in the order of the document; defaults from the document type come last. Iterable as `[name, value]`. */
export class XmlAttributes implements Iterable<[name: string, value: string]> {
  static readonly NONE = new XmlAttributes([])

  /** @internal */
  readonly self = this
  /** @internal */
  readonly clone = NO_CLONE
  readonly #entries: AttributeEntries
  /** Undefined when none is in a namespace. */
  readonly #namespaces: readonly (string | undefined)[] | undefined
  #byName: Map<string, string> | undefined

  /** @internal */
  constructor(entries: AttributeEntries, namespaces?: readonly (string | undefined)[]) {
    this.#entries = entries
    this.#namespaces = namespaces
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.length / ENTRY_LENGTH
  }

  /**
   * The value of the attribute with this name, as it is written, as `{namespace}name`, or as `*:name`, for the first with this local name that declares
   * no namespace; undefined if there is none. Throws a `RangeError` with the code `invalid-option` for a name that begins with a brace or `*:` and is
   * not of this form.
   */
  get(name: string): string | undefined {
    if (isPattern(name)) return this.find(parseNamePattern(name))
    const entries = this.#entries
    if (this.size > FEW) {
      this.#byName ??= new Map(this)
      return this.#byName.get(name)
    }
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      if (entries[at] === name) return entries[at + VALUE] as string
    }
    return undefined
  }

  /** @internal */
  find(test: NamePattern): string | undefined {
    const { name = '', namespace, isAnywhere } = test
    if (namespace === undefined && !isAnywhere) return this.get(name)
    for (let i = 0, at = 0; i < this.size; i++, at += ENTRY_LENGTH) {
      const itsNamespace = this.#namespaces?.[i]
      if (namespace !== undefined && (itsNamespace ?? '') !== namespace) continue
      if (matchesName(test, makeName(this.#entries[at] as string), itsNamespace))
        return this.#entries[at + VALUE] as string
    }
    return undefined
  }

  /** Whether there is an attribute with this name. Throws like `get`. */
  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  [Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    return new AttributeIterator(this.#entries)
  }

  /** All of them with prefix, local name, namespace and offsets. Made when asked for. */
  get details(): AttributeDetails[] {
    const entries = this.#entries
    return Array.from({ length: this.size }, (_, i) => {
      const at = i * ENTRY_LENGTH
      const { raw, prefix, localName } = makeName(entries[at] as string)
      return {
        name: raw,
        prefix,
        localName,
        namespace: this.#namespaces?.[i],
        value: entries[at + VALUE] as string,
        start: entries[at + START] as number | undefined,
        end: entries[at + END] as number | undefined,
      }
    })
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return JSON.stringify(Array.from(this, (pair, i) => [...pair, this.#namespaces?.[i]]))
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    return show('XmlAttributes', '', this.toJSON(), how)
  }

  /** The attributes as plain data: pairs, because their names can be names of properties that all objects have. */
  toJSON(): [name: string, value: string][] {
    return [...this]
  }
}
