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
])

/**
 * The character that a reference stands for, by what is between `&` and `;` (section 4.1); undefined for an entity that has to be declared. Throws a
 * {@link UnplacedError} for a number that is no character of XML; `offset` is where the reference is in the document.
 */
export function standsFor(reference: string, offset?: number): string | undefined {
  if (!reference.startsWith('#')) return PREDEFINED.get(reference)
  // More than the longest is too large, whatever it is, except for zeros in front: it need not be exact.
  const isHexadecimal = reference.startsWith('#x')
  const point = isHexadecimal ? Number.parseInt(reference.slice(2), 16) : Number.parseInt(reference.slice(1), 10)
  if (isXmlCharacter(point)) return String.fromCodePoint(point)
  const message = `&${shorten(reference)}; is not a character that XML 1.0 allows`
  throw new UnplacedError(message, 'character-reference', 'WFC: Legal Character', offset)
}
