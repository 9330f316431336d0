// Records that are as nearly all are, from XML to lines of JSON in one pass.
//
// This is what all kinds of records share. Which elements they have, what may be in those, and what is written of them is made from a shape, and
// stands after this file (scripts/kernels/compile-shape.ts). It knows these elements and nothing else: a record with anything besides is left to those
// who know all of XML. So what it takes is well-formed: its tags match, its references are to what is predefined, no `<` or `>` is in a text, no
// attribute is there twice, and all its bytes are UTF-8 of characters that XML 1.0 allows.
//
// The values of a record are its fields. They have numbers in the order in which elements are read, so that those of a nested record stand together. An
// element in which there are others has a field as well, which says that it is there.

import { AMPERSAND, findByte, referred, write } from './content'
import { begin, JSON, RAW, written } from './output'
import { compare, parseNumber, UNKNOWN_ORDER } from './scalars'
import { findMalformed, findNoXmlCharacter, measure, passXmlText } from './text'

/** For each field 16 bytes: where its text begins and ends, and 1 if it is there. */
export const FIELDS: usize = 4096
/** A copy of those of a nested record, while another one is read. */
const OTHER: usize = FIELDS + 1024
/** How many lines have the same notes, by those; and a copy of that. */
export const COUNTS: usize = OTHER + 1024
const COUNTS_BEFORE: usize = COUNTS + 1024
/** What a scan has shown. */
export const RESULTS: usize = COUNTS_BEFORE + 1024
/** Where the input stands. */
export const INPUT: usize = 65536
/** Bytes after the input, and after the output, that may be read and written. */
export const SLACK = 64

/** Why a scan has ended; as in record-scanner.ts. */
const MORE = 0
const UNUSUAL = 1
const OVER = 2
const FULL = 3
const FAILED = 4

/** The line is the first of its outermost element, which has another id than that of the line before. */
const IS_FIRST: u32 = 1
const EMPTY_END: u32 = 0x3e2f
const CLOSING: u32 = 0x2f3c
const OPEN_BRACE: u8 = 0x7b
const CLOSED_BRACE: u8 = 0x7d
/** Bytes from one key of JSON to the next: two to this power. */
const KEY_SIZE_LOG = 5

let end: usize = 0
let to: usize = 0
let roomEnd: usize = 0
/** Whether the host decides which records are wanted, and whether it has failed to. */
let asksHost = false
let hasFailed = false
/** Whether the host looks at records that were written. */
let reportsToHost = false
/** Lines, and how many more are wanted. */
let lines = 0
let most = 0
let notes: u32 = 0
/** Whether all references of the line are known. */
let areKnown = true
let firstId: f64 = 0
let lastId: f64 = 0
/** Whether the room is not enough for the next line. */
let isFull = false
/** Whether there is a line of the outermost element that is being read. */
let hasLine = false

/** Whether the host wants the record whose fields there are: 1 or 0, and -1 if it has failed. */
// @ts-ignore: decorator
@external('env', 'decide') declare function decide(): i32

/** Shows the host the record whose line was written, by its number among those of the scan, and what was noted of it. It may yet be taken back. */
// @ts-ignore: decorator
@external('env', 'report') declare function report(line: i32, notes: u32): void

// @ts-ignore: decorator
@inline function fieldOf(field: i32): usize {
  return FIELDS + (<usize>field << 4)
}

// @ts-ignore: decorator
@inline function has(field: i32): bool {
  return load<u32>(fieldOf(field), 8) != 0
}

// @ts-ignore: decorator
@inline function isEmpty(field: i32): bool {
  return load<u32>(fieldOf(field)) == load<u32>(fieldOf(field), 4)
}

/** Notes a field. False when it is there already. */
function set(field: i32, from: usize, last: usize): bool {
  if (has(field)) return false
  store<u32>(fieldOf(field), from)
  store<u32>(fieldOf(field), last, 4)
  store<u32>(fieldOf(field), 1, 8)
  return true
}

/** Whether a word of `length` bytes stands at an address. */
// @ts-ignore: decorator
@inline function stands(at: usize, word: u64, length: u32): bool {
  return length == 8 ? load<u64>(at) == word : (load<u64>(at) & ((<u64>1 << (length << 3)) - 1)) == word
}

function skipSpace(from: usize): usize {
  let at = from
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte != 0x20 && byte != 0x0a && byte != 0x09) break
  }
  return at
}

/** Where the next `<` or `>` is; at or after `end` where there is none. */
function findBracket(from: usize): usize {
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at)
    // They are 0x3c and 0x3e.
    const mask = i8x16.bitmask(i8x16.eq(v128.and(bytes, i8x16.splat(-3)), i8x16.splat(0x3c)))
    if (mask != 0) return at + ctz(mask)
  }
  return end
}

/** Where reading stopped because the rest is unusual; its result is then 0. */
let stop: usize = 0

function fail(at: usize): usize {
  stop = at
  return 0
}

/**
 * Reads the content and the end tag of an element after whose name `at` stands: the name is a word of up to eight bytes, and the rest of it another one.
 * Gives the address after it.
 */
