// How long a bar is, and the numbers beside it.

export type Scale = 'linear' | 'logarithmic'

/** From 0 to 1, where 1 is the largest value. A logarithmic bar begins at half of the smallest value, so that this one has a length too. */
export function findBarLength(value: number, smallest: number, largest: number, scale: Scale): number {
  if (scale === 'linear') return value / largest
  const start = Math.log(smallest / 2)
  return (Math.log(value) - start) / (Math.log(largest) - start)
}

/** `0.85`, `5.5`, `56` */
export function formatNanoseconds(value: number): string {
  return value.toFixed(value < 0.995 ? 2 : value < 9.95 ? 1 : 0)
}

/** `1.2`, `19` */
export function formatRatio(value: number): string {
  return value.toFixed(value < 9.95 ? 1 : 0)
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })

/** `124`, `1.1M` */
export function formatPromises(count: number): string {
  return count < 1000 ? String(count) : compact.format(count)
}
