// Going over what the machine has recorded, so that the host has to look only at what is of interest to it: skipping parts, and writing
// out what texts stand for. Both are for records of XML; where an engine has neither, the host does the same by looking at each record.

import { AMPERSAND, findByte, HASH, isSection, passMarkup, predefined, referred, SECTION_LENGTH } from './content'

// @ts-ignore: decorator
@inline function register(index: i32): usize {
  return <usize>load<u32>(REGISTERS + (index << 2))
}

// @ts-ignore: decorator
@inline function roleOf(record: usize): i32 {
  return <i32>load<u8>(ROLES + (<usize>load<u32>(record) & 255))
}

const COLON: u32 = 0x3a
/** `XML`. */
const XML: u32 = 0x4c4d58

/** Whether a target is not `xml`, in any case, and has no colon. */
function isPlainTarget(start: usize, end: usize): bool {
  if (end - start == 3 && (load<u32>(start) & 0xdfdfdf) == XML) return false
  for (let at = start; at < end; at++) if (<u32>load<u8>(at) == COLON) return false
  return true
}

/**
 * Goes over records from one address to another as long as they need no look, and gives the address of the first record of the part that
 * does, or `end`. `depth` elements are open; where the one at the depth `floor` ends, that is to be looked at. What the depth is then
 * stands in SKIM_DEPTH.
 */
export function skim(from: usize, end: usize, depth: i32, floor: i32): usize {
  const shift = register(WINDOW) - register(WINDOW_START)
  const names = register(NAMES)
  let first = from
  let at = from
  for (; at < end; at += RECORD_SIZE) {
    const role = roleOf(at)
    if (role == ROLE_LITERAL) continue
    const start = <usize>load<u32>(at, 4) + shift
    const last = <usize>load<u32>(at, 8) + shift
    if (role == ROLE_HOLE) {
      if (<u32>load<u8>(start) == AMPERSAND && referred(start, last) == -1) break
      continue
    }
    if (role == ROLE_NAME) {
      if ((load<u32>(names + <usize>load<u32>(at, 12) * NAME_SIZE, 8) & 1) == 0) break
      continue
    }
    if (role == ROLE_OPEN) {
      depth++
    } else if (role == ROLE_CLOSE) {
      if (depth <= floor) break
      depth--
    } else if (role == ROLE_TARGET) {
      if (!isPlainTarget(start, last)) break
    } else if (role == ROLE_INSTRUCTION) {
      if (!isPlainTarget(<usize>load<u32>(first, 4) + shift, <usize>load<u32>(first, 8) + shift)) break
    } else if (role == ROLE_REFERENCE) {
      if (referred(start, last) == -1) break
    } else if (role == ROLE_LOOK) {
      break
    }
    first = at + RECORD_SIZE
  }
  store<u32>(REGISTERS + (SKIM_DEPTH << 2), depth)
  return first
}

/** Writes into the last word of each record of a start tag how many records later the record of the tag is that ends its element; 0 for none. */
export function link(from: usize, end: usize): void {
  // Tags that are open are chained: where the distance will stand, there stands the tag that was open before.
  let open: usize = 0
  for (let at = from; at < end; at += RECORD_SIZE) {
    const role = roleOf(at)
    if (role == ROLE_OPEN) {
      store<u32>(at, <u32>open, 12)
      open = at
    } else if (role == ROLE_CLOSE && open != 0) {
      const before = <usize>load<u32>(open, 12)
      store<u32>(open, <u32>((at - open) / RECORD_SIZE), 12)
      open = before
    }
  }
  while (open != 0) {
    const before = <usize>load<u32>(open, 12)
    store<u32>(open, 0, 12)
    open = before
  }
}

// Transcripts. As long as there is only ASCII, a unit is a byte; with the first character that is not, all become UTF-16.

let target: usize = 0
let units: usize = 0
let isWide = false

/** Makes units of two bytes of those that are there: from the end, so that none is overwritten before it is moved. */
function widen(): void {
  isWide = true
  let i = units
  while (i >= 16) {
    i -= 16
    const bytes = v128.load(target + i)
    v128.store(target + (i << 1), i16x8.extend_high_i8x16_u(bytes), 16)
    v128.store(target + (i << 1), i16x8.extend_low_i8x16_u(bytes))
  }
  while (i > 0) {
    i--
    store<u16>(target + (i << 1), <u16>load<u8>(target + i))
  }
}

