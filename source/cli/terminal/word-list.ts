// Words: in lists, in the order of names, and for a shell.

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

/** Numbers in names by their size: `…p1p41242` before `…p41243p151573`. */
export function compareNames(one: string, two: string): number {
  return one.localeCompare(two, 'en', { numeric: true })
}

/** A text as one word, in quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The path of a file as one word, which does not look like an option. */
export function quotePath(path: string): string {
  return quoteWord(path.startsWith('-') ? `./${path}` : path)
}

/** A text as one word, in quotes where it needs them. */
export function quoteWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : quote(text)
}
