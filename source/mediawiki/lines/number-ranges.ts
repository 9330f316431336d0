// Sets of ids, as ranges.

/** A range of ids; both ends belong to it. Ids are safe integers: the largest one stands for no end. */
export interface NumberRange {
  readonly first: number
  readonly last: number
}

/** A range such as `7`, `1-1000` or `2000-`; undefined for anything else, and where the end is less than the start. */
export function parseRange(text: string): NumberRange | undefined {
  const [, first, dash, last] = /^(\d+)(-)?(\d*)$/.exec(text) ?? []
  if (first === undefined || (dash === undefined && last !== '')) return undefined
  const end = dash === undefined ? Number(first) : last === '' ? Number.MAX_SAFE_INTEGER : Number(last)
  return end < Number(first) ? undefined : { first: Number(first), last: end }
}

/** Sorts ranges and joins those that touch, so that there are as few as possible. */
export function mergeRanges(ranges: readonly NumberRange[]): NumberRange[] {
  const merged: { first: number; last: number }[] = []
  for (const { first, last } of [...ranges].sort((one, two) => one.first - two.first)) {
    const before = merged.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else merged.push({ first, last })
  }
  return merged
}

/** Whether a number is in one of the ranges, which `mergeRanges` has made. A list of ids may have millions. */
export function isInRanges(ranges: readonly NumberRange[], id: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle] as NumberRange).last < id) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.first ?? Number.POSITIVE_INFINITY) <= id
}
