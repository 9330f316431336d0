// XML that is pasted instead of opened as a file.

/** Whether a text begins as XML does. */
export function isMarkup(text: string): boolean {
  return /^\s*</.test(text)
}

/** A text as a document: it begins with the XML declaration if it has one, which names the encoding that the document has now. */
export function toFile(text: string): Blob {
  const declaration = /^(<\?xml\s[^>]*?\sencoding\s*=\s*)(?:"[^"]*"|'[^']*')/
  return new Blob([text.trimStart().replace(declaration, '$1"UTF-8"')])
}
