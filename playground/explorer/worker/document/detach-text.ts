// Parts of strings that are kept.

/** A string of its own: a part of a string keeps all of it in memory, and what is read from JSON does not. */
export function detachText(part: string): string {
  return JSON.parse(JSON.stringify(part))
}