function readLeaf(field: i32, at: usize, word: u64, length: u32, rest: u64, restLength: u32): usize {
  const first = <u32>load<u8>(at)
  if (first != 0x3e) {
    if (first == 0x20) at++
    if (<u32>load<u16>(at) != EMPTY_END) return fail(at)
    return set(field, at, at) ? at + 2 : fail(at)
  }
  const from = at + 1
  const last = findBracket(from)
  if (last >= end) return fail(last)
  const name = last + 2
  if (<u32>load<u16>(last) != CLOSING || !stands(name, word, length)) return fail(last)
  if (restLength != 0 && !stands(name + 8, rest, restLength)) return fail(last)
  const after = name + length + restLength
  if (<u32>load<u8>(after) != 0x3e) return fail(last)
  return set(field, from, last) ? after + 1 : fail(from)
}

/** Reads the end of an empty element after whose name, or the last of whose attributes, `at` stands. */
function readEmptyEnd(at: usize): usize {
  if (<u32>load<u8>(at) == 0x20) at++
  return <u32>load<u16>(at) == EMPTY_END ? at + 2 : fail(at)
}

/** Reads an empty element of which it counts that it is there. */
function readPresence(field: i32, at: usize): usize {
  const after = readEmptyEnd(at)
  return after == 0 || set(field, at, at) ? after : fail(at)
}

/** Where the value of an attribute ends that begins at `from`; 0 where it has a `<` or does not end. */
function findValueEnd(from: usize): usize {
  for (let at = from; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x22) return at
    if (byte == 0x3c) return fail(at)
  }
  return fail(end)
}

/** Where a field stands in the copy of a nested record whose first field is given. */
// @ts-ignore: decorator
@inline function otherFieldOf(field: i32, first: i32): usize {
  return OTHER + (<usize>(field - first) << 4)
}

/** Whether a field of the record that was read last comes before (-1) that of the copy, is the same (0), or comes after it (1). */
function compareFields(field: i32, first: i32, areNumbers: bool): i32 {
  const one = fieldOf(field)
  const copy = otherFieldOf(field, first)
  if (load<u32>(one, 8) != load<u32>(copy, 8)) return UNKNOWN_ORDER
  return compare(load<u32>(one), load<u32>(one, 4), load<u32>(copy), load<u32>(copy, 4), areNumbers)
}

/** Whether all references between two addresses are to characters and to what is predefined. */
function areReferencesGood(from: usize, end: usize): bool {
  for (let at = findByte(from, end, <u8>AMPERSAND); at < end; at = findByte(at, end, <u8>AMPERSAND)) {
    const after = findByte(at + 1, end, 0x3b) + 1
    if (after > end || referred(at, after) == -1) return false
    at = after
  }
  return true
}

/** Whether fields that are not written have no other references than they may have: those from one up to another. */
function areWellFormed(first: i32, last: i32): bool {
  for (let field = first; field < last; field++) {
    if (!areReferencesGood(load<u32>(fieldOf(field)), load<u32>(fieldOf(field), 4))) return false
  }
  return true
}

/** The number that a field is; NaN where it is not written as JSON has it. */
function numberOf(field: i32): f64 {
  return parseNumber(load<u32>(fieldOf(field)), load<u32>(fieldOf(field), 4), true)
}

/** Whether a field is a number, or is not there or empty where it need not be. */
// @ts-ignore: decorator
@inline function isNumber(field: i32, isNeeded: bool): bool {
  return isEmpty(field) ? !isNeeded : !isNaN(numberOf(field))
}

/** Whether a field has this text of up to eight bytes, as it stands. */
function isText(field: i32, word: u64, length: u32): bool {
  const from = load<u32>(fieldOf(field))
  return load<u32>(fieldOf(field), 4) - from == length && stands(from, word, length)
}

/** Writes a key with what stands before its value; the comma before it is left out where it is the first. */
function putKey(key: i32): void {
  const from = KEYS + (<usize>key << KEY_SIZE_LOG)
  const isFirst: usize = load<u8>(to - 1) == OPEN_BRACE ? 1 : 0
  v128.store(to, v128.load(from + isFirst))
  v128.store(to, v128.load(from + isFirst, 16), 16)
  to += <usize>load<u8>(KEY_LENGTHS + key) - isFirst
}

// @ts-ignore: decorator
@inline function put(byte: u8): void {
  store<u8>(to++, byte)
}

/** Writes the text of a field to an address, and gives the address after it. `isValue`: it is the value of an attribute. */
function writeText(field: i32, target: usize, isValue: bool, notation: u32): usize {
  begin(target, notation)
  areKnown = write(load<u32>(fieldOf(field)), load<u32>(fieldOf(field), 4), isValue ? DECODE_VALUE : DECODE_TEXT) && areKnown
  return written()
}

function putText(field: i32, key: i32, isValue: bool): void {
  putKey(key)
  to = writeText(field, to, isValue, JSON)
  put(0x22)
}

