// Bytes as the text that source/kernel/embedded-bytes.ts decodes.

const CHARACTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).filter(
  (character) => !'"\'`$\\'.includes(character),
)
/** How many bytes have a character of their own. */
const SINGLE = CHARACTERS.length - 2

export function encodeBytes(bytes) {
  return Array.from(bytes, (byte) => {
    const prefix = CHARACTERS[SINGLE + Math.floor(byte / SINGLE) - 1]
    return byte < SINGLE ? CHARACTERS[byte] : prefix + CHARACTERS[byte % SINGLE]
  }).join('')
}
