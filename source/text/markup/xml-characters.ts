// Which characters documents are made of, and names (XML 1.0, fifth edition, [2], [4] and [4a]).

/** All that is no character of XML 1.0, lone surrogates included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched.
const SUSPECT = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u

const START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const REST = `${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}`
const NAME = new RegExp(`^[:${START}][:${REST}]*$`, 'u')
const NMTOKEN = new RegExp(`^[:${REST}]+$`, 'u')
const NC_NAME = new RegExp(`^[${START}][${REST}]*$`, 'u')

/** Whether a text is a Name [5]. */
export function isName(text: string): boolean {
  return NAME.test(text)
}

/** Whether a text is a Nmtoken [7]. */
export function isNmtoken(text: string): boolean {
  return NMTOKEN.test(text)
}

/** Whether a text is an NCName: a Name without a colon (Namespaces in XML 1.0, [4]). */
export function isNcName(text: string): boolean {
  return NC_NAME.test(text)
}

/** Whether a code point is a Char [2]. */
export function isXmlCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
}

/** A character as it is named in messages: by its code point, such as `U+0000`. */
export function nameCharacter(text: string, index = 0): string {
  const point = text.codePointAt(index) as number
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The index of the first UTF-16 unit that is no Char [2] and no part of one, such as half of a surrogate pair; -1 when there is none. */
export function findForbidden(text: string): number {
  // Without looking at pairs it takes a quarter of the time.
  return SUSPECT.test(text) ? text.search(FORBIDDEN) : -1
}
