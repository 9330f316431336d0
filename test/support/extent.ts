// How much is tried. `npm run test:all` tries everything; `npm test` tries a sample of what is tried in great number: the cuts of long
// inputs, the runs of properties, the starts of a process. It leaves out what takes longest, where a shorter test would see most of the same errors.

/** Whether everything is tried (vitest.all.config.ts). */
export const isThorough = process.env.XYLEM_TESTS === 'all'

/** The whole numbers from `start` up to, and without, `end`. */
export function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
}

/** Everything in `npm run test:all`; in `npm test` so many at most, evenly spread, the first and the last among them (of one, the first). */
export function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isThorough || items.length <= count) return items
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, i) => items[Math.round(i * step)] as Item)
}
