// Classes of characters that have a letter: `\d`, `\s` and `\w`, and `\D`, `\S` and `\W` for all others. They are those of JavaScript with the flag `u`
// (ECMA-262, CharacterClassEscape).

import type { CodePointRange } from './expression.ts'

const LAST = 0x10ffff
/** The first and the last code point of each range, in their order. */
const CLASSES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  d: [[0x30, 0x39]],
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
}

/** The ranges of a class, by its letter. */
export function rangesOf(letter: string): CodePointRange[] {
  const ranges = (CLASSES[letter.toLowerCase()] ?? []).map(([first, last]) => ({ first, last }))
  if (letter === letter.toLowerCase()) return ranges
  const starts = [0, ...ranges.map(({ last }) => last + 1)]
  return starts.map((first, i) => ({ first, last: (ranges[i]?.first ?? LAST + 1) - 1 }))
}
