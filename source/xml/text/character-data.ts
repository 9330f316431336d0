// Text of XML that lies in memory of JavaScript, as a string, without a kernel.

import { Decode } from '../../machine/program/registers.ts'
import { decodeUtf8 } from '../../text/units.ts'
import { standsFor } from './references.ts'

/** What a text may hold besides characters. */
export type TextKind = (typeof Decode)[keyof typeof Decode]

/** What text of each kind has that does not stand for itself: line ends or blanks, references, and in content markup. */
const HOLES: Readonly<Record<TextKind, RegExp | undefined>> = {
  [Decode.PLAIN]: undefined,
  [Decode.VERBATIM]: /\r\n?/g,
  [Decode.TEXT]: /\r\n?|&[^;]*;/g,
  [Decode.VALUE]: /\r\n|[\r\n\t]|&[^;]*;/g,
  [Decode.CONTENT]:
    /\r\n?|&[^;]*;|<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\?.*?\?>|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/gs,
}

/**
 * What the bytes from one index to another stand for, decoded without a kernel; also of well-formed content. With line ends as they are where they are
 * not to be normalised.
 */
export function decodePlainly(
  bytes: Uint8Array,
  from: number,
  to: number,
  kind: TextKind,
  normalizesLineEnds = true,
): string {
  return fill(decodeUtf8(bytes, from, to), kind, normalizesLineEnds)
}

function fill(text: string, kind: TextKind, normalizesLineEnds: boolean): string {
  const holes = HOLES[kind]
  // To look for one character of several takes less than half of what looking for all holes takes.
  if (!holes || !/[\t\n\r&<]/.test(text)) return text
  return text.replace(holes, (hole, section?: string) => {
    // What declared entities stand for is known to the host, and markup stands for nothing besides the text of sections.
    if (hole.startsWith('&')) return standsFor(hole.slice(1, -1)) ?? ''
    if (hole.startsWith('<')) return fill(section ?? '', Decode.VERBATIM, normalizesLineEnds)
    return kind === Decode.VALUE ? ' ' : normalizesLineEnds ? '\n' : hole
  })
}
