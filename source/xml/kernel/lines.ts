// What was found, as JSON in UTF-8: exactly what `JSON.stringify` makes of the record. What is to be written is a table of columns
// (xml/question/line-form.ts). A record that has something else is declined: then the host writes it.

import { write } from './content'
import { BACKSLASH, begin, CARRIAGE_RETURN, COMMA, COMMA_CELL, isQuoted, JSON, LINE_FEED, QUOTE, RAW, TAB, TAB_CELL, written } from './output'
import { captureAt, firstEntry, foundAt, listOf, offsetAddress, wordAt } from './project'
import { parseBoolean, parseInt64, parseNumber, ZERO } from './scalars'

export const COLUMN_BYTES: usize = COLUMN_WORDS << 2

export const LARGEST_TEXT_KIND: f64 = 4

/** Why a record is not written. */
export const DECLINED: i32 = 1
export const NO_ROOM: i32 = 2
export const WRITTEN: i32 = 0
/** There is nothing to be written. */
export const NOTHING: i32 = 3

/** In place of an entry: why the record in which a column lies is not written. */
export const DECLINED_ENTRY: u32 = 0xffffffff
export const ENTRY_WITHOUT_ROOM: u32 = 0xfffffffe

const NULL: u32 = 0x6c6c756e
const TRUE: u32 = 0x65757274

let to: usize = 0
let limit: usize = 0
/** The column after which nothing was written of an object, because it ends that; else the address after all columns. */
let lastColumn: usize = 0

/** The first entry of the list at an address; 0 for none. */
// @ts-ignore: decorator
@inline function valueOf(list: usize): u32 {
  const entry = <u32>load<f64>(list)
  return entry != 0 && load<f64>(captureAt(entry)) == <f64>KIND_ABSENT ? 0 : entry
}

/** Whether there is anything between two addresses although the element of a capture is null. */
// @ts-ignore: decorator
@inline export function isFilled(capture: usize, from: usize, end: usize): bool {
  return from != end && (<u32>load<f64>(capture, CAPTURE_MARK) & <u32>IS_NIL) != 0
}

/** Whether an entry was made before the kernel was called, and is not in its memory. */
// @ts-ignore: decorator
@inline function isOfHost(entry: u32): bool {
  return entry < firstEntry
}

/** Whether a column lies in a record around that the host has found. */
export function isForHost(lists: usize, column: usize): bool {
  const entry = <u32>load<f64>(lists + (<usize>load<u32>(column, COLUMN_STEPS) << 4))
  return entry != 0 && isOfHost(entry)
}

/** The entry to which so many steps of a column lead, from a record whose lists begin at an address; 0 for none. */
// @ts-ignore: decorator
@inline function follow(lists: usize, column: usize, steps: u32): u32 {
  const list = lists + (<usize>load<u32>(column, COLUMN_STEPS) << 4)
  let entry = isOfHost(<u32>load<f64>(list)) ? 0 : valueOf(list)
  for (let i: u32 = 1; i < steps && entry != 0; i++) {
    entry = valueOf(listOf(entry, load<u32>(column + (<usize>i << 2), COLUMN_STEPS)))
  }
  return entry
}

/**
 * The entry to which all steps of a column lead; 0 if there is none. Of a column in one of several records, that one is written from an address on, and
 * taken back: so what it is, and whether it is right, is decided in one place.
 */
export function entryIn(lists: usize, column: usize, from: usize, end: usize): u32 {
  const steps = load<u32>(column, COLUMN_STEP_COUNT)
  const entry = follow(lists, column, steps)
  const as = load<u32>(column)
  if (as == AS_REFUSED) return entry == 0 ? 0 : DECLINED_ENTRY
  const count = load<u32>(column, COLUMN_INNER_COUNT)
  if (count == 0 || as == AS_OBJECT) return entry
  const record = follow(lists, column, steps - 1)
  if (record == 0) return 0
  const begun = to
  const before = limit
  to = from
  limit = end
  const inner = load<u32>(column, COLUMN_INNER)
  const outcome = putObject(record, inner, count)
  to = begun
  limit = before
  if (outcome != WRITTEN) return outcome == NO_ROOM ? ENTRY_WITHOUT_ROOM : DECLINED_ENTRY
  const slot = load<u32>(column + (<usize>(steps - 1) << 2), COLUMN_STEPS)
  for (let at = wordAt(inner); at <= lastColumn; at += COLUMN_BYTES) if (load<u32>(at, COLUMN_STEPS) == slot) return entry
  return 0
}

