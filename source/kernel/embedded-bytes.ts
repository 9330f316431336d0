// Bytes as text, as they are embedded in modules: a character for each small byte, and two for the others. Compressed, that is a tenth smaller than
// hexadecimal and a third smaller than base64, because equal bytes look alike; and it is little more than half as long.
//
// Characters are those of ASCII that can be printed, in their order, except what would need a backslash in a string: quotes, `$` and `\`. The last two of
// them say that the next character stands for a byte that is 87 or 174 more than it stands for by itself. scripts/kernels/encode-bytes.mjs writes it.

const FIRST_CHARACTER = 0x21
const LAST_CHARACTER = 0x7e
const EXCLUDED = '"\'`$\\'
/** How many bytes have a character of their own. */
const SINGLE = 87

/** By the code of a character, the byte that it stands for; of the last two, `SINGLE` and the number after it. */
const values = new Uint8Array(LAST_CHARACTER + 1)

/** The bytes, in memory of their own. */
export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  if (values[LAST_CHARACTER] === 0) fillValues()
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const value = values[text.charCodeAt(i)] as number
    bytes[length++] = value < SINGLE ? value : (value - SINGLE + 1) * SINGLE + (values[text.charCodeAt(++i)] as number)
  }
  return bytes.slice(0, length)
}

function fillValues(): void {
  let value = 0
  for (let code = FIRST_CHARACTER; code <= LAST_CHARACTER; code++) {
    if (!EXCLUDED.includes(String.fromCharCode(code))) values[code] = value++
  }
}
