// References that stand for one character: numbers, and the entities that every document has.

import { Fault, shorten } from '../errors/fault.ts'

/** The predefined entities (section 4.6). */
const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** What a predefined entity stands for; undefined for another. */
export function predefinedEntity(name: string): string | undefined {
  return PREDEFINED.get(name)
}

/** The character that a reference stands for, by what is between `&` and `;`; undefined for other entities, and for what is no character of XML. */
export function standsFor(reference: string): string | undefined {
  return reference.startsWith('#') ? referredCharacter(reference) : PREDEFINED.get(reference)
}

/** The character of `#60` or `#x3C`; undefined if it is not a number, and if XML has no such character (section 4.1, WFC: Legal Character). */
export function referredCharacter(number: string): string | undefined {
  const isHexadecimal = number.startsWith('#x')
  // More than the longest is too large, whatever it is, except for zeros in front: it need not be exact.
  const point = isHexadecimal ? Number.parseInt(number.slice(2), 16) : Number.parseInt(number.slice(1), 10)
  return isXmlCharacter(point) ? String.fromCodePoint(point) : undefined
}

/** The error for a reference to a character that XML does not have, at an offset in the document. */
export function illegalReference(number: string, offset: number): Fault {
  const message = `&${shorten(number)}; is not a character that XML 1.0 allows`
  return new Fault(message, 'character-reference', 'WFC: Legal Character', offset)
}

/** [2] Char. */
function isXmlCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
}
