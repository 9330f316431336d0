// Going over what the machine has recorded, so that the host has to look only at what is of interest to it: skipping parts, and writing
// out what texts stand for. Both are for records of XML; where an engine has neither, the host does the same by looking at each record.

import { AMPERSAND, NO_STOPS, referred, write } from './content'
import { appendUpTo, begin, cut, put, units, unitSize } from './output'

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
  begin(to)
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
        appendUpTo(text, start, NO_STOPS)
        put(<u32>point)
        text = holeEnd
      }
      hole = 0
    }
    if (isKnown) appendUpTo(text, <usize>load<u32>(at, 8) + shift, NO_STOPS)
    else cut(before)
    store<u32>(at, load<u32>(at) | (<u32>(units - before) << 8))
    store<u32>(at, isKnown ? <u32>before : -1, 12)
  }
  store<u32>(REGISTERS + (UNITS << 2), unitSize())
  return units
}

/**
 * Writes out what the text between two addresses stands for, and gives the number of units; the register UNITS says how many bytes each
 * has. References in it are to characters and predefined entities, except for content, where others stand for nothing; `kind` is one of
 * DECODE. With 0 for the address `to` it continues after what the last call wrote, and counts that, too.
 */
export function decode(from: usize, end: usize, to: usize, kind: i32): usize {
  if (to != 0) begin(to)
  write(from, end, kind)
  store<u32>(REGISTERS + (UNITS << 2), unitSize())
  return units
}
