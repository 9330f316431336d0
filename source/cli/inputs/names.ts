// The order of names.

/** Numbers in names by their size: `…p1p41242` before `…p41243p151573`. */
export function compareNames(one: string, two: string): number {
  return one.localeCompare(two, 'en', { numeric: true })
}
