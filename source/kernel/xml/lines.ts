// What was found, as JSON in UTF-8: exactly what `JSON.stringify` makes of the record. What is to be written is a table of columns
// (xml/output/line-form.ts). A record that has something else is declined: then the host writes it.

import { AMPERSAND, findByte, isSection, passMarkup, predefined, referred, SECTION_LENGTH } from './content'
import { BACKSLASH, putEscaped, QUOTE } from './escape'
import { captureAt, firstEntry, foundAt, listOf, offsetAddress, wordAt } from './project'

export const COLUMN_BYTES: usize = COLUMN_WORDS << 2

export const LARGEST_TEXT_KIND: f64 = 4

/** Why a record is not written. */
export const DECLINED: i32 = 1
export const NO_ROOM: i32 = 2
export const WRITTEN: i32 = 0
/** There is nothing to be written. */
export const NOTHING: i32 = 3

const NULL: u32 = 0x6c6c756e
export const TRUE: u32 = 0x65757274
const COMMA: u8 = 0x2c
export const MINUS: u8 = 0x2d
export const POINT: u8 = 0x2e
export const ZERO: u8 = 0x30
/** Digits that a number of JavaScript keeps. */
const MOST_DIGITS: usize = 15

let to: usize = 0
let limit: usize = 0
/** What is noted of the record that is being written. */
let notes: u32 = 0

/** The first entry of the list at an address; 0 for none. */
// @ts-ignore: decorator
@inline function valueOf(list: usize): u32 {
  const entry = <u32>load<f64>(list)
  return entry != 0 && load<f64>(captureAt(entry)) == <f64>KIND_ABSENT ? 0 : entry
}

/** Whether an entry was made before the kernel was called, and is not in its memory. */
// @ts-ignore: decorator
@inline function isOfHost(entry: u32): bool {
  return entry < firstEntry
}

/** Whether a column lies in a record around that the host has found. */
function isForHost(lists: usize, column: usize): bool {
  if ((load<u32>(column, COLUMN_FLAGS) & COLUMN_FLAG_AROUND) == 0) return false
  const entry = <u32>load<f64>(lists + (<usize>load<u32>(column, COLUMN_STEPS) << 4))
  return entry != 0 && isOfHost(entry)
}

/** The entry to which so many steps of a column lead, from a record whose lists begin at an address; 0 for none. */
function follow(lists: usize, column: usize, steps: u32): u32 {
  const list = lists + (<usize>load<u32>(column, COLUMN_STEPS) << 4)
  let entry = isOfHost(<u32>load<f64>(list)) ? 0 : valueOf(list)
  for (let i: u32 = 1; i < steps && entry != 0; i++) {
    entry = valueOf(listOf(entry, load<u32>(column + (<usize>i << 2), COLUMN_STEPS)))
  }
  return entry
}

/** The same of all steps. */
export function entryIn(lists: usize, column: usize): u32 {
  return follow(lists, column, load<u32>(column, COLUMN_STEP_COUNT))
}

/** Whether there is the record that the last field of a column is one of. */
function hasRecord(lists: usize, column: usize): bool {
  const steps = load<u32>(column, COLUMN_STEP_COUNT)
  return steps == 1 || follow(lists, column, steps - 1) != 0
}

/** Writes bytes: mostly few, for which a call would take longer. Up to 15 more are read and written. */
function putBytes(from: usize, length: usize): bool {
  if (to + length + 16 > limit) return false
  v128.store(to, v128.load(from))
  for (let done: usize = 16; done < length; done += 16) v128.store(to + done, v128.load(from + done))
  to += length
  return true
}

/** A whole number that JavaScript writes in the same way. */
export function isInteger(from: usize, end: usize): bool {
  const first = load<u8>(from) == MINUS ? from + 1 : from
  const length = end - first
  if (end <= first || length > MOST_DIGITS || (load<u8>(first) == ZERO && (length > 1 || first > from))) return false
  for (let at = first; at < end; at++) if (<u32>load<u8>(at) - ZERO > 9) return false
  return true
}