/** Appends a code point. */
function put(point: u32): void {
  if (!isWide) {
    if (point < 0x80) {
      store<u8>(target + units, <u8>point)
      units++
      return
    }
    widen()
  }
  const to = target + (units << 1)
  if (point < 0x10000) {
    store<u16>(to, <u16>point)
    units++
  } else {
    store<u16>(to, <u16>(0xd7c0 + (point >>> 10)))
    store<u16>(to, <u16>(0xdc00 | (point & 0x3ff)), 2)
    units += 2
  }
}

/** Address of a table by which units move together when others are left out: for each set of eight the indices of the bytes that stay. */
const STAYING: usize = PROGRAM - 256 * 16

function makeTable(): void {
  for (let set: usize = 0; set < 256; set++) {
    let to = STAYING + (set << 4)
    for (let unit: usize = 0; unit < 8; unit++) {
      if (((set >> unit) & 1) == 0) continue
      store<u8>(to, <u8>(unit << 1))
      store<u8>(to, <u8>((unit << 1) | 1), 1)
      to += 2
    }
  }
}

makeTable()

/** What the units of continuing bytes have too much: the marks of the first byte, shifted, and their own. */
const MARKS: i16 = (0xc0 << 6) + 0x80

/** Units of bytes, where those of continuing bytes become those of their sequences of two; `before` are the units of the bytes before. */
// @ts-ignore: decorator
@inline function join(units: v128, before: v128, continuing: v128): v128 {
  return i16x8.add(units, v128.and(i16x8.sub(i16x8.shl(before, 6), i16x8.splat(MARKS)), continuing))
}

/** For sets of bytes no two of which have the same lower half: at each lower half the byte of the set, or one of another half. */
const NO_STOPS = i8x16(1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
/** `&`, a carriage return; in a value line feeds and tabs, in content `<`. */
const TEXT_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 1, 1, 1, 1, 0x0d, 1, 1)
const VALUE_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 0x09, 0x0a, 1, 1, 0x0d, 1, 1)
const VERBATIM_STOPS = i8x16(1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x0d, 1, 1)
const CONTENT_STOPS = i8x16(1, 0, 1, 1, 1, 1, 0x26, 1, 1, 1, 1, 1, 0x3c, 0x0d, 1, 1)

/** Where the 16 bytes are in a set. */
// @ts-ignore: decorator
@inline function findStops(bytes: v128, stops: v128): i32 {
  return i8x16.bitmask(i8x16.eq(i8x16.swizzle(stops, v128.and(bytes, i8x16.splat(15))), bytes))
}

/**
 * Appends well-formed text up to the first byte of a set, of ASCII alone, and gives the address of that; `end` where there is none. Reads and
 * writes up to 16 bytes and units more.
 */
