// Values that a condition allows, or does not.

/** What is compared: numbers, whole numbers of 64 bits, texts by their UTF-16 units, booleans. All values of a set have one type. */
export type Ordered = string | number | bigint | boolean

/** A range of values, to which both ends belong. */
export type Span = readonly [first: Ordered, last: Ordered]

/** A set of ranges. There may be millions, so they are sorted, and searched by halves. */
export class ValueSet {
  readonly #firsts: Ordered[] = []
  readonly #lasts: Ordered[] = []

  constructor(spans: Span[]) {
    const [firsts, lasts] = [this.#firsts, this.#lasts]
    spans.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    for (const [first, last] of spans) {
      const before = lasts.at(-1)
      if (last < first) continue
      if (before === undefined || first > before) {
        firsts.push(first)
        lasts.push(last)
      } else if (last > before) lasts[lasts.length - 1] = last
    }
  }

  has(value: Ordered): boolean {
    const lasts = this.#lasts
    let low = 0
    let high = lasts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((lasts[middle] as Ordered) < value) low = middle + 1
      else high = middle
    }
    return low < lasts.length && (this.#firsts[low] as Ordered) <= value
  }
}
