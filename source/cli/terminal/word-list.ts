// Lists of words in messages.

/** Values that a list names; others are counted. */
const MOST_NAMES = 5

/** `this, that or another` */
export function listWords(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1')
}

/** Lines of a name and a value each, the values below each other. */
export function alignNames(lines: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}

/** The first few values, and how many more there are. */
export function listFirst(values: readonly string[], most = MOST_NAMES): string {
  const more = values.length - most
  return more > 0 ? `${values.slice(0, most).join(', ')} and ${more} more` : values.join(', ')
}
