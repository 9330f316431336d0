// What texts stand for that are written in a notation: with quotes and escapes.

import { isWellFormed } from '../../stream/chunk-encoder.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { Escapes, Notation } from '../syntax/expression.ts'
import type { Quotes } from './action.ts'

const PERCENT = 0x25
const BACKSLASH = 0x5c
const SLASH = 0x2f
const DOUBLE = 0x22
const SINGLE = 0x27
const BACKTICK = 0x60

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a text stands for; undefined if it is not written in the notation. */
export function readNotation(notation: Notation, text: string, quotes?: Quotes, escapes?: Escapes): string | undefined {
  const inner = withoutQuotes(text, quotes)
  if (inner !== undefined && notation === 'percent') return readPercent(inner)
  if (inner === undefined || escapes) return inner && readEscapes(inner, escapes as Escapes)
  if (notation === 'sql-string') return readDoubled(inner, quotes?.mark ?? "'")
  return notation === 'json-string' ? readJson(inner) : readC(inner)
}

/** 1 for bytes that may have another meaning than themselves: controls, which JSON has only as escapes, quotes, and the signs with which escapes begin. */
const SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) => {
  return Number(byte < 0x20 || [PERCENT, BACKSLASH, DOUBLE, SINGLE, BACKTICK].includes(byte))
})

/** Whether nothing between two offsets has another meaning than itself, so that the text in quotes is what it stands for. */
export function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  let special = 0
  for (let at = start; at < end; at++) special |= SPECIAL[bytes[at] as number] as number
  return special === 0
}

/** Bytes of the longest text that is read without general means. */
const LONGEST_SIMPLE = 4096
const simple = new Uint8Array(LONGEST_SIMPLE)

/** The text between two offsets, where an escape is a byte and one after it; undefined if it may have others, or is not written in the notation. */
export function readSimple(
  notation: Notation,
  bytes: Uint8Array,
  start: number,
  end: number,
  mark = "'",
): string | undefined {
  if (end - start > LONGEST_SIMPLE || notation === 'percent') return undefined
  const isDoubled = notation === 'sql-string'
  const sign = isDoubled ? mark.charCodeAt(0) : BACKSLASH
  let length = 0
  for (let at = start; at < end; at++) {
    let byte = bytes[at] as number
    if (byte === sign) {
      if (++at === end) return undefined
      byte = bytes[at] as number
      if (isDoubled ? byte !== sign : byte !== BACKSLASH && byte !== DOUBLE && byte !== SLASH) return undefined
    } else if (SPECIAL[byte] === 1 && byte !== PERCENT) return undefined
    simple[length++] = byte
  }
  return decodeUtf8(simple, 0, length)
}

/** Words for texts of a notation. */
export const NOTATION_WORDS: Readonly<Record<Notation, string>> = {
  'json-string': 'a string of JSON',
  'c-string': 'a string of C',
  'sql-string': 'a string of SQL',
  percent: 'text with percent-encoded bytes of UTF-8',
  escapes: 'a text in quotes',
}

/** Whatever is no escape stands for itself. */
function readEscapes(text: string, escapes: Escapes): string {
  if (!escapes.some(([written]) => text.includes(written))) return text
  let read = ''
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    const [written, meant] = escapes.find(([one]) => text.startsWith(one, at)) ?? [character, character]
    read += meant
    at += written.length
  }
  return read
}

function withoutQuotes(text: string, quotes: Quotes | undefined): string | undefined {
  if (!quotes || quotes.isOmitted) return text
  const { mark } = quotes
  return text.length >= 2 && text.startsWith(mark) && text.endsWith(mark) ? text.slice(1, -1) : undefined
}

/** Inside of the quotes, `text` has a backslash before each of them, so that the engine's own parser can read it. */
function readJson(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}

/** An escape of C (ISO/IEC 9899, 6.4.4.4, with `\e` of compilers) or of JSON (`\/`), or one that is none. */
const C_ESCAPE = /\\(?:([abefnrtv\\'"?/])|([0-7]{1,3})|x([0-9A-Fa-f]+)|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|)/g
const C_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

function readC(text: string): string | undefined {
  let isGood = true
  const read = text.replace(
    C_ESCAPE,
    (_all, letter?: string, octal?: string, hex?: string, short?: string, long?: string): string => {
      if (letter !== undefined) return C_LETTERS[letter] ?? letter
      const digits = hex ?? short ?? long
      const point = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(digits ?? '', 16)
      isGood &&= point <= 0x10ffff
      return isGood ? String.fromCodePoint(point) : ''
    },
  )
  return isGood && isWellFormed(read) ? read : undefined
}

/** A text in which a quotation mark is written twice (ISO/IEC 9075-2, 5.3; RFC 4180, section 2). */
function readDoubled(text: string, mark: string): string | undefined {
  let read = ''
  let from = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, from)) {
    if (text[at + 1] !== mark) return undefined
    read += text.slice(from, at + 1)
    from = at + 2
  }
  return read + text.slice(from)
}

/** A text in which bytes may be written as `%XX` (RFC 3986, section 2.1). */
function readPercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const bytes: number[] = []
  for (const [piece, hex] of text.matchAll(/%([0-9A-Fa-f]{2})|[^%]+/g)) {
    if (hex === undefined) for (const byte of encoder.encode(piece)) bytes.push(byte)
    else bytes.push(Number.parseInt(hex, 16))
  }
  try {
    return decoder.decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
