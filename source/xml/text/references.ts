// References that stand for one character: numbers, and the entities that every document has.

import { isXmlCharacter } from '../../text/markup/xml-characters.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'

/** The predefined entities (section 4.6). */
const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  // What a reference becomes that is replaced, and too short for one to another character (kernel/content.ts knows it, too).
  ['??', '?'],
])

/**
 * The character that a reference stands for, by what is between `&` and `;` (section 4.1); undefined for an entity that has to be declared. For a number
 * that is no character of XML, `replace` says what takes its place; without it, throws a {@link UnplacedError}. `offset` is where the reference is in the
 * document.
 */
export function standsFor(reference: string, offset?: number, replace?: (point: number) => string): string | undefined {
  if (!reference.startsWith('#')) return PREDEFINED.get(reference)
  // More than the longest is too large, whatever it is, except for zeros in front: it need not be exact.
  const isHexadecimal = reference.startsWith('#x')
  const point = isHexadecimal ? Number.parseInt(reference.slice(2), 16) : Number.parseInt(reference.slice(1), 10)
  if (isXmlCharacter(point)) return String.fromCodePoint(point)
  if (replace) return replace(point)
  const message = `&${shorten(reference)}; is not a character that XML 1.0 allows`
  throw new UnplacedError(message, 'character-reference', 'WFC: Legal Character', offset)
}

const REPLACED = '&??;'
/** A reference that was replaced, or what is no reference. */
const REPLACED_OR_NOT = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|&\?\?;/gs

/** The text of an element as XML, in which short references that were replaced are longer ones. */
export function mendReferences(text: string): string {
  if (!text.includes(REPLACED)) return text
  return text.replace(REPLACED_OR_NOT, (found) => (found === REPLACED ? '&#63;' : found))
}

/**
 * Replaces a reference to what is no character of XML, from its `&` to its `;`, by one that is as long, and stands for what malformed text of the same
 * code point becomes (`Machine.replaceMalformed`). Returns what that is.
 */
export function replaceReference(bytes: Uint8Array, point: number): string {
  const isNoncharacter = point === 0xfffe || point === 0xffff
  const digits = isNoncharacter ? '65533' : '63'
  const text = bytes.length < 5 ? REPLACED : `&#${digits.padStart(bytes.length - 3, '0')};`
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at)
  return isNoncharacter ? '\ufffd' : '?'
}
