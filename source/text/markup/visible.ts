// Characters as messages show them: those that nobody sees by their numbers, and how wide the others are in a terminal.

import { nameCharacter } from './xml-characters.ts'

/** What is drawn with the letters beside it: joiners, and selectors of variants. */
const JOINING = '\\u200c\\u200d\\ufe00-\\ufe0f'
/** Controls, characters that leave no mark, and white space that is not a blank. */
const UNMARKED = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}'
const UNSEEN = `[${UNMARKED}]|(?! )\\p{Zs}`
const UNSEEN_CHARACTER = new RegExp(`^(?![\\t\\n\\r])(?:${UNSEEN}|\\p{M})$`, 'u')
const UNSEEN_IN_TEXT = new RegExp(`(?![\\t\\n\\r]|(?<=[^\\0-\\x7f])[${JOINING}])(?:${UNSEEN})`, 'gu')
/** What a terminal draws nothing for, or obeys: it would move a caret below. Blanks stay. */
const UNDRAWN = new RegExp(`(?![${JOINING}])[${UNMARKED}]`, 'u')

/** Characters of no width: marks on the one before them, what joins it to the next one, and the later parts of a syllable of Hangul. */
const NARROW = new RegExp(`[\\p{Mn}\\p{Me}${JOINING}\\u1160-\\u11ff]`, 'u')
/**
 * Characters of two cells: W and F of Unicode's East Asian Width (UAX 11, EastAsianWidth.txt), where gaps without characters are filled. Of the emoji, all that
 * are drawn as such are wide; of flags, each half has one cell.
 */
const WIDE =
  /(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

/** A character in quotes, or its number if nobody would see it there. */
export function quoteCharacter(character: string): string {
  return UNSEEN_CHARACTER.test(character) ? nameCharacter(character) : JSON.stringify(character)
}

/** A text with `\u200b` and the like for what nobody would see. It keeps tabs and line ends. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN_IN_TEXT, (character) => {
    const digits = (character.codePointAt(0) as number).toString(16).padStart(4, '0')
    return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`
  })
}

/** A character of a line that has a caret below it: a picture or U+FFFD for one that is not drawn. */
export function drawCharacter(character: string): string {
  const point = character.codePointAt(0) as number
  if (character === '\t') return ' '
  if (point === 0x7f) return '\u2421'
  if (point < 0x20) return String.fromCharCode(0x2400 + point)
  return UNDRAWN.test(character) ? '\ufffd' : character
}

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}
