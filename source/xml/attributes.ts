// The attributes of a start tag.

import { INSPECT, type InspectArguments, show } from '../text/inspection.ts'
import { makeName } from './names.ts'

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

/** More attributes than this are looked up in a map. */
const FEW = 8

/** Gives pairs. A generator would take several times as long, and tags are many. */
class AttributeIterator implements IterableIterator<[name: string, value: string]> {
  readonly #names: readonly string[]
  readonly #values: readonly string[]
  #next = 0

  constructor(names: readonly string[], values: readonly string[]) {
    this.#names = names
    this.#values = values
  }

  next(): IteratorResult<[name: string, value: string], undefined> {
    const i = this.#next++
    const name = this.#names[i]
    return name !== undefined
      ? { done: false, value: [name, this.#values[i] as string] }
      : { done: true, value: undefined }
  }

  [Symbol.iterator](): this {
    return this
  }
}

/** The attributes of an element, in the order of the document; defaults from the document type come last. Iterable as `[name, value]`. */
export class XmlAttributes implements Iterable<[name: string, value: string]> {
  static readonly NONE = new XmlAttributes([], [], [])

  /** As they are written. */
  readonly #names: readonly string[]
  readonly #values: readonly string[]
  /** Start and end of each that has them. */
  readonly #offsets: readonly number[]
  /** Undefined when none is in a namespace. */
  readonly #namespaces: readonly (string | undefined)[] | undefined
  #byName: Map<string, string> | undefined

  /**
   * Lists of the same length, but for the offsets: two numbers for each attribute that stands in the input.
   *
   * @internal
   */
  constructor(
    names: readonly string[],
    values: readonly string[],
    offsets: readonly number[],
    namespaces?: readonly (string | undefined)[],
  ) {
    this.#names = names
    this.#values = values
    this.#offsets = offsets
    this.#namespaces = namespaces
  }

  /** How many there are. */
  get size(): number {
    return this.#names.length
  }

  /** The value of the attribute whose name is written so; undefined when there is none. */
  get(name: string): string | undefined {
    if (this.#names.length > FEW) {
      this.#byName ??= new Map(this.#names.map((raw, i) => [raw, this.#values[i] as string]))
      return this.#byName.get(name)
    }
    const index = this.#names.indexOf(name)
    return index === -1 ? undefined : this.#values[index]
  }

  /** Whether there is an attribute whose name is written so. */
  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  [Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    return new AttributeIterator(this.#names, this.#values)
  }

  /** All of them with prefix, local name, namespace and offsets. Made when asked for. */
  get details(): AttributeDetails[] {
    return this.#names.map(makeName).map(({ raw, prefix, localName }, i) => ({
      name: raw,
      prefix,
      localName,
      namespace: this.#namespaces?.[i],
      value: this.#values[i] as string,
      start: this.#offsets[2 * i],
      end: this.#offsets[2 * i + 1],
    }))
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    return show('XmlAttributes', '', this.toJSON(), how)
  }

  /** As plain data: pairs, since names may be those of what objects have anyway. */
  toJSON(): [name: string, value: string][] {
    return [...this]
  }
}