/** Whether there is the record that the last field of a column is one of. */
export function hasRecord(lists: usize, column: usize): bool {
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
  if (isFilled(capture, from, end)) return DECLINED
  if (as == AS_TEXT) {
    if (mayBeAbsent && from == end) return NOTHING
    if (to + 2 * (end - from) + 32 > limit) return NO_ROOM
    store<u8>(to, <u8>QUOTE)
    const begun = to + 1
    to = writeText(from, end, begun, <i32>load<f64>(capture), JSON)
    if (mayBeAbsent && to == begun) return NOTHING
    store<u8>(to, <u8>QUOTE)
    to++
    return WRITTEN
  }
  const length = end - from
  if (as == AS_LENGTH) {
    if (to + length + 32 > limit) return NO_ROOM
    const count = writeText(from, end, to, <i32>load<f64>(capture), RAW) - to
    if (mayBeAbsent && count == 0) return NOTHING
    putDigits(<f64>count)
    return WRITTEN
  }
  if (mayBeAbsent && length == 0) return NOTHING
  const isValid = as == AS_BOOLEAN ? parseBoolean(from, end) != -1 : as == AS_INT64 ? parseInt64(from, end) : !isNaN(parseNumber(from, end, as == AS_INTEGER))
  if (!isValid) return DECLINED
  return putBytes(from, length) ? WRITTEN : NO_ROOM
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
    if (entry != first) store<u8>(to++, <u8>COMMA)
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
    const flags = load<u32>(column, COLUMN_FLAGS)
    if (isForHost(lists, column)) continue
    const entry = entryIn(lists, column, to, limit)
    if (entry >= ENTRY_WITHOUT_ROOM) return entry == DECLINED_ENTRY ? DECLINED : NO_ROOM
    const begun = to
    const skipped: usize = isFirst ? 1 : 0
    const isList = (flags & COLUMN_FLAG_ALL) != 0 && (entry != 0 || hasRecord(lists, column))
    if (entry != 0 || isList || (flags & COLUMN_FLAG_NULL) != 0) {
      if (!putBytes(wordAt(load<u32>(column, COLUMN_KEY)) + skipped, <usize>load<u32>(column, COLUMN_KEY_LENGTH) - skipped)) return NO_ROOM
    }
    let outcome = NOTHING
    if (isList) outcome = putList(column, entry)
    else if (entry != 0) outcome = putValue(column, entry)
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
      break
    }
    if (outcome != WRITTEN) return outcome
    isFirst = false
  }
  lastColumn = column
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

/** Whether a spreadsheet could read a cell that begins at an address as a formula. */
function isFormula(cell: usize): bool {
  const byte = <u32>load<u8>(cell)
  // A blank, as it is or after a backslash.
  if (byte == BACKSLASH) return <u32>load<u8>(cell, 1) != BACKSLASH
  return byte == 0x3d || byte == 0x2b || byte == 0x2d || byte == 0x40 || byte == TAB || byte == LINE_FEED || byte == CARRIAGE_RETURN
}

/** Writes a text as a cell, with the kind of `write`. False if there is no room. */
function putCellText(from: usize, end: usize, kind: i32, mode: u32): bool {
  if (to + 2 * (end - from) + 32 > limit) return false
  const begun = to
  to = writeText(from, end, begun, kind, (mode & 3) == AS_TAB_ROW ? TAB_CELL : COMMA_CELL)
  const isMadeSafe = (mode & IS_SAFE) != 0 && to > begun && isFormula(begun)
  const before = <usize>isQuoted + <usize>isMadeSafe
  if (before == 0) return true
  memory.copy(begun + before, begun, to - begun)
  to += before
  if (isMadeSafe) store<u8>(begun + before - 1, 0x27)
  if (!isQuoted) return true
  store<u8>(begun, <u8>QUOTE)
  store<u8>(to++, <u8>QUOTE)
  return true
}

