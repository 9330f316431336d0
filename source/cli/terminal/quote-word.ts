// Texts as words of a shell.

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
