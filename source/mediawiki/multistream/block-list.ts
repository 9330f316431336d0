// Which bzip2 block a page begins in.

import type { IndexEntry } from './index-format.ts'

/** Number of passed blocks after which they are forgotten together. */
const MOST_PASSED = 1000

/**
 * The blocks in which pages that come may still begin, for an index of your own: `add` is for the option `onBlock` of `readDump`, and `placeOf` for the
 * pages that `places` yields, in their order.
 */
export class BlockList {
  #bits: number[] = []
  #offsets: number[] = []
  #first = 0

  /** A block begins at this bit of the dump; its content has this offset in the decompressed dump. */
  add(bit: number, offset: number): void {
    this.#bits.push(bit)
    this.#offsets.push(offset)
  }

  /** Where a page is that begins at an offset in the decompressed dump, as an index entry says it. Without blocks: at that offset. Offsets must not decrease. */
  placeOf(start: number): Pick<IndexEntry, 'offset' | 'bit' | 'skip'> {
    while ((this.#offsets[this.#first + 1] ?? Number.POSITIVE_INFINITY) <= start) this.#first++
    const [bit, offset] = [this.#bits[this.#first], this.#offsets[this.#first]]
    if (this.#first > MOST_PASSED) this.#forget()
    if (bit === undefined || offset === undefined) return { offset: start }
    return { offset: Math.floor(bit / 8), bit: bit % 8, skip: start - offset }
  }

  #forget(): void {
    this.#bits = this.#bits.slice(this.#first)
    this.#offsets = this.#offsets.slice(this.#first)
    this.#first = 0
  }
}
