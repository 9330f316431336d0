// Words of command lines that messages show.

/** A text as one word of a shell, in quotes where it needs them. */
export function quoteWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
