// UTF-8 as the Unicode Standard defines it (version 16, table 3-7, "Well-Formed UTF-8 Byte Sequences").

/**
 * How many bytes the sequence at `index` has: 1 to 4. 0: it is ill-formed. -1: it is well-formed as far as it goes, but cut off
 * by the end of the bytes.
 */
export function sequenceLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] as number
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  // The second byte's range depends on the first: no overlong forms, no surrogates, nothing above U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  for (let i = 1; i < length; i++) {
    const next = bytes[index + i]
    if (next === undefined) return -1
    if (next < (i === 1 ? least : 0x80) || next > (i === 1 ? most : 0xbf)) return 0
  }
  return length
}

/** The index of the first byte of the first sequence that is ill-formed or cut off, or -1 when all is well. */
export function findMalformed(bytes: Uint8Array): number {
  let index = 0
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index)
    if (length <= 0) return index
    index += length
  }
  return -1
}

/** The index where a sequence begins that the end of the bytes cuts off, or `bytes.length` when none is cut. */
export function findCutSequence(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const index = bytes.length - back
    const isContinuation = ((bytes[index] as number) & 0xc0) === 0x80
    if (!isContinuation) return sequenceLength(bytes, index) === -1 ? index : bytes.length
  }
  return bytes.length
}

/** How many bytes the UTF-16 units from `start` to `end` take in UTF-8. The range must not cut a surrogate pair. */
export function utf8Length(text: string, start: number, end: number): number {
  let length = end - start
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    // A surrogate is half of a sequence of four bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return length
}

/** How many UTF-16 units well-formed UTF-8 decodes to. */
export function utf16Length(bytes: Uint8Array): number {
  let length = 0
  // By index: an iterator takes ten times as long where it is not optimized away.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if ((byte & 0xc0) !== 0x80) length += byte < 0xf0 ? 1 : 2
  }
  return length
}
