// Any names as names of XML, as ISO/IEC 9075-14 writes those of SQL (section 9.1): `_x0020_` for a blank. Two names never become one.

import { isNcName } from './xml-characters.ts'

/** Names that were asked for: in records, they come again and again. */
const known = new Map<string, string>()
const MOST_KNOWN = 1000

/**
 * A name as an NCName. A character that it cannot have there becomes `_x` with four or six hexadecimal digits and `_`. So do `_` before `x`, and the first character of
 * names that begin with `xml`. The empty name, which SQL does not have, becomes `_x_`.
 */
export function encodeName(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const encoded = encode(name)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, encoded)
  return encoded
}

function encode(name: string): string {
  if (name === '') return '_x_'
  if (isNcName(name) && !/_x|^xml/i.test(name)) return name
  const isReserved = /^xml/i.test(name)
  const characters = Array.from(name)
  return characters
    .map((character, i) => {
      const isAllowed = isNcName(i === 0 ? character : `_${character}`) && !(i === 0 && isReserved)
      const isEscape = character === '_' && characters[i + 1] === 'x'
      return isAllowed && !isEscape ? character : escapeCharacter(character)
    })
    .join('')
}

function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) as number).toString(16).toUpperCase()
  return `_x${digits.padStart(digits.length > 4 ? 6 : 4, '0')}_`
}
