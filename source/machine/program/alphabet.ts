// Which code points the input of a grammar may have, in plain TypeScript: the twin of what machine/kernel/text.ts does.

/**
 * The index of the first byte of the first code point that XML 1.0 excludes (section 2.2, Char), or -1. The text is
 * well-formed UTF-8.
 */
export function findNoXmlCharacter(bytes: Uint8Array): number {
  return bytes.findIndex((byte, index) => {
    if (byte < 0x20) return byte !== 9 && byte !== 10 && byte !== 13
    return byte === 0xef && bytes[index + 1] === 0xbf && (bytes[index + 2] as number) >= 0xbe // U+FFFE and U+FFFF
  })
}
