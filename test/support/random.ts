// Random numbers, the same for the same seed.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0, below the limit. */
  below(limit: number): number {
    // Mulberry32 by Tommy Ettinger, in the public domain.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  /** Whether something happens that does so once in `often` times. */
  oneIn(often: number): boolean {
    return this.below(often) === 0
  }

  /** Whether something happens that does so in such a share of all cases. */
  chance(share: number): boolean {
    return this.below(2 ** 20) < share * 2 ** 20
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** As many results as a random number from `least` to `most`. */
  many<Item>(least: number, most: number, make: () => Item): Item[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
