// Texts in declarations.

/** A literal type, with everything that is not ASCII escaped. */
export function quote(text: string): string {
  const escaped = Array.from(text, (character) => {
    const point = character.codePointAt(0) as number
    if (character === "'" || character === '\\') return `\\${character}`
    return point < 0x20 || point > 0x7e ? `\\u{${point.toString(16)}}` : character
  })
  return `'${escaped.join('')}'`
}
