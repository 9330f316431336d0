// Text as markup of XML 1.0: with references where a character would not come back as it is.

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The last code point of Unicode: with it, an encoding has all characters. */
export const LAST_CODE_POINT = 0x10ffff

/**
 * A text as content of an element. `last` is the last code point that the encoding has: characters after it become references. The characters must be
 * those of XML (`findForbidden`).
 */
export function escapeText(text: string, last = LAST_CODE_POINT): string {
  return escapeAbove(text.replace(/[&<>\r]/g, referenceTo), last)
}

/** The value of an attribute, to stand between double quotes. White space in it is kept, because it becomes references. Otherwise like `escapeText`. */
export function escapeAttribute(value: string, last = LAST_CODE_POINT): string {
  return escapeAbove(value.replace(/[&<>"\t\n\r]/g, referenceTo), last)
}

/** The first character after the last code point of an encoding, which then lacks it; undefined for none. */
export function findLacking(text: string, last: number): string | undefined {
  if (last === LAST_CODE_POINT) return undefined
  return Array.from(text).find((character) => (character.codePointAt(0) as number) > last)
}

function referenceTo(character: string): string {
  return REFERENCES[character] ?? `&#${character.codePointAt(0)};`
}

function escapeAbove(text: string, last: number): string {
  if (last === LAST_CODE_POINT) return text
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    return (character.codePointAt(0) as number) > last ? referenceTo(character) : character
  })
}