/** The same of a number with a point in it. */
export function isNumber(from: usize, end: usize): bool {
  let point = from
  while (point < end && load<u8>(point) != POINT) point++
  if (point == end) return isInteger(from, end)
  const first = load<u8>(from) == MINUS ? from + 1 : from
  const whole = point - first
  const fraction = end - point - 1
  if (point <= first || fraction == 0 || whole + fraction > MOST_DIGITS || load<u8>(end - 1) == ZERO) return false
  if (load<u8>(first) == ZERO && whole > 1) return false
  for (let at = first; at < end; at++) if (at != point && <u32>load<u8>(at) - ZERO > 9) return false
  // Less than a millionth is written in another way.
  if (load<u8>(first) != ZERO) return true
  for (let at = point + 1; at < end && at < point + 7; at++) if (load<u8>(at) != ZERO) return true
  return false
}

/** Writes a value that is a capture. */
function putValue(column: usize, entry: u32): i32 {
  const as = load<u32>(column)
  const capture = captureAt(entry)
  if (as == AS_OBJECT) return putObject(entry, load<u32>(column, COLUMN_INNER), load<u32>(column, COLUMN_INNER_COUNT))
  if (to + 32 > limit) return NO_ROOM
  if (as == AS_OFFSET) {
    putDigits(load<f64>(capture, CAPTURE_ORIGIN))
    return WRITTEN
  }
  const isText = load<f64>(capture) <= LARGEST_TEXT_KIND
  const mayBeAbsent = load<f64>(capture, CAPTURE_MARK) != 0
  if (as == AS_TRUE) {
    if (isText && mayBeAbsent) return DECLINED
    store<u32>(to, TRUE)
    to += 4
    return WRITTEN
  }
  if (!isText) return DECLINED
  const from = offsetAddress(load<f64>(capture, CAPTURE_FROM))
  const end = offsetAddress(load<f64>(capture, CAPTURE_END))
  if (as == AS_SEEN && (!mayBeAbsent || (end > from && load<u8>(from) != 0x3c && load<u8>(from) != <u8>AMPERSAND))) return WRITTEN
  if (as == AS_TEXT || as == AS_SEEN) {
    if (mayBeAbsent && from == end) return NOTHING
    if (to + 2 * (end - from) + 32 > limit) return NO_ROOM
    store<u8>(to, <u8>QUOTE)
    const begun = to + 1
    to = writeText(from, end, begun, <i32>load<f64>(capture), true)
    if (mayBeAbsent && to == begun) return NOTHING
    store<u8>(to, <u8>QUOTE)
    to++
    return WRITTEN
  }
  const length = end - from
  if (mayBeAbsent && length == 0) return NOTHING
  if (as == AS_BOOLEAN) {
    if (length == 4 && load<u32>(from) == TRUE) return putBytes(from, 4) ? WRITTEN : NO_ROOM
    if (length == 5 && load<u32>(from) == 0x736c6166 && load<u8>(from, 4) == 0x65) return putBytes(from, 5) ? WRITTEN : NO_ROOM
    return DECLINED
  }
  if (!(as == AS_INTEGER ? isInteger(from, end) : isNumber(from, end))) return DECLINED
  return putBytes(from, length) ? WRITTEN : NO_ROOM
}

/** Notes that the value of a column is there. */
function note(column: usize, entry: u32): void {
  const flags = load<u32>(column, COLUMN_FLAGS)
  if ((flags & COLUMN_FLAG_NOTED) == 0) return
  let bit: u32 = 1 << (flags >>> <u32>NOTE_SHIFT)
  if (load<u32>(column) == AS_INTEGER) {
    const first = load<u8>(offsetAddress(load<f64>(captureAt(entry), CAPTURE_FROM)))
    if (first == ZERO) return
    if (first == MINUS) bit <<= 1
  }
  notes |= bit
}

/** Writes a whole number that is not negative. */
function putDigits(number: f64): void {
  let left = <u64>number
  let digits: usize = 1
  for (let rest = left / 10; rest > 0; rest /= 10) digits++
  for (let at = to + digits; at > to; left /= 10) {
    at--
    store<u8>(at, <u8>(ZERO + left % 10))
  }
  to += digits
}