function appendUpTo(from: usize, end: usize, stops: v128): usize {
  let at = from
  while (!isWide && at < end) {
    const bytes = v128.load(at)
    const others = i8x16.bitmask(bytes)
    const found = findStops(bytes, stops)
    const count = <usize>ctz(others | found | 0x10000)
    v128.store(target + units, bytes)
    if (at + count >= end) {
      units += end - at
      return end
    }
    units += count
    at += count
    if (count == 16) continue
    if (((found >>> <i32>count) & 1) != 0) return at
    widen()
  }
  let previous = i8x16.splat(0)
  while (at < end) {
    const bytes = v128.load(at)
    const others = i8x16.bitmask(bytes)
    const found = findStops(bytes, stops)
    const to = target + (units << 1)
    if ((others | found) == 0) {
      v128.store(to, i16x8.extend_low_i8x16_u(bytes))
      v128.store(to, i16x8.extend_high_i8x16_u(bytes), 16)
      const count = min(end - at, 16)
      units += count
      at += count
      continue
    }
    // Sequences of one byte and of two; their units stand where they end, so that one may be cut between two vectors. The next address
    // depends on nothing that is in this one, unless something ends it.
    const ending = i8x16.bitmask(i8x16.gt_u(bytes, i8x16.splat(-33))) | found
    const count = min(ctz(ending | 0x10000), <i32>(end - at))
    const continuing = i8x16.lt_s(bytes, i8x16.splat(-64))
    const before = i8x16.shuffle(previous, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
    const firsts = others & ~i8x16.bitmask(continuing)
    const staying = ~firsts & ((1 << count) - 1)
    const low = join(
      i16x8.extend_low_i8x16_u(bytes),
      i16x8.extend_low_i8x16_u(before),
      i16x8.extend_low_i8x16_s(continuing),
    )
    const high = join(
      i16x8.extend_high_i8x16_u(bytes),
      i16x8.extend_high_i8x16_u(before),
      i16x8.extend_high_i8x16_s(continuing),
    )
    v128.store(to, i8x16.swizzle(low, v128.load(STAYING + (<usize>(staying & 255) << 4))))
    const lowCount = <usize>popcnt(staying & 255)
    v128.store(to + (lowCount << 1), i8x16.swizzle(high, v128.load(STAYING + (<usize>(staying >> 8) << 4))))
    units += lowCount + <usize>popcnt(staying >> 8)
    if (ending == 0) {
      previous = bytes
      at += 16
      continue
    }
    previous = i8x16.splat(0)
    at += count
    if (at >= end || ((found >>> count) & 1) != 0) break
    while (at < end) {
      const first = <u32>load<u8>(at)
      if (first < 0xe0) break
      if (first < 0xf0) {
        const rest = ((<u32>load<u8>(at, 1) & 63) << 6) | (<u32>load<u8>(at, 2) & 63)
        store<u16>(target + (units << 1), <u16>(((first & 15) << 12) | rest))
        units++
        at += 3
      } else {
        const middle = ((<u32>load<u8>(at, 1) & 63) << 12) | ((<u32>load<u8>(at, 2) & 63) << 6)
        put(((first & 7) << 18) | middle | (<u32>load<u8>(at, 3) & 63))
        at += 4
      }
    }
  }
  return min(at, end)
}

/** Appends well-formed text. */
// @ts-ignore: decorator
@inline function append(from: usize, end: usize): void {
  appendUpTo(from, end, NO_STOPS)
}

/**
 * What stands for a text that is a line feed and then only spaces, or only tabs, 31 at the most: two for each of them, and one more for
 * tabs; -1 for other texts. Between tags nearly all texts are such. Reads up to 33 bytes from `start` on.
 */
// @ts-ignore: decorator
@inline function indentOf(start: usize, end: usize): i32 {
  const count = <i32>(end - start) - 1
  if (count < 0 || count > 31 || <u32>load<u8>(start) != 0x0a) return -1
  const isTab = <u32>load<u8>(start, 1) == 0x09
  const blank = i8x16.splat(isTab ? 0x09 : 0x20)
  const blanks = i8x16.bitmask(i8x16.eq(v128.load(start, 1), blank)) | (i8x16.bitmask(i8x16.eq(v128.load(start, 17), blank)) << 16)
  return ctz(~blanks) >= count ? (count << 1) | <i32>(isTab && count > 0) : -1
}

/** Whether the records after a text are those of a section. */
function isSectionNext(from: usize, end: usize): bool {
  let at = from
  while (at < end && roleOf(at) == ROLE_HOLE) at += RECORD_SIZE
  const part = at + RECORD_SIZE
  return part < end && roleOf(at) == ROLE_LITERAL && roleOf(part) == ROLE_SECTION
}

/**
 * Writes out what the literals and texts among the records from one address to another stand for, one after the other, and gives the
 * number of units. In the record of each, its last word becomes the unit at which it begins, and the upper 24 bits of its first one how
 * many they are; the last word is -1 where a reference in it is one that the host has to follow, and -2 less what indentOf says where the
 * text is such a one, which is not written out, unless it is one with that of a section. The register UNITS says how many bytes a unit has.
 */
export function transcribe(from: usize, end: usize, to: usize): usize {
  const shift = register(WINDOW) - register(WINDOW_START)
  target = to
  units = 0
  isWide = false
  let hole: usize = 0
  let isValue = false
  let isBehindSection = false
  for (let at = from; at < end; at += RECORD_SIZE) {
    const role = roleOf(at)
    if (role == ROLE_HOLE) {
      if (hole == 0) hole = at
      continue
    }
    if (role != ROLE_LITERAL && role != ROLE_TEXT) {
      isValue = role == ROLE_NAME
      isBehindSection = role == ROLE_SECTION
      hole = 0
      continue
    }
    const before = units
    let text = <usize>load<u32>(at, 4) + shift
    if (role == ROLE_TEXT && hole == 0 && !isBehindSection && !isSectionNext(at + RECORD_SIZE, end)) {
      const indent = indentOf(text, <usize>load<u32>(at, 8) + shift)
      if (indent != -1) {
        store<u32>(at, -2 - indent, 12)
        continue
      }
    }
    let isKnown = true
    if (hole != 0) {
      for (; hole < at; hole += RECORD_SIZE) {
        const start = <usize>load<u32>(hole, 4) + shift
        const holeEnd = <usize>load<u32>(hole, 8) + shift
        const point = <u32>load<u8>(start) == AMPERSAND ? referred(start, holeEnd) : isValue ? 0x20 : 0x0a
        if (point < 0) {
          isKnown = false
          break
        }
        append(text, start)
        put(<u32>point)
        text = holeEnd
      }
      hole = 0
    }
    if (isKnown) append(text, <usize>load<u32>(at, 8) + shift)
    else units = before
    store<u32>(at, load<u32>(at) | (<u32>(units - before) << 8))
    store<u32>(at, isKnown ? <u32>before : -1, 12)
  }
  store<u32>(REGISTERS + (UNITS << 2), isWide ? 2 : 1)
  return units
}

/** What the text may hold of each kind that stands for something else. */
// @ts-ignore: decorator
@inline function stopsOf(kind: i32): v128 {
  if (kind == DECODE_CONTENT) return CONTENT_STOPS
  if (kind == DECODE_TEXT) return TEXT_STOPS
  if (kind == DECODE_VALUE) return VALUE_STOPS
  return kind == DECODE_VERBATIM ? VERBATIM_STOPS : NO_STOPS
}

/** Appends what the text between two addresses stands for. */
function write(from: usize, end: usize, kind: i32): void {
  const stops = stopsOf(kind)
  let at = from
  while (true) {
    at = appendUpTo(at, end, stops)
    if (at == end) break
    const byte = <u32>load<u8>(at)
    if (byte == 0x3c) {
      const next = passMarkup(at, end)
      if (isSection(at)) write(at + SECTION_LENGTH, next - 3, DECODE_VERBATIM)
      at = next
    } else if (byte == AMPERSAND) {
      const known = predefined(at)
      if (known != 0 && at + <usize>(known & 255) <= end) {
        put(known >>> 8)
        at += known & 255
        continue
      }
      const semicolon = findByte(at + 1, end, 0x3b)
      const point = referred(at, semicolon + 1)
      // In content, the host was told what other references stand for.
      if (point >= 0 || kind != DECODE_CONTENT) put(point < 0 ? AMPERSAND : <u32>point)
      at = point < 0 && kind != DECODE_CONTENT ? at + 1 : semicolon + 1
    } else {
      put(kind == DECODE_VALUE ? 0x20 : 0x0a)
      at += byte == 0x0d && at + 1 < end && load<u8>(at, 1) == 0x0a ? 2 : 1
    }
  }
}

/**
 * Writes out what the text between two addresses stands for, and gives the number of units; the register UNITS says how many bytes each
 * has. References in it are to characters and predefined entities, except for content, where others stand for nothing; `kind` is one of
 * DECODE. With 0 for the address `to` it continues after what the last call wrote, and counts that, too.
 */
export function decode(from: usize, end: usize, to: usize, kind: i32): usize {
  if (to != 0) {
    target = to
    units = 0
    isWide = false
  }
  write(from, end, kind)
  store<u32>(REGISTERS + (UNITS << 2), isWide ? 2 : 1)
  return units
}
