// What stands in the content of elements and in the values of attributes: references, markup between texts, and what texts stand for.

import { appendUpTo, put } from './output'

export const AMPERSAND: u32 = 0x26
const HASH: u32 = 0x23

/** The bytes of `&lt;`, `&gt;`, `&amp;`, `&quot;` and `&apos;`. */
const LT: u64 = 0x3b746c26
const GT: u64 = 0x3b746726
const AMP: u64 = 0x3b706d6126
const QUOT: u64 = 0x3b746f757126
const APOS: u64 = 0x3b736f706126
/** `&??;`, which no document has. */
const REPLACED: u32 = 0x3b3f3f26

/**
 * Of a reference to a predefined entity: its length and, eight bits higher, what it stands for; 0 where none begins. Which one it is nobody
 * can predict, so that nothing here branches. Reads 8 bytes.
 */
function predefined(at: usize): u32 {
  const word = load<u64>(at)
  const four = word & 0xffffffff
  const six = word & 0xffffffffffff
  const short = <u32>(four == LT) * 0x3c04 + <u32>(four == GT) * 0x3e04 + <u32>((word & 0xffffffffff) == AMP) * 0x2605
  return short + <u32>(six == QUOT) * 0x2206 + <u32>(six == APOS) * 0x2706
}

/**
 * The code point that a reference stands for; -1 where it is to an entity that is not predefined, or to no character of XML 1.0, and where it is none
 * that begins with `&` and ends with `;`.
 */
export function referred(start: usize, end: usize): i32 {
  if (<u32>load<u8>(start, 1) != HASH) {
    const known = predefined(start)
    if ((known & 255) == <u32>(end - start)) return <i32>(known >>> 8)
    // What the host has written over a reference that it replaced (text/references.ts) stands for a question mark, as malformed text does.
    return load<u32>(start) == REPLACED ? 0x3f : -1
  }
  const isHexadecimal = load<u8>(start, 2) == 0x78
  const first = start + (isHexadecimal ? 3 : 2)
  if (first >= end - 1 || load<u8>(end - 1) != 0x3b) return -1
  let point: u32 = 0
  for (let at = first; at < end - 1; at++) {
    const byte = <u32>load<u8>(at)
    const letter = (byte | 0x20) - 0x61
    const digit = byte < 0x3a ? byte - 0x30 : letter < 6 && isHexadecimal ? letter + 10 : 16
    if (digit > 15) return -1
    point = isHexadecimal ? (point << 4) | digit : point * 10 + digit
    if (point > 0x10ffff) return -1
  }
  if (point < 0x20) return point == 9 || point == 10 || point == 13 ? <i32>point : -1
  return point < 0xd800 || (point > 0xdfff && point != 0xfffe && point != 0xffff) ? <i32>point : -1
}

/** Where a byte is, or `end`. */
export function findByte(from: usize, end: usize, byte: u8): usize {
  for (let at = from; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(byte)))
    if (mask != 0) return min(at + ctz(mask), end)
  }
  return end
}

/** After the first place where these three bytes stand, or `end`. */
function passThree(from: usize, end: usize, bytes: u32): usize {
  let at = from
  while (at < end) {
    at = findByte(at, end, <u8>bytes)
    if ((load<u32>(at) & 0xffffff) == bytes && at + 3 <= end) return at + 3
    at++
  }
  return end
}

/** After a tag, which ends at the first `>` that is in no value. */
function passTag(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x27)))
    const mask = i8x16.bitmask(v128.or(quotes, i8x16.eq(bytes, i8x16.splat(0x3e))))
    if (mask == 0) {
      at += 16
      continue
    }
    at += ctz(mask)
    const byte = load<u8>(at)
    if (byte == 0x3e) return at + 1
    at = findByte(at + 1, end, byte) + 1
  }
  return end
}

/** `[CD`, and what comments, instructions and sections end with. */
const SECTION: u32 = 0x44435b
const END_OF_SECTION: u32 = 0x3e5d5d
const END_OF_COMMENT: u32 = 0x3e2d2d
const SECTION_LENGTH: usize = 9

/** Whether what begins with `<` in content is a section: only that has text. */
// @ts-ignore: decorator
@inline function isSection(from: usize): bool {
  return load<u8>(from, 1) == 0x21 && (load<u32>(from, 2) & 0xffffff) == SECTION
}

/** The address after what begins with `<` in content. */
function passMarkup(from: usize, end: usize): usize {
  const kind = load<u8>(from, 1)
  if (kind == 0x3f) {
    for (let at = findByte(from + 2, end, 0x3f); at < end; at = findByte(at + 1, end, 0x3f)) {
      if (load<u8>(at, 1) == 0x3e) return at + 2
    }
    return end
  }
  if (kind != 0x21) return passTag(from + 1, end)
  if (!isSection(from)) return passThree(from + 4, end, END_OF_COMMENT)
  return passThree(from + SECTION_LENGTH, end, END_OF_SECTION)
}

// Bytes at which writing stops, as sets no two of which have the same lower half: at each lower half the byte of the set, or one of another half.

export const NO_STOPS = i8x16(1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
const VERBATIM_STOPS = i8x16(1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x0d, 1, 1)
const TEXT_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 1, 1, 1, 1, 0x0d, 1, 1)
const VALUE_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 0x09, 0x0a, 1, 1, 0x0d, 1, 1)
const CONTENT_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 1, 1, 1, 0x3c, 0x0d, 1, 1)

// @ts-ignore: decorator
@inline function stopsOf(kind: i32): v128 {
  if (kind == DECODE_CONTENT) return CONTENT_STOPS
  if (kind == DECODE_TEXT) return TEXT_STOPS
  if (kind == DECODE_VALUE) return VALUE_STOPS
  return kind == DECODE_VERBATIM ? VERBATIM_STOPS : NO_STOPS
}

/**
 * Writes what the text between two addresses stands for, without references that are not known here. Whether there are none of these. `kind` is one of
 * DECODE; output.ts, of which each kernel has its own, says in which form it is written.
 */
export function write(from: usize, end: usize, kind: i32): bool {
  const stops = stopsOf(kind)
  let areKnown = true
  let at = from
  while (true) {
    at = appendUpTo(at, end, stops)
    if (at >= end) return areKnown
    const byte = <u32>load<u8>(at)
    if (byte == 0x3c && kind == DECODE_CONTENT) {
      const next = passMarkup(at, end)
      if (isSection(at)) write(at + SECTION_LENGTH, next - 3, DECODE_VERBATIM)
      at = next
    } else if (byte == AMPERSAND && kind > DECODE_VERBATIM) {
      const after = findByte(at + 1, end, 0x3b) + 1
      const point = referred(at, after)
      if (point < 0) areKnown = false
      else put(point)
      at = after
    } else {
      let point = byte
      if (kind == DECODE_VALUE && byte < 0x20) point = 0x20
      else if (kind != DECODE_PLAIN && byte == 0x0d) point = 0x0a
      put(point)
      at += byte == 0x0d && point != byte && at + 1 < end && load<u8>(at, 1) == 0x0a ? 2 : 1
    }
  }
}
