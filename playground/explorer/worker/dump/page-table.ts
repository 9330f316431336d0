// What is kept of each page of a dump: some 30 bytes and its title, so that millions fit into memory.

import type { NamespaceCount, PageRow } from '../../protocol.ts'
import { Titles } from './titles.ts'

/** Where a page is: its first byte in a dump that is not compressed, or bytes into the content of the bzip2 block that begins at a bit. */
export interface KeptPlace {
  readonly at: number
  readonly skip: number
}

export interface KeptPage extends KeptPlace {
  readonly id: number
  readonly ns: number
  readonly isRedirect: boolean
  readonly title: string
}

const FIRST_CAPACITY = 4096

/** Pages by their numbers, in the order of the dump. */
export class PageTable {
  readonly #limit: number
  readonly titles = new Titles()
  readonly #counts = new Map<number, number>()
  #ids = new Float64Array(FIRST_CAPACITY)
  #namespaces = new Int32Array(FIRST_CAPACITY)
  #redirects = new Uint8Array(FIRST_CAPACITY)
  #places = new Float64Array(FIRST_CAPACITY)
  #skips = new Uint32Array(FIRST_CAPACITY)
  #seen = 0

  /** `limit`: how many pages are kept. Those that come later are only counted. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many pages are kept. */
  get length(): number {
    return this.titles.length
  }

  /** How many pages there were. */
  get seen(): number {
    return this.#seen
  }

  /** Whether there were pages that are not kept. */
  get isFull(): boolean {
    return this.#seen > this.length
  }

  add({ id, ns, isRedirect, title, at, skip }: KeptPage): void {
    this.#seen++
    this.#counts.set(ns, (this.#counts.get(ns) ?? 0) + 1)
    const index = this.length
    if (index >= this.#limit) return
    if (index === this.#ids.length) this.#grow()
    this.#ids[index] = id
    this.#namespaces[index] = ns
    this.#redirects[index] = isRedirect ? 1 : 0
    this.#places[index] = at
    this.#skips[index] = skip
    this.titles.add(title)
  }

  namespaceOf(index: number): number {
    return this.#namespaces[index] ?? 0
  }

  isRedirect(index: number): boolean {
    return this.#redirects[index] === 1
  }

  idOf(index: number): number {
    return this.#ids[index] ?? 0
  }

  placeOf(index: number): KeptPlace {
    return { at: this.#places[index] ?? 0, skip: this.#skips[index] ?? 0 }
  }

  rowOf(index: number): PageRow {
    return {
      index,
      id: this.idOf(index),
      namespace: this.namespaceOf(index),
      title: this.titles.at(index) ?? '',
      isRedirect: this.isRedirect(index),
    }
  }

  /** The namespaces that were seen, by their numbers. */
  countNamespaces(names: ReadonlyMap<number, string>): NamespaceCount[] {
    return [...this.#counts]
      .sort(([first], [second]) => first - second)
      .map(([id, count]) => ({ id, name: names.get(id) ?? '', count }))
  }

  #grow(): void {
    const capacity = Math.min(this.#ids.length * 2, this.#limit)
    this.#ids = copyInto(new Float64Array(capacity), this.#ids)
    this.#namespaces = copyInto(new Int32Array(capacity), this.#namespaces)
    this.#redirects = copyInto(new Uint8Array(capacity), this.#redirects)
    this.#places = copyInto(new Float64Array(capacity), this.#places)
    this.#skips = copyInto(new Uint32Array(capacity), this.#skips)
  }
}

function copyInto<Numbers extends Float64Array | Int32Array | Uint8Array | Uint32Array>(
  to: Numbers,
  from: Numbers,
): Numbers {
  to.set(from)
  return to
}