/** Writes all values of a field, each as a column says. */
function putList(column: usize, first: u32): i32 {
  if (to + 2 > limit) return NO_ROOM
  store<u8>(to++, 0x5b)
  for (let entry = first; entry != 0; entry = <u32>load<f64>(captureAt(entry), CAPTURE_NEXT)) {
    if (load<f64>(captureAt(entry)) == <f64>KIND_ABSENT || load<f64>(captureAt(entry), CAPTURE_MARK) != 0) return DECLINED
    if (entry != first) store<u8>(to++, COMMA)
    const outcome = putValue(column, entry)
    if (outcome != WRITTEN) return outcome
    if (to + 2 > limit) return NO_ROOM
  }
  store<u8>(to++, 0x5d)
  return WRITTEN
}

/** Writes columns of a record, each with its key before it, and all but the first with a comma before that. */
function putColumns(record: u32, columns: u32, count: u32): i32 {
  let isFirst = true
  const lists = listOf(record, 0)
  let column = wordAt(columns)
  for (let left = count; left > 0; left--, column += COLUMN_BYTES) {
    const as = load<u32>(column)
    const flags = load<u32>(column, COLUMN_FLAGS)
    if (isForHost(lists, column)) continue
    const entry = entryIn(lists, column)
    if (as == AS_REFUSED) {
      if (entry != 0) return DECLINED
      continue
    }
    const begun = to
    const skipped: usize = isFirst ? 1 : 0
    const isList = (flags & COLUMN_FLAG_ALL) != 0 && (entry != 0 || hasRecord(lists, column))
    if (entry != 0 || isList || (flags & COLUMN_FLAG_NULL) != 0) {
      if (!putBytes(wordAt(load<u32>(column, COLUMN_KEY)) + skipped, <usize>load<u32>(column, COLUMN_KEY_LENGTH) - skipped)) return NO_ROOM
    }
    let outcome = NOTHING
    if (isList) outcome = putList(column, entry)
    else if (entry != 0) outcome = putValue(column, entry)
    if (outcome == WRITTEN && entry != 0) note(column, entry)
    if ((flags & COLUMN_FLAG_SILENT) != 0) {
      if (outcome == NOTHING && (flags & COLUMN_FLAG_REQUIRED) != 0) return DECLINED
      if (outcome != NOTHING && outcome != WRITTEN) return outcome
      to = begun
      continue
    }
    if (outcome == NOTHING) {
      if ((flags & COLUMN_FLAG_REQUIRED) != 0) return DECLINED
      if ((flags & COLUMN_FLAG_NULL) == 0) {
        to = begun
        continue
      }
      if (begun + 4 > limit) return NO_ROOM
      to = begun + <usize>load<u32>(column, COLUMN_KEY_LENGTH) - skipped
      if (to + 4 > limit) return NO_ROOM
      store<u32>(to, NULL)
      to += 4
      outcome = WRITTEN
    } else if (outcome == WRITTEN && (flags & COLUMN_FLAG_ENDS) != 0) {
      return WRITTEN
    }
    if (outcome != WRITTEN) return outcome
    isFirst = false
  }
  return WRITTEN
}

function putObject(record: u32, columns: u32, count: u32): i32 {
  if (to + 2 > limit) return NO_ROOM
  store<u8>(to++, 0x7b)
  const outcome = putColumns(record, columns, count)
  if (outcome != WRITTEN) return outcome
  if (to + 1 > limit) return NO_ROOM
  store<u8>(to++, 0x7d)
  return WRITTEN
}

/** What a line is: an object, or a row of one of two kinds. Rows may be safe from being taken for formulas. */
const AS_OBJECT_LINE: u32 = 1
const AS_COMMA_ROW: u32 = 2
const AS_TAB_ROW: u32 = 3
const IS_SAFE: u32 = 4
const CARRIAGE_RETURN: u8 = 0x0d
const LINE_FEED: u8 = 0x0a
const TAB: u8 = 0x09

/** Whether a cell could be taken for a formula that begins with a byte. */
function isFormula(byte: u8): bool {
  return byte == 0x3d || byte == 0x2b || byte == 0x2d || byte == 0x40 || byte == TAB || byte == CARRIAGE_RETURN || byte == LINE_FEED
}

/** What stands for a byte in a cell of a row with tabs, after a backslash; 0 if it stands for itself. */
function tabEscape(byte: u8): u8 {
  if (byte == <u8>BACKSLASH) return byte
  return byte == TAB ? 0x74 : byte == LINE_FEED ? 0x6e : byte == CARRIAGE_RETURN ? 0x72 : 0
}

