// How much is tried. `npm run test:long` tries everything, for hours; `npm run test:all` tries every test, with fewer places, runs and levels where they
// are very many; `npm test` tries a sample of what is tried in great number: the cuts of long inputs, the runs of properties, the starts of a process. It
// leaves out what takes longest, where a shorter test would see most of the same errors.

const { XYLEM_TESTS } = process.env

/** Whether everything is tried (vitest.long.config.ts). */
export const isComplete = XYLEM_TESTS === 'long'

/** Whether every test runs (vitest.all.config.ts, vitest.long.config.ts). */
export const isThorough = isComplete || XYLEM_TESTS === 'all'

/** A number for `npm test`, one for `npm run test:all`, and one for `npm run test:long`. */
export function extent(few: number, many: number, all: number): number {
  if (isComplete) return all
  return isThorough ? many : few
}

/** The whole numbers from `start` up to, and without, `end`. */
export function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
}

/**
 * So many at most, `few` in `npm test` and `many` in `npm run test:all`, evenly spread, the first and the last among them (of one, the first). Everything in
 * `npm run test:long`.
 */
export function sample<Item>(items: readonly Item[], few: number, many: number = items.length): readonly Item[] {
  const count = extent(few, many, items.length)
  if (items.length <= count) return items
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, i) => items[Math.round(i * step)] as Item)
}
