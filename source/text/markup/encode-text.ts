// Text in the encodings in which documents are written. Some of them lack characters.

const encoder = new TextEncoder()

/** The last code point of Unicode: with it, an encoding has all characters. */
export const LAST_CODE_POINT = 0x10ffff

/** The first character after the last code point of an encoding, which then lacks it; undefined for none. */
export function findLacking(text: string, last: number): string | undefined {
  if (last === LAST_CODE_POINT) return undefined
  return Array.from(text).find((character) => (character.codePointAt(0) as number) > last)
}

/**
 * Text as bytes: in `utf-8`, `utf-16le`, `utf-16be`, or in an encoding with a byte for each of the first code points, such as `iso-8859-1` and `us-ascii`. The encoding must
 * have all characters. There is no byte order mark before them.
 */
export function encodeText(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return encoder.encode(text)
  const isWide = encoding.startsWith('utf-16')
  const bytes = new Uint8Array(isWide ? 2 * text.length : text.length)
  const [low, high] = encoding === 'utf-16be' ? [1, 0] : [0, 1]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (isWide) {
      bytes[2 * i + low] = unit & 255
      bytes[2 * i + high] = unit >>> 8
    } else bytes[i] = unit
  }
  return bytes
}