/** Makes a cell of what was written from an address on. False if there is no room. */
function finishCell(begun: usize, isTab: bool): bool {
  let more: usize = 0
  let isQuoted = false
  for (let at = begun; at < to; at++) {
    const byte = load<u8>(at)
    if (isTab) {
      more += <usize>(tabEscape(byte) != 0)
    } else if (byte == <u8>QUOTE || byte == COMMA || byte == CARRIAGE_RETURN || byte == LINE_FEED) {
      isQuoted = true
      more += <usize>(byte == <u8>QUOTE)
    }
  }
  if (isQuoted) more += 2
  if (more == 0) return true
  if (to + more > limit) return false
  // From the end, so that nothing is overwritten before it is moved.
  let target = to + more
  let from = to
  to = target
  if (isQuoted) store<u8>(--target, <u8>QUOTE)
  while (from > begun) {
    const byte = load<u8>(--from)
    const escape = isTab ? tabEscape(byte) : 0
    store<u8>(--target, escape != 0 ? escape : byte)
    if (escape != 0) store<u8>(--target, <u8>BACKSLASH)
    else if (!isTab && byte == <u8>QUOTE) store<u8>(--target, byte)
  }
  if (isQuoted) store<u8>(--target, <u8>QUOTE)
  return true
}

/** Writes a value as a cell: a text as it is, and anything else as JSON. */
function putCell(column: usize, entry: u32, isSafe: bool): i32 {
  const capture = captureAt(entry)
  const isText = load<u32>(column) == AS_TEXT && (load<u32>(column, COLUMN_FLAGS) & COLUMN_FLAG_ALL) == 0
  if (!isText || load<f64>(capture) > LARGEST_TEXT_KIND) return putValue(column, entry)
  const from = offsetAddress(load<f64>(capture, CAPTURE_FROM))
  const end = offsetAddress(load<f64>(capture, CAPTURE_END))
  const mayBeAbsent = load<f64>(capture, CAPTURE_MARK) != 0
  if (mayBeAbsent && from == end) return NOTHING
  if (to + 2 * (end - from) + 32 > limit) return NO_ROOM
  const begun = to
  to = writeText(from, end, begun + 1, <i32>load<f64>(capture), false)
  if (mayBeAbsent && to == begun + 1) return NOTHING
  if (isSafe && to > begun + 1 && isFormula(load<u8>(begun + 1))) {
    store<u8>(begun, 0x27)
    return WRITTEN
  }
  memory.copy(begun, begun + 1, to - begun - 1)
  to--
  return WRITTEN
}

/** Writes columns of a record as the cells of a row. */
function putRow(record: u32, columns: u32, count: u32, mode: u32): i32 {
  const isTab = (mode & 3) == AS_TAB_ROW
  let isFirst = true
  const lists = listOf(record, 0)
  let column = wordAt(columns)
  for (let left = count; left > 0; left--, column += COLUMN_BYTES) {
    const flags = load<u32>(column, COLUMN_FLAGS)
    if (isForHost(lists, column)) continue
    const entry = entryIn(lists, column)
    if (load<u32>(column) == AS_REFUSED) {
      if (entry != 0) return DECLINED
      continue
    }
    const isSilent = (flags & COLUMN_FLAG_SILENT) != 0
    if (!isSilent && !isFirst) {
      if (to + 1 > limit) return NO_ROOM
      store<u8>(to++, isTab ? TAB : COMMA)
    }
    const begun = to
    let outcome = NOTHING
    if ((flags & COLUMN_FLAG_ALL) != 0 && (entry != 0 || hasRecord(lists, column))) outcome = putList(column, entry)
    else if (entry != 0) outcome = isSilent ? putValue(column, entry) : putCell(column, entry, (mode & IS_SAFE) != 0)
    if (outcome == NOTHING && (flags & COLUMN_FLAG_REQUIRED) != 0) return DECLINED
    if (outcome != WRITTEN && outcome != NOTHING) return outcome
    if (outcome == WRITTEN && entry != 0) note(column, entry)
    if (isSilent || outcome == NOTHING) to = begun
    if (isSilent) continue
    if (!finishCell(begun, isTab)) return NO_ROOM
    isFirst = false
  }
  return WRITTEN
}