/** Writes a value, or all of them, as a cell: a text as it is, and anything else as JSON. */
function putCell(column: usize, entry: u32, isList: bool, mode: u32): i32 {
  const as = load<u32>(column)
  const begun = to
  const capture = captureAt(entry)
  if (isList || as != AS_TEXT || load<f64>(capture) > LARGEST_TEXT_KIND) {
    const outcome = isList ? putList(column, entry) : putValue(column, entry)
    if (outcome != WRITTEN || !(isList || as == AS_OBJECT)) return outcome
    // The cell is written after the JSON, and then takes its place.
    const end = to
    if (!putCellText(begun, end, DECODE_PLAIN, mode)) return NO_ROOM
    memory.copy(begun, end, to - end)
    to -= end - begun
    return WRITTEN
  }
  const from = offsetAddress(load<f64>(capture, CAPTURE_FROM))
  const end = offsetAddress(load<f64>(capture, CAPTURE_END))
  const mayBeAbsent = load<f64>(capture, CAPTURE_MARK) != 0
  if (mayBeAbsent && from == end) return NOTHING
  if (isFilled(capture, from, end)) return DECLINED
  if (!putCellText(from, end, <i32>load<f64>(capture), mode)) return NO_ROOM
  return mayBeAbsent && to == begun ? NOTHING : WRITTEN
}

/** Writes columns of a record as the cells of a row. */
function putRow(record: u32, columns: u32, count: u32, mode: u32): i32 {
  let isFirst = true
  const row = to
  const lists = listOf(record, 0)
  let column = wordAt(columns)
  for (let left = count; left > 0; left--, column += COLUMN_BYTES) {
    const flags = load<u32>(column, COLUMN_FLAGS)
    if (isForHost(lists, column)) continue
    const entry = entryIn(lists, column, to, limit)
    if (entry >= ENTRY_WITHOUT_ROOM) return entry == DECLINED_ENTRY ? DECLINED : NO_ROOM
    if (!isFirst) {
      if (to + 1 > limit) return NO_ROOM
      store<u8>(to++, <u8>((mode & 3) == AS_TAB_ROW ? TAB : COMMA))
    }
    const begun = to
    let outcome = NOTHING
    const isList = (flags & COLUMN_FLAG_ALL) != 0 && (entry != 0 || hasRecord(lists, column))
    if (isList || entry != 0) outcome = putCell(column, entry, isList, mode)
    if (outcome == NOTHING && (flags & COLUMN_FLAG_REQUIRED) != 0) return DECLINED
    if (outcome != WRITTEN && outcome != NOTHING) return outcome
    if (outcome == NOTHING) to = begun
    isFirst = false
  }
  // Readers skip an empty line.
  if (!isFirst && to == row && (mode & 3) == AS_COMMA_ROW) {
    if (to + 2 > limit) return NO_ROOM
    store<u8>(to++, <u8>QUOTE)
    store<u8>(to++, <u8>QUOTE)
  }
  return WRITTEN
}

/** Ends the line of a record. False if there is no room. */
function endLine(isCsv: bool): bool {
  if (to + 2 > limit) return false
  if (isCsv) store<u8>(to++, <u8>CARRIAGE_RETURN)
  store<u8>(to++, <u8>LINE_FEED)
  return true
}

/**
 * Writes found records from one to another, each as a line as `mode` says; one after the other from the address `target` on, before `end`.
 * Gives the first that is not written because there is no room. Where each ends, from `target`, comes to stand with it, 0 for one that is declined.
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
    let outcome = (mode & 3) == AS_OBJECT_LINE ? putObject(entry, columns, count) : putRow(entry, columns, count, mode)
    if (outcome == WRITTEN && !endLine((mode & 3) == AS_COMMA_ROW)) outcome = NO_ROOM
    if (outcome == NO_ROOM) {
      to = begun
      return i
    }
    if (outcome != WRITTEN) to = begun
    store<u32>(found, outcome == WRITTEN ? <u32>(to - target) : 0, FOUND_LINE_END)
  }
  return last
}

/** Writes what the text between two addresses stands for, in a notation of this kernel, and gives the address after it. `kind` is that of `write`. */
export function writeText(from: usize, end: usize, to: usize, kind: i32, notation: u32): usize {
  begin(to, notation)
  write(from, end, kind)
  return written()
}
