// Texts as words of a shell.

/** A text as one word, in quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A text as one word, in quotes where it needs them. */
export function quoteWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : quote(text)
}