/** `bit`: what is noted of a number that is positive; the next bit is for one that is negative. 0 for nothing. */
function putNumber(field: i32, key: i32, bit: u32): void {
  putKey(key)
  const from = <usize>load<u32>(fieldOf(field))
  const length = <usize>load<u32>(fieldOf(field), 4) - from
  v128.store(to, v128.load(from))
  to += length
  const first = load<u8>(from)
  if (first != 0x30) notes |= first == 0x2d ? bit << 1 : bit
}

/** Whether there is room for the line of a record with the fields that there are. */
function hasRoom(): bool {
  let length: usize = 0
  for (let field = 0; field < FIELD_COUNT; field++) {
    length += <usize>(load<u32>(fieldOf(field), 4) - load<u32>(fieldOf(field)))
  }
  isFull = to + 2 * length + LINE_OVERHEAD > roomEnd
  return !isFull
}

/** Writes the line of a record if it is wanted. False where a text has a reference that is not predefined, and without room. */
function addLine(isFirst: bool): bool {
  if (lines >= most) return true
  if (asksHost) {
    const answer = decide()
    hasFailed = answer < 0
    if (hasFailed) return false
    if (answer == 0) return areWellFormed(0, FIELD_COUNT)
  }
  if (!hasRoom()) return false
  const before = to
  notes = isFirst ? IS_FIRST : 0
  areKnown = true
  put(OPEN_BRACE)
  writeRecord()
  put(CLOSED_BRACE)
  put(0x0a)
  if (!areKnown) {
    to = before
    return false
  }
  if (reportsToHost) report(lines, notes)
  hasLine = true
  lastId = numberOf(ID_FIELD)
  if (lines == 0) firstId = lastId
  lines++
  const count = COUNTS + (<usize>notes << 2)
  store<u32>(count, load<u32>(count) + 1)
  return true
}

/** Writes the text of a field as it is, without its references, to an address. The address after it. */
export function writeField(field: i32, target: usize): usize {
  return writeText(field, target, false, RAW)
}

/** Where text stops being well-formed UTF-8 of characters of XML 1.0, or `length` bytes after `from`. */
export function validate(from: usize, length: u32): usize {
  const last = from + <usize>length
  const certain = passXmlText(from, last)
  return findNoXmlCharacter(certain, findMalformed(certain, last))
}

/**
 * Reads elements between two addresses, and writes the lines of their records to `output`, which has `room` bytes. An element that begins at `limit` or
 * after it is not read, and no more than `mostLines` are written; `idBefore` is the id of the line before them, or NaN. `isFaultBehind`: what follows is malformed text, rather than not there yet. Gives why it
 * has ended; the rest is in RESULTS.
 */
export function scan(
  from: usize,
  last: usize,
  isFaultBehind: bool,
  limit: usize,
  output: usize,
  room: usize,
  isHostAsked: bool,
  isHostShown: bool,
  mostLines: i32,
  idBefore: f64,
): i32 {
  end = last
  to = output
  roomEnd = output + room
  asksHost = isHostAsked
  reportsToHost = isHostShown
  most = mostLines
  lines = 0
  firstId = 0
  lastId = idBefore
  memory.fill(COUNTS, 0, NOTE_COUNT << 2)
  let at = from
  let reason = MORE
  while (true) {
    const start = skipSpace(at)
    const isRecord = start + ROOT_LENGTH <= end && isRoot(start)
    if (isRecord && (start >= limit || lines >= most)) {
      at = start
      reason = OVER
      break
    }
    const before = to
    const linesBefore = lines
    const lastBefore = lastId
    memory.copy(COUNTS_BEFORE, COUNTS, NOTE_COUNT << 2)
    isFull = hasFailed = false
    stop = 0
    let next: usize = isRecord ? readRoot(start + ROOT_LENGTH) : fail(start)
    const isRead = next != 0 && next <= end
    if (isRead && finishRoot()) {
      at = next
      continue
    }
    if (hasFailed) {
      // The lines before are good.
      reason = FAILED
      break
    }
    to = before
    lines = linesBefore
    lastId = lastBefore
    memory.copy(COUNTS, COUNTS_BEFORE, NOTE_COUNT << 2)
    // What there is no room for even when nothing else is there is left to others.
    if (isFull) reason = before > output ? FULL : UNUSUAL
    // What does not stand there may only not have arrived: nothing that is looked for is longer than this.
    else reason = !isRead && (next != 0 || stop + 32 > end) && !isFaultBehind ? MORE : UNUSUAL
    break
  }
  store<u32>(RESULTS, <u32>(at - from))
  store<u32>(RESULTS, <u32>(to - output), 4)
  store<i32>(RESULTS, lines, 8)
  store<f64>(RESULTS, firstId, 16)
  store<f64>(RESULTS, lastId, 24)
  measure(from, at, false)
  store<u32>(RESULTS, load<u32>(REGISTERS + (LINE_FEEDS << 2)), 32)
  store<u32>(RESULTS, load<u32>(REGISTERS + (UNITS_IN_LINE << 2)), 36)
  return reason
}
