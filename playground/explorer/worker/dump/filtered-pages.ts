// Which pages of a table a filter lets through. It goes on where it stopped: pages come while a dump is read, and a million of them at once would
// keep everything else waiting.

import type { PageFilter } from '../../protocol.ts'
import type { PageTable } from './page-table.ts'

/** Pages that are looked at in one go. */
const STRETCH = 16 * 1024

export const EVERYTHING: PageFilter = { namespaces: undefined, redirects: 'all', title: '' }

export class FilteredPages {
  readonly #table: PageTable
  readonly #namespaces: ReadonlySet<number> | undefined
  readonly #redirects: PageFilter['redirects']
  /** In lower case. */
  readonly #title: string
  /** Numbers of pages; undefined where all are let through. */
  #found: Uint32Array | undefined
  #count = 0
  /** The first page that was not looked at. */
  #next = 0

  constructor(table: PageTable, { namespaces, redirects, title }: PageFilter) {
    this.#table = table
    this.#namespaces = namespaces && new Set(namespaces)
    this.#redirects = redirects
    this.#title = title.toLowerCase()
    const isOpen = !namespaces && redirects === 'all' && title === ''
    this.#found = isOpen ? undefined : new Uint32Array(1024)
  }

  /** How many pages were found so far. */
  get length(): number {
    return this.#found ? this.#count : this.#table.length
  }

  /** Whether all pages that there are were looked at. */
  get isComplete(): boolean {
    return !this.#found || this.#next === this.#table.length
  }

  /** The number in the table of the page at a place of the list; undefined if there is none. */
  at(place: number): number | undefined {
    if (place < 0 || place >= this.length) return undefined
    return this.#found ? this.#found[place] : place
  }

  /** The place in the list of the page with a number; undefined if it is not in the list so far. */
  placeOf(index: number): number | undefined {
    if (!this.#found) return index < this.length ? index : undefined
    // The numbers rise.
    let from = 0
    let to = this.#count
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#found[middle] as number) < index) from = middle + 1
      else to = middle
    }
    return from < this.#count && this.#found[from] === index ? from : undefined
  }

  /** Looks at more pages. Gives whether all that there are were looked at. */
  proceed(): boolean {
    if (!this.#found) return true
    const { titles, length } = this.#table
    const end = Math.min(this.#next + STRETCH, length)
    let index = this.#next
    while (index < end) {
      if (this.#title !== '') index = titles.skipWithout(this.#title, index)
      if (index >= length) break
      if (this.#isWanted(index)) this.#add(index)
      index++
    }
    this.#next = Math.min(index, length)
    return this.isComplete
  }

  #isWanted(index: number): boolean {
    const table = this.#table
    if (this.#namespaces && !this.#namespaces.has(table.namespaceOf(index))) return false
    if (this.#redirects !== 'all' && (this.#redirects === 'only') !== table.isRedirect(index)) return false
    return this.#title === '' || (table.titles.at(index) ?? '').toLowerCase().includes(this.#title)
  }

  #add(index: number): void {
    let found = this.#found as Uint32Array
    if (this.#count === found.length) {
      found = new Uint32Array(found.length * 2)
      found.set(this.#found as Uint32Array)
      this.#found = found
    }
    found[this.#count++] = index
  }
}
