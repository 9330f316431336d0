// What was found, as values one after the other, of which the host makes columns (record/format/column-builder.ts). What is to be written is the same table of
// columns as for lines. A record that has something else is declined: then the host makes an object of it.
//
//   nothing                        ffffffff
//   a text                         its length, and its bytes in UTF-8
//   a number                       1, and its eight bytes; a date is its milliseconds since 1970
//   true and false                 1, 0
//   a record                       1, and the values of its fields: those of the other records that it might have been are nothing
//   a list                         how many there are, and each

import { COLUMN_BYTES, DECLINED, DECLINED_ENTRY, ENTRY_WITHOUT_ROOM, entryIn, hasRecord, isFilled, isForHost, LARGEST_TEXT_KIND, NO_ROOM, NOTHING, WRITTEN, writeText } from './lines'
import { RAW } from './output'
import { captureAt, foundAt, listOf, offsetAddress, wordAt } from './project'
import { parseBoolean, parseInt64, parseNumber, parseTime, whole } from './scalars'

const NULL: u32 = 0xffffffff
/** What a value takes besides a text, at most. */
const MOST_SIZE: usize = 32

let to: usize = 0
let limit: usize = 0

function put(word: u32): i32 {
  store<u32>(to, word)
  to += 4
  return WRITTEN
}

/** A value that is a capture. */
function putValue(column: usize, entry: u32): i32 {
  const as = load<u32>(column)
  const capture = captureAt(entry)
  if (as == AS_OBJECT) {
    put(1)
    return putValues(entry, load<u32>(column, COLUMN_INNER), load<u32>(column, COLUMN_INNER_COUNT))
  }
  if (as == AS_OFFSET) {
    put(1)
    store<i64>(to, <i64>load<f64>(capture, CAPTURE_ORIGIN))
    to += 8
    return WRITTEN
  }
  const isText = load<f64>(capture) <= LARGEST_TEXT_KIND
  const mayBeAbsent = load<f64>(capture, CAPTURE_MARK) != 0
  if (as == AS_TRUE) return isText && mayBeAbsent ? DECLINED : put(1)
  if (!isText) return DECLINED
  const from = offsetAddress(load<f64>(capture, CAPTURE_FROM))
  const end = offsetAddress(load<f64>(capture, CAPTURE_END))
  if (isFilled(capture, from, end)) return DECLINED
  if (as == AS_TEXT || as == AS_LENGTH) {
    if (to + 2 * (end - from) + MOST_SIZE > limit) return NO_ROOM
    const begun = to + 4
    const last = writeText(from, end, begun, <i32>load<f64>(capture), RAW)
    if (mayBeAbsent && last == begun) return NOTHING
    if (as == AS_TEXT) {
      put(<u32>(last - begun))
      to = last
    } else {
      put(1)
      store<i64>(to, <i64>(last - begun))
      to += 8
    }
    return WRITTEN
  }
  if (mayBeAbsent && from == end) return NOTHING
  if (as == AS_BOOLEAN) {
    const isTrue = parseBoolean(from, end)
    return isTrue == -1 ? DECLINED : put(isTrue)
  }
  if (as == AS_INT64) {
    if (!parseInt64(from, end)) return DECLINED
    put(1)
    store<i64>(to, whole)
    to += 8
    return WRITTEN
  }
  const number = as == AS_DATE ? parseTime(from, end) : parseNumber(from, end, as == AS_INTEGER)
  if (isNaN(number)) return DECLINED
  put(1)
  if (as == AS_NUMBER) store<f64>(to, number)
  else store<i64>(to, <i64>number)
  to += 8
  return WRITTEN
}

/** All values of a field, from the first one on. */
function putList(column: usize, first: u32): i32 {
  const begun = to
  let count: u32 = 0
  to += 4
  for (let entry = first; entry != 0; entry = <u32>load<f64>(captureAt(entry), CAPTURE_NEXT)) {
    if (load<f64>(captureAt(entry)) == <f64>KIND_ABSENT || load<f64>(captureAt(entry), CAPTURE_MARK) != 0) return DECLINED
    if (to + MOST_SIZE > limit) return NO_ROOM
    const outcome = putValue(column, entry)
    if (outcome != WRITTEN) return outcome
    count++
  }
  store<u32>(begun, count)
  return WRITTEN
}

/** The values of the columns of a record. */
function putValues(record: u32, columns: u32, count: u32): i32 {
  const lists = listOf(record, 0)
  let column = wordAt(columns)
  let isOver = false
  for (let left = count; left > 0; left--, column += COLUMN_BYTES) {
    if (to + MOST_SIZE > limit) return NO_ROOM
    // What the host has found around the record, it adds.
    if (isOver || isForHost(lists, column)) {
      put(NULL)
      continue
    }
    const entry = entryIn(lists, column, to, limit)
    if (entry >= ENTRY_WITHOUT_ROOM) return entry == DECLINED_ENTRY ? DECLINED : NO_ROOM
    let outcome = NOTHING
    const flags = load<u32>(column, COLUMN_FLAGS)
    if ((flags & COLUMN_FLAG_ALL) != 0 && (entry != 0 || hasRecord(lists, column))) outcome = putList(column, entry)
    else if (entry != 0) outcome = putValue(column, entry)
    isOver = outcome == WRITTEN && (flags & COLUMN_FLAG_ENDS) != 0
    if (outcome == NOTHING) outcome = (flags & COLUMN_FLAG_REQUIRED) != 0 ? DECLINED : put(NULL)
    if (outcome != WRITTEN) return outcome
  }
  return WRITTEN
}

/** Writes the values of found records from one to another, as `writeLines` writes lines. */
export function writeValues(columns: u32, count: u32, first: u32, last: u32, target: usize, end: usize): u32 {
  to = target
  limit = end
  for (let i = first; i < last; i++) {
    const found = foundAt(i)
    if (load<u32>(found, FOUND_NUMBER) != 0) continue
    const begun = to
    const outcome = putValues(load<u32>(found), columns, count)
    if (outcome != WRITTEN) to = begun
    if (outcome == NO_ROOM) return i
    store<u32>(found, outcome == WRITTEN ? <u32>(to - target) : 0, FOUND_LINE_END)
  }
  return last
}
