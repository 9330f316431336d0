// Text as markup of XML 1.0: with references where a character would not come back as it is.

/** Names of predefined entities. */
const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

/** A text as content of an element. The characters must be those of XML (`findForbidden`). */
export function escapeText(text: string): string {
  // To find nothing takes a third of the time that it takes to replace nothing.
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, referenceTo) : text
}

/** The value of an attribute, to stand between double quotes. White space in it is kept, because it becomes references. The characters must be those of XML. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\n\r]/g, referenceTo)
}

/** A reference to a character: by a name, if that is predefined. */
export function referenceTo(character: string): string {
  return `&${NAMES[character] ?? `#${character.codePointAt(0)}`};`
}
