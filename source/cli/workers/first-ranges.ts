// The ranges that are read first are small, so that the first results come soon.

/** Shares of the first range. */
const SHARES = [1 / 16, 1 / 4, 1]

/** The same ranges, of which the first one is cut again. */
export function cutFirst<Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
): readonly Range[] {
  const [first, ...others] = ranges
  if (!first || others.length === 0) return ranges
  const length = first.end - first.start
  const ends = SHARES.map((share) => first.start + Math.ceil(length * share))
  const cut = ends.map((end, i) => ({ ...first, start: ends[i - 1] ?? first.start, end }))
  return [...cut.filter(({ start, end }) => end > start), ...others]
}
