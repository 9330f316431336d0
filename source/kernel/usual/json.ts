// Text and values of attributes of XML as the insides of JSON strings (RFC 8259, section 7), or as they are, in UTF-8.

import { BACKSLASH, putEscaped, QUOTE } from './escape'

const AMPERSAND: u32 = 0x26
/** References to what is predefined, as numbers in the order of memory. */
const WORD_LT: u64 = 0x3b746c26
const WORD_GT: u64 = 0x3b746726
const WORD_AMP: u64 = 0x3b706d6126
const WORD_QUOT: u64 = 0x3b746f757126
const WORD_APOS: u64 = 0x3b736f706126

/** Whether what was written since this was set to false has references to what is not predefined, or none where an ampersand is. */
export let isFaulty = false

export function beginWriting(): void {
  isFaulty = false
}

/** After the reference that was read last. */
let behind: usize = 0

/** The character that a reference stands for, which begins at `at` and ends before `end`; -1 where it is not one, or not predefined. */
function readReference(at: usize, end: usize): i32 {
  const word = load<u64>(at)
  if ((word & 0xffffffff) == WORD_LT) {
    behind = at + 4
    return 0x3c
  }
  if ((word & 0xffffffff) == WORD_GT) {
    behind = at + 4
    return 0x3e
  }
  if ((word & 0xffffffffff) == WORD_AMP) {
    behind = at + 5
    return 0x26
  }
  if ((word & 0xffffffffffff) == WORD_QUOT) {
    behind = at + 6
    return 0x22
  }
  if ((word & 0xffffffffffff) == WORD_APOS) {
    behind = at + 6
    return 0x27
  }
  return <u32>load<u8>(at, 1) == 0x23 ? readNumber(at + 2, end) : -1
}

/** Whether all references between two addresses are to what is predefined. */
export function areReferencesGood(from: usize, end: usize): bool {
  for (let at = from; at < end; ) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>AMPERSAND)))
    if (mask == 0) {
      at += 16
      continue
    }
    at += ctz(mask)
    if (at >= end) break
    if (readReference(at, end) < 0 || behind > end) return false
    at = behind
  }
  return true
}

/** The same of a reference to a character by its number (XML 1.0, section 4.1), which begins at `at`. */
function readNumber(start: usize, end: usize): i32 {
  const isHexadecimal = <u32>load<u8>(start) == 0x78
  const first = isHexadecimal ? start + 1 : start
  let point: u32 = 0
  for (let at = first; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x3b && at > first) {
      behind = at + 1
      if (point < 0x20) return point == 9 || point == 10 || point == 13 ? <i32>point : -1
      return point < 0xd800 || (point > 0xdfff && point != 0xfffe && point != 0xffff) ? <i32>point : -1
    }
    const lower = byte | 0x20
    const digit = byte - 0x30 < 10 ? byte - 0x30 : isHexadecimal && lower - 0x61 < 6 ? lower - 0x57 : 16
    if (digit == 16) return -1
    point = isHexadecimal ? (point << 4) | digit : point * 10 + digit
    if (point > 0x10ffff) return -1
  }
  return -1
}

/** Writes a code point, with the escapes of JSON or without. */
function putPoint(point: u32, to: usize, isJson: bool): usize {
  if (isJson || point >= 0x80) return putEscaped(point, to)
  store<u8>(to, <u8>point)
  return to + 1
}

/**
 * Writes what the text between two addresses stands for, and gives the address after it: as the inside of a JSON string, or as it is. What is written is
 * at most twice as long; up to 16 bytes more are touched. `isValue`: it is that of an attribute (XML 1.0, section 3.3.3), else content (section 2.11).
 */
export function writeText(from: usize, end: usize, to: usize, isValue: bool, isJson: bool): usize {
  // What cannot be found: characters below 32 are marked anyway.
  const quotes = i8x16.splat(isJson ? <i8>QUOTE : 0)
  const backslashes = i8x16.splat(isJson ? <i8>BACKSLASH : 0)
  const ampersands = i8x16.splat(<i8>AMPERSAND)
  const blank = i8x16.splat(0x20)
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const marks = v128.or(
      v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)),
      v128.or(i8x16.eq(bytes, ampersands), i8x16.lt_u(bytes, blank)),
    )
    const mask = i8x16.bitmask(marks)
    // A branch of its own: the next address is then known before the bytes are.
    if (mask == 0) {
      const plain = min<usize>(16, end - at)
      at += plain
      to += plain
      continue
    }
    const plain = min<usize>(ctz(mask), end - at)
    at += plain
    to += plain
    if (at >= end) break
    const byte = <u32>load<u8>(at)
    if (byte == AMPERSAND) {
      const point = readReference(at, end)
      if (point < 0 || behind > end) {
        isFaulty = true
        return to
      }
      to = putPoint(<u32>point, to, isJson)
      at = behind
    } else if (byte == 0x0d) {
      to = putPoint(isValue ? 0x20 : 0x0a, to, isJson)
      at += at + 1 < end && load<u8>(at, 1) == 0x0a ? 2 : 1
    } else {
      to = putPoint(isValue && byte < 0x20 ? 0x20 : byte, to, isJson)
      at++
    }
  }
  return to
}
