// The name that was probably meant.

/** Longer names are compared with no others: it takes too long. */
const LONGEST_NAME = 100

/** The name that is most like the one given. Undefined where none is like it, or it is very long. */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  let nearest: string | undefined
  // Of a single letter, all others are as far.
  let least = Math.min(name.length, Math.max(2, Math.ceil(name.length / 3) + 1))
  for (const other of names) {
    if (Math.abs(other.length - name.length) >= least) continue
    const distance = measureDistance(name.toLowerCase(), other.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = other
    }
  }
  return nearest
}

/** How many characters must be put in, left out or changed (Levenshtein's distance; Wagner and Fischer, 1974). */
function measureDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