/** Ends the line of a record. False if there is no room. */
function endLine(isCsv: bool): bool {
  if (to + 2 > limit) return false
  if (isCsv) store<u8>(to++, CARRIAGE_RETURN)
  store<u8>(to++, LINE_FEED)
  return true
}

/**
 * Writes found records from one to another, each as a line as `mode` says; one after the other from the address `target` on, before `end`.
 * Gives the first that is not written because there is no room. Where each ends, from `target`, comes to stand with it, 0 for one that is declined, and
 * what is noted of it.
 */
export function writeLines(columns: u32, count: u32, mode: u32, first: u32, last: u32, target: usize, end: usize): u32 {
  to = target
  limit = end
  for (let i = first; i < last; i++) {
    const found = foundAt(i)
    const begun = to
    const entry = load<u32>(found)
    // Of what is around records nothing is written.
    if (load<u32>(found, FOUND_NUMBER) != 0) continue
    notes = 0
    let outcome = (mode & 3) == AS_OBJECT_LINE ? putObject(entry, columns, count) : putRow(entry, columns, count, mode)
    if (outcome == WRITTEN && !endLine((mode & 3) == AS_COMMA_ROW)) outcome = NO_ROOM
    if (outcome == NO_ROOM) {
      to = begun
      return i
    }
    if (outcome != WRITTEN) to = begun
    store<u32>(found, outcome == WRITTEN ? <u32>(to - target) : 0, FOUND_LINE_END)
    store<u32>(found, notes, FOUND_NOTES)
  }
  return last
}

/** Writes a code point, with the escapes of JSON or without. */
function putPoint(point: u32, to: usize, isJson: bool): usize {
  if (isJson || point >= 0x80) return putEscaped(point, to)
  store<u8>(to, <u8>point)
  return to + 1
}

/**
 * Writes what the text between two addresses stands for, and gives the address after it: as the inside of a JSON string, or as it is. `kind` is that of
 * `decode`. What is written is at most twice as long as the text; up to 16 bytes more are touched.
 */
export function writeText(from: usize, end: usize, to: usize, kind: i32, isJson: bool): usize {
  // What cannot be found: characters below 32 are marked anyway.
  const quotes = i8x16.splat(isJson ? <i8>QUOTE : 0)
  const backslashes = i8x16.splat(isJson ? <i8>BACKSLASH : 0)
  const ampersands = i8x16.splat(kind == DECODE_PLAIN || kind == DECODE_VERBATIM ? 0 : <i8>AMPERSAND)
  const brackets = i8x16.splat(kind == DECODE_CONTENT ? 0x3c : 0)
  const blank = i8x16.splat(0x20)
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const marks = v128.or(
      v128.or(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)), i8x16.eq(bytes, brackets)),
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
    if (byte == 0x3c && kind == DECODE_CONTENT) {
      const next = passMarkup(at, end)
      if (isSection(at)) to = writeText(at + SECTION_LENGTH, next - 3, to, DECODE_VERBATIM, isJson)
      at = next
    } else if (byte == AMPERSAND && kind != DECODE_PLAIN && kind != DECODE_VERBATIM) {
      const known = predefined(at)
      if (known != 0 && at + <usize>(known & 255) <= end) {
        to = putPoint(known >>> 8, to, isJson)
        at += known & 255
        continue
      }
      const semicolon = findByte(at + 1, end, 0x3b)
      const point = referred(at, semicolon + 1)
      // In content, the host was told what other references stand for.
      if (point >= 0 || kind != DECODE_CONTENT) to = putPoint(point < 0 ? AMPERSAND : <u32>point, to, isJson)
      at = point < 0 && kind != DECODE_CONTENT ? at + 1 : semicolon + 1
    } else if (byte == 0x0d && kind != DECODE_PLAIN) {
      to = putPoint(kind == DECODE_VALUE ? 0x20 : 0x0a, to, isJson)
      at += at + 1 < end && load<u8>(at, 1) == 0x0a ? 2 : 1
    } else {
      to = putPoint(kind == DECODE_VALUE && byte < 0x20 ? 0x20 : byte, to, isJson)
      at++
    }
  }
  return to
}
