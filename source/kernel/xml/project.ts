// Finding values in records whose elements are complete: goes over the tags on the tape of a machine, and writes captures as
// xml/projection/captures.ts has them. What is wanted is a table of numbers (xml/projection/job.ts), and whatever that does not say is left to the
// host: then nothing of the record stays. Its twin is `Projector.takeRecords`.

/** Words of the job, from its start; other places in it are counted in words from there, too. */
const WIDTH: usize = 0
const NEXT: usize = 4
const STATES: usize = 8
const CONDITIONS: usize = 12
const END_TAG: usize = 16
const MOST_COVERED: usize = 20
/** Where the scratch memory is, and what is written: addresses; how many entries and lists there were before. */
const SCRATCH: usize = 24
const ENTRIES: usize = 28
const ENTRIES_END: usize = 32
const LISTS: usize = 36
const LISTS_END: usize = 40
const FOUND: usize = 44
const FOUND_END: usize = 48
const FIRST_ENTRY: usize = 52
const FIRST_LIST: usize = 56
/** The record of an element around that the host has found; 0 for none. */
const AROUND: usize = 60
const DONE_STATE: usize = 64
/** Results: where it stopped; how many there are after; what is not known. */
const STOPPED_AT: usize = 68
const ENTRY_COUNT: usize = 72
const LIST_COUNT: usize = 76
const FOUND_COUNT: usize = 80
const UNKNOWN_IN: usize = 84
const UNKNOWN_SYMBOL: usize = 88

/** Why it stopped. */
const PROJECT_DONE: i32 = 0
const PROJECT_LEFT: i32 = 1
const UNKNOWN_STEP: i32 = 2
const UNKNOWN_ATTRIBUTE: i32 = 3
const UNKNOWN_CONDITION: i32 = 4
const PROJECT_FULL: i32 = 5
/** Within a record: continue. */
const GO: i32 = -1

/** Words of a state: flags, where its actions are, how many, and where its row of attributes is. */
const STATE_SHIFT: usize = 4
const FLAG_ACTS: u32 = 1
const FLAG_DEAD: u32 = 2
const FLAG_ATTRIBUTES: u32 = 4
const FLAG_FOUND: u32 = 8
const FLAG_AROUND: u32 = 16
const FLAG_GENERAL: u32 = 32
/** Where records begin, something is for the host; and that it watches for such elements. */
const FLAG_HOST: u32 = 64
const FLAG_WATCHED: u32 = 128

/** Words of an action. */
const ACTION_SIZE: usize = 48
const ACTION_FIELD: usize = 4
const ACTION_SLOT: usize = 8
const ACTION_RECORD: usize = 12
const ACTION_LINK: usize = 16
const ACTION_MARK: usize = 20
const ACTION_UNLESS: usize = 24
const ACTION_EMPTY: usize = 28
const ACTION_INNER: usize = 32
const ACTION_LISTS: usize = 36
const ACTION_KEYS: usize = 40
const ACTION_KEY_COUNT: usize = 44

const TAKES_FOUND: u32 = 0
const TAKES_RECORD: u32 = 1
const TAKES_CONTENT: u32 = 2
const TAKES_SOURCE: u32 = 3
const TAKES_PRESENCE: u32 = 4
const TAKES_AROUND: u32 = 5
const TAKES: u32 = 15
/** It is about a record around those of the shape; where records begin, it may have been done by the host. */
const OF_AROUND: u32 = 16
const IS_DONE: u32 = 32

const LINK_FIRST: u32 = 0
const LINK_LAST: u32 = 1
const LINK_ALL: u32 = 2
const LINK_NEWEST: u32 = 3

/** Words of a condition: its row of symbols, its kind, and its value: where its bytes are, and how many. */
const CONDITION_SHIFT: usize = 4
const CONDITION_IS: u32 = 1
const CONDITION_IS_NOT: u32 = 2

/** Kinds of captures, besides those of texts, and their words of eight bytes. */
const KIND_PRESENT: i32 = 6
const KIND_RECORD: i32 = 7
const KIND_ABSENT: i32 = 9
const CAPTURE_SIZE: usize = 72
export const CAPTURE_FROM: usize = 8
export const CAPTURE_END: usize = 16
export const CAPTURE_NEXT: usize = 24
export const CAPTURE_MARK: usize = 40
export const CAPTURE_ORIGIN: usize = 48
const CAPTURE_FIELD: usize = 56
const CAPTURE_SIZE_WORD: usize = 64
const ABSENT_IF_EMPTY: u32 = 1

/**
 * Of a found record: its entry, where its line ends once that is written (lines.ts), where its element ends, the number of the record in the shape,
 * how many elements are open with its own since the kernel was called, what is noted of it (lines.ts), and the entry of the record around it that the
 * kernel has found, or 0.
 */
const FOUND_SIZE: usize = 32
const FOUND_END_OF: usize = 8
export const FOUND_NUMBER: usize = 16
const FOUND_DEPTH: usize = 20
export const FOUND_NOTES: usize = 24
const FOUND_AROUND: usize = 28

/** Entries of the tape have 16 bytes. */
const ENTRY_SHIFT: usize = 4

/** Scratch memory: the open records by their numbers, and their lists; the states of open elements; the open records one in the other. */
const MOST_RECORDS: usize = 64
const MOST_DEPTH: i32 = 256
const OPEN_SIZE: usize = 40
const MOST_OPEN: i32 = 256

let job: usize = 0
/** Of the job: the steps, how many there are of each state, the states, and the type of end tags. */
let steps: usize = 0
let width: u32 = 0
let statesAt: usize = 0
let endTag: u32 = 0
/** By the number of a record: the entry of the open one, and the address of its lists. */
let current: usize = 0
let currentLists: usize = 0
let states: usize = 0
let opens: usize = 0
let openCount = 0
let entries: usize = 0
let entryCount: u32 = 0
let lists: usize = 0
let listCount: u32 = 0
let foundCount: u32 = 0
/** How many of them are of the shape. */
let shapeCount: u32 = 0
let foundTo: usize = 0
let foundEnd: usize = 0
export let firstEntry: u32 = 0
let firstList: u32 = 0
/** The offset of the window's first byte, and its lower 32 bits; where that byte is. */
let windowOffset: f64 = 0
let windowStart: u32 = 0
let windowAt: usize = 0
let covered: f64 = 0
let mostCovered: f64 = 0

// @ts-ignore: decorator
@inline function registerOf(index: i32): usize {
  return <usize>load<u32>(REGISTERS + (index << 2))
}

// @ts-ignore: decorator
@inline function role(entry: usize): i32 {
  return <i32>load<u8>(ROLES + (<usize>load<u32>(entry) & 255))
}

// @ts-ignore: decorator
@inline function absolute(offset: u32): f64 {
  return windowOffset + <f64>(offset - windowStart)
}

// @ts-ignore: decorator
@inline function byteAddress(offset: u32): usize {
  return windowAt + <usize>(offset - windowStart)
}

// @ts-ignore: decorator
@inline export function captureAt(entry: u32): usize {
  return entries + <usize>(entry - firstEntry) * CAPTURE_SIZE
}

// @ts-ignore: decorator
@inline export function listOf(record: u32, slot: u32): usize {
  const from = <u32>load<f64>(captureAt(record), CAPTURE_FROM)
  return lists + (<usize>(from - firstList + 2 * slot) << 3)
}

/** The address of an offset in the window. */
// @ts-ignore: decorator
@inline export function offsetAddress(offset: f64): usize {
  return windowAt + <usize>(offset - windowOffset)
}

/** One of those that were found. */
// @ts-ignore: decorator
@inline export function foundAt(index: u32): usize {
  return <usize>load<u32>(job, FOUND) + <usize>index * FOUND_SIZE
}

// @ts-ignore: decorator
@inline export function wordAt(index: u32): usize {
  return job + (<usize>index << 2)
}

/** The state in an element, from that of its parent; -1 where that is not known. */
// @ts-ignore: decorator
@inline function step(state: u32, symbol: u32): i32 {
  return symbol < width ? load<i32>(steps + (<usize>(state * width + symbol) << 2)) : -1
}

// @ts-ignore: decorator
@inline function stateAt(state: u32): usize {
  return statesAt + (<usize>state << STATE_SHIFT)
}

function addCapture(kind: i32, from: f64, end: f64, origin: f64): u32 {
  const to = entries + <usize>entryCount * CAPTURE_SIZE
  store<f64>(to, <f64>kind)
  store<f64>(to, from, CAPTURE_FROM)
  store<f64>(to, end, CAPTURE_END)
  v128.store(to, i64x2.splat(0), CAPTURE_NEXT)
  store<f64>(to, 0, CAPTURE_MARK)
  store<f64>(to, origin, CAPTURE_ORIGIN)
  store<f64>(to, 0, CAPTURE_FIELD)
  store<f64>(to, 0, CAPTURE_SIZE_WORD)
  return firstEntry + entryCount++
}

function addRecord(listsOfIt: u32, origin: f64): u32 {
  const from = firstList + listCount
  const begun = lists + (<usize>listCount << 3)
  for (let at: usize = 0; at < <usize>listsOfIt << 4; at += 16) v128.store(begun + at, i64x2.splat(0))
  listCount += 2 * listsOfIt
  return addCapture(KIND_RECORD, <f64>from, <f64>(2 * listsOfIt), origin)
}

/** The list of an action in the open record that it belongs to. */
// @ts-ignore: decorator
@inline function listFor(action: usize): usize {
  const base = <usize>load<u32>(currentLists + (<usize>load<u32>(action, ACTION_RECORD) << 2))
  return base + (<usize>load<u32>(action, ACTION_SLOT) << 4)
}

function link(action: usize, entry: u32, mark: u32): void {
  const at = captureAt(entry)
  store<f64>(at, <f64>load<u32>(action, ACTION_FIELD), CAPTURE_FIELD)
  store<f64>(at, <f64>mark, CAPTURE_MARK)
  const list = listFor(action)
  const how = load<u32>(action, ACTION_LINK)
  const last = <u32>load<f64>(list, 8)
  if (last == 0 || how == LINK_LAST || how == LINK_NEWEST) store<f64>(list, <f64>entry)
  else store<f64>(captureAt(last), <f64>entry, CAPTURE_NEXT)
  store<f64>(list, <f64>entry, 8)
}

/** What is not known, as the reason to stop. */
function unknown(reason: i32, where: u32, symbol: u32): i32 {
  store<u32>(job, where, UNKNOWN_IN)
  store<u32>(job, symbol, UNKNOWN_SYMBOL)
  return reason
}

/** The literal of the attribute whose name an entry of the tape is. */
// @ts-ignore: decorator
@inline function literalAfter(name: usize): usize {
  let at = name + RECORD_SIZE
  while (role(at) != ROLE_LITERAL) at += RECORD_SIZE
  return at
}

/** Whether a condition holds of a tag with attributes from `first` to `tag`: 1 or 0; a reason to stop is negative, and one less than minus it. */
function holds(index: u32, first: usize, tag: usize): i32 {
  const condition = wordAt(load<u32>(job, CONDITIONS)) + (<usize>index << CONDITION_SHIFT)
  const row = wordAt(load<u32>(condition))
  for (let at = first; at < tag; at += RECORD_SIZE) {
    if (role(at) != ROLE_NAME) continue
    const symbol = load<u32>(at, 12)
    const matches = symbol < width ? load<i32>(row + (<usize>symbol << 2)) : -1
    if (matches == -1) return -1 - unknown(UNKNOWN_CONDITION, index, symbol)
    if (matches == 0) continue
    const kind = load<u32>(condition, 4)
    if (kind == 0) return 1
    const literal = literalAfter(at)
    // With references or blanks its value is not what stands there.
    if (literal != at + RECORD_SIZE) return -1 - PROJECT_LEFT
    const value = wordAt(0) + <usize>load<u32>(condition, 8)
    const length = <usize>load<u32>(condition, 12)
    const from = byteAddress(load<u32>(literal, 4))
    const isSame = byteAddress(load<u32>(literal, 8)) - from == length && memory.compare(from, value, length) == 0
    return <i32>(isSame == (kind == CONDITION_IS))
  }
  return 0
}

/**
 * Whether a value of a field is wanted, of a tag with attributes from `first` to `tag`. What is to be marked of it; -1 where it is not, because it counts
 * as absent; a reason to stop is one less than minus it, after that.
 */
function markOf(action: usize, first: usize, tag: usize): i32 {
  const unless = load<u32>(action, ACTION_UNLESS)
  if (unless != 0) {
    const isOff = holds(unless - 1, first, tag)
    if (isOff == 1) return -1
    if (isOff < 0) return isOff - 1
  }
  const mark = <i32>load<u32>(action, ACTION_MARK)
  const empty = load<u32>(action, ACTION_EMPTY)
  if (empty == 0) return mark
  const isOn = holds(empty - 1, first, tag)
  return isOn < 0 ? isOn - 1 : isOn == 1 ? mark | <i32>ABSENT_IF_EMPTY : mark
}

// @ts-ignore: decorator
@inline function isWanted(action: usize): bool {
  return load<u32>(action, ACTION_LINK) != LINK_FIRST || load<f64>(listFor(action)) == 0
}

/** Whether the record of an action is open. */
// @ts-ignore: decorator
@inline function isOpen(action: usize): bool {
  return load<u32>(current + (<usize>load<u32>(action, ACTION_RECORD) << 2)) != 0
}

function linkAbsent(action: usize, origin: f64): void {
  const how = load<u32>(action, ACTION_LINK)
  if (how == LINK_ALL || how == LINK_NEWEST) return
  link(action, addCapture(KIND_ABSENT, 0, 0, origin), 0)
}

/** Begins the record of an action. 0 where there is no room. */
function openRecord(action: usize, depth: i32, origin: f64): u32 {
  if (openCount == MOST_OPEN) return 0
  const listsOfIt = lists + (<usize>listCount << 3)
  const entry = addRecord(load<u32>(action, ACTION_LISTS), origin)
  const number = <usize>load<u32>(action, ACTION_INNER) << 2
  const to = opens + <usize>openCount * OPEN_SIZE
  openCount++
  store<i32>(to, depth)
  store<u32>(to, entry, 4)
  store<u32>(to, <u32>action, 8)
  store<u32>(to, load<u32>(current + number), 12)
  store<u32>(to, load<u32>(currentLists + number), 16)
  store<u32>(to, shapeCount, 20)
  store<f64>(to, covered, 24)
  store<u32>(current + number, entry)
  store<u32>(currentLists + number, <u32>listsOfIt)
  return entry
}

/** Does what is to be done at a start tag in a state: its name stands at `part`. GO, or a reason to stop. */
function takeTag(part: usize, tag: usize, state: u32, depth: i32): i32 {
  const known = stateAt(state)
  const flags = load<u32>(known)
  const first = part + RECORD_SIZE
  const origin = absolute(load<u32>(tag, 4))
  let action = wordAt(load<u32>(known, 4))
  for (let left = load<u32>(known, 8); left > 0; left--, action += ACTION_SIZE) {
    const how = load<u32>(action)
    const takes = how & TAKES
    if (takes == TAKES_FOUND || takes == TAKES_AROUND) {
      if (takes == TAKES_FOUND) covered = 0
      if (openRecord(action, depth, origin) == 0) return PROJECT_LEFT
      continue
    }
    if (!isOpen(action)) {
      // A record that is not here may be open with the host.
      if ((how & OF_AROUND) != 0 && ((how & IS_DONE) == 0 || depth > 0)) return PROJECT_LEFT
      continue
    }
    if (!isWanted(action)) continue
    const mark = markOf(action, first, tag)
    if (mark == -1) {
      linkAbsent(action, origin)
      continue
    }
    if (mark < -1) return -2 - mark
    let entry: u32
    if (takes == TAKES_RECORD) {
      entry = openRecord(action, depth, origin)
      if (entry == 0) return PROJECT_LEFT
      if (load<u32>(action, ACTION_LINK) == LINK_NEWEST) continue
    } else if (takes == TAKES_PRESENCE) {
      entry = addCapture(KIND_PRESENT, 0, 0, origin)
    } else {
      // The end of the element is on the tape: an end tag, or what ends an empty one.
      const close = tag + (<usize>load<u32>(tag, 12) << ENTRY_SHIFT)
      const after = absolute(load<u32>(close, 8))
      const isEmpty = load<u32>(close) != endTag
      const from = takes == TAKES_SOURCE ? origin : isEmpty ? after : absolute(load<u32>(tag, 8)) + 1
      const end = takes == TAKES_SOURCE || isEmpty ? after : absolute(load<u32>(close, 4))
      entry = addCapture(takes == TAKES_SOURCE ? DECODE_PLAIN : DECODE_CONTENT, from, end, from)
      covered += end - from
    }
    link(action, entry, <u32>mark)
  }
  if ((flags & FLAG_ATTRIBUTES) == 0) return isCovering()
  const row = wordAt(load<u32>(known, 12))
  for (let at = first; at < tag; at += RECORD_SIZE) {
    if (role(at) != ROLE_NAME) continue
    const symbol = load<u32>(at, 12)
    const takers = symbol < width ? load<i32>(row + (<usize>symbol << 2)) : -1
    if (takers == -1) return unknown(UNKNOWN_ATTRIBUTE, state, symbol)
    at = literalAfter(at)
    if (takers == 0) continue
    const value = absolute(load<u32>(at, 4))
    const end = absolute(load<u32>(at, 8))
    const list = wordAt(<u32>takers)
    let taker = list + 4
    for (let left = load<u32>(list); left > 0; left--, taker += ACTION_SIZE) {
      if (!isOpen(taker)) {
        if ((load<u32>(taker) & OF_AROUND) != 0) return PROJECT_LEFT
        continue
      }
      if (!isWanted(taker)) continue
      const mark = markOf(taker, first, tag)
      if (mark == -1) {
        linkAbsent(taker, value)
        continue
      }
      if (mark < -1) return -2 - mark
      const isPresence = (load<u32>(taker) & TAKES) == TAKES_PRESENCE
      if (!isPresence) covered += end - value
      const entry = isPresence
        ? addCapture(KIND_PRESENT, 0, 0, value)
        : addCapture(DECODE_VALUE, value, end, value)
      link(taker, entry, <u32>mark)
    }
  }
  return isCovering()
}

/** A record may cover only so much: the host says of which field it is too much. */
// @ts-ignore: decorator
@inline function isCovering(): i32 {
  return covered > mostCovered ? PROJECT_LEFT : GO
}

/** The number that digits are, where JavaScript would write it in the same way; -1 for others. */
function canonical(from: usize, end: usize): i64 {
  const length = end - from
  if (length == 0 || length > 15 || (length > 1 && load<u8>(from) == 0x30)) return -1
  let number: i64 = 0
  for (let at = from; at < end; at++) {
    const digit = <u32>load<u8>(at) - 0x30
    if (digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** Whether bytes of text stand for themselves, in content as in values, and compare as its units do. */
function isPlain(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at)
    if (byte == 0x26 || byte == 0x3c || byte < 0x20 || byte >= 0x80) return false
  }
  return true
}

/** Whether a record is at least as new as another one: 1 or 0, and -1 where that is not for here to say. */
function isAsNew(action: usize, entry: u32, held: u32): i32 {
  let key = wordAt(load<u32>(action, ACTION_KEYS))
  for (let left = load<u32>(action, ACTION_KEY_COUNT); left > 0; left--, key += 8) {
    const one = <u32>load<f64>(listOf(entry, load<u32>(key)))
    const other = <u32>load<f64>(listOf(held, load<u32>(key)))
    if (one == 0 && other == 0) continue
    if (other == 0) return 1
    if (one == 0) return 0
    const first = captureAt(one)
    const second = captureAt(other)
    if (load<f64>(first) > <f64>DECODE_CONTENT || load<f64>(second) > <f64>DECODE_CONTENT) return -1
    if (load<f64>(first, CAPTURE_MARK) != 0 || load<f64>(second, CAPTURE_MARK) != 0) return -1
    const from = offsetAddress(load<f64>(first, CAPTURE_FROM))
    const end = offsetAddress(load<f64>(first, CAPTURE_END))
    const heldFrom = offsetAddress(load<f64>(second, CAPTURE_FROM))
    const heldEnd = offsetAddress(load<f64>(second, CAPTURE_END))
    if (load<u32>(key, 4) == 1) {
      const number = canonical(from, end)
      const heldNumber = canonical(heldFrom, heldEnd)
      if (number < 0 || heldNumber < 0) return -1
      if (number != heldNumber) return <i32>(number > heldNumber)
    } else {
      if (!isPlain(from, end) || !isPlain(heldFrom, heldEnd)) return -1
      const common = min(end - from, heldEnd - heldFrom)
      const difference = memory.compare(from, heldFrom, common)
      if (difference != 0) return <i32>(difference > 0)
      if (end - from != heldEnd - heldFrom) return <i32>(end - from > heldEnd - heldFrom)
    }
  }
  return 1
}

/** Whether a text that is a value of a record around another has ended when that ends, whose element stands between two offsets. */
function isComplete(entry: u32, origin: f64, after: f64): bool {
  const at = captureAt(entry)
  const kind = <i32>load<f64>(at)
  if (kind > DECODE_CONTENT || load<f64>(at, CAPTURE_END) < after) return true
  // That of the other's own element has ended as well.
  const from = load<f64>(at, CAPTURE_FROM)
  return kind == DECODE_PLAIN ? from >= origin : from > origin
}

/** A record with the first value of each list of another one, as they are now, for a record in it that is the value of a field. */
function copyAround(record: u32, action: usize, origin: f64, after: f64): u32 {
  const at = captureAt(record)
  const listsOfIt = <u32>load<f64>(at, CAPTURE_END) >> 1
  const copy = addRecord(listsOfIt, load<f64>(at, CAPTURE_ORIGIN))
  store<f64>(captureAt(copy), <f64>load<u32>(action, ACTION_FIELD), CAPTURE_FIELD)
  for (let slot: u32 = 0; slot < listsOfIt; slot++) {
    const entry = <u32>load<f64>(listOf(record, slot))
    if (entry == 0 || !isComplete(entry, origin, after)) continue
    const list = listOf(copy, slot)
    store<f64>(list, <f64>entry)
    store<f64>(list, <f64>entry, 8)
  }
  return copy
}

/** A record ends that is one of the shape, or around those. False if there is no room. */
function addFound(entry: u32, action: usize, depth: i32, after: f64): bool {
  const isFull = foundTo + FOUND_SIZE > foundEnd || entries + <usize>(entryCount + 1) * CAPTURE_SIZE > <usize>load<u32>(job, ENTRIES_END)
  if (isFull || lists + (<usize>listCount << 3) + MOST_LISTS > <usize>load<u32>(job, LISTS_END)) return false
  const number = load<u32>(action, ACTION_INNER)
  let here: u32 = 0
  if (load<u32>(action) == TAKES_FOUND && load<u32>(action, ACTION_KEY_COUNT) != 0) {
    // It has a field with what is around it.
    here = load<u32>(current + (<usize>load<u32>(action, ACTION_RECORD) << 2))
    const around = here == 0 ? load<u32>(job, AROUND) : copyAround(here, action, load<f64>(captureAt(entry), CAPTURE_ORIGIN), after)
    const list = listOf(entry, load<u32>(action, ACTION_SLOT))
    store<f64>(list, <f64>around)
    store<f64>(list, <f64>around, 8)
  }
  store<u32>(foundTo, entry)
  store<u32>(foundTo, 0, 4)
  store<f64>(foundTo, after, FOUND_END_OF)
  store<u32>(foundTo, number, FOUND_NUMBER)
  store<i32>(foundTo, depth, FOUND_DEPTH)
  store<u32>(foundTo, here, FOUND_AROUND)
  foundTo += FOUND_SIZE
  foundCount++
  if (number == 0) shapeCount++
  return true
}

/** An element ends, before an offset, in which records began, as deep as it is. GO, or a reason to stop. */
function closeRecords(depth: i32, after: f64): i32 {
  while (openCount > 0) {
    const open = opens + <usize>(openCount - 1) * OPEN_SIZE
    if (load<i32>(open) != depth) break
    openCount--
    const entry = load<u32>(open, 4)
    const action = <usize>load<u32>(open, 8)
    const number = <usize>load<u32>(action, ACTION_INNER) << 2
    store<u32>(current + number, load<u32>(open, 12))
    store<u32>(currentLists + number, load<u32>(open, 16))
    const takes = load<u32>(action) & TAKES
    if (takes == TAKES_FOUND || takes == TAKES_AROUND) {
      // One around records of the shape is known from them.
      if (takes == TAKES_AROUND && load<u32>(open, 20) != shapeCount) continue
      if (!addFound(entry, action, depth, after)) return PROJECT_FULL
      continue
    }
    const before = load<f64>(open, 24)
    store<f64>(captureAt(entry), covered - before, CAPTURE_SIZE_WORD)
    if (load<u32>(action, ACTION_LINK) != LINK_NEWEST) continue
    const held = <u32>load<f64>(listFor(action))
    if (held != 0) {
      const isNew = isAsNew(action, entry, held)
      if (isNew == -1) return PROJECT_LEFT
      if (isNew == 0) {
        covered = before
        continue
      }
      covered -= load<f64>(captureAt(held), CAPTURE_SIZE_WORD)
    }
    link(action, entry, 0)
  }
  return GO
}

/** Bytes of lists that the actions of one state may add, and captures of one attribute, which the host sees to. */
const MOST_LISTS: usize = 8192
const MOST_TAKERS: usize = 8

/** Whether there is room for what a tag may add in a state: few captures for each of its entries, and one for each action. */
function hasRoom(part: usize, tag: usize, state: u32): bool {
  const most = ((tag - part) / RECORD_SIZE + 2) * MOST_TAKERS + <usize>load<u32>(stateAt(state), 8)
  const isFull = entries + (<usize>entryCount + most) * CAPTURE_SIZE > <usize>load<u32>(job, ENTRIES_END)
  return !isFull && lists + (<usize>listCount << 3) + MOST_LISTS <= <usize>load<u32>(job, LISTS_END)
}

/** Goes over a complete element of which a record is made, or in which some are: its name stands at `part`, its tag at `tag`. GO, or a reason to stop. */
function takeElement(part: usize, tag: usize, state: u32): i32 {
  const last = tag + ((<usize>load<u32>(tag, 12) + 1) << ENTRY_SHIFT)
  let depth = 0
  openCount = 0
  covered = 0
  store<u32>(states, state)
  let reason = takeTag(part, tag, state, 0)
  if (reason != GO) return reason
  let first = tag + RECORD_SIZE
  for (let at = first; at < last; at += RECORD_SIZE) {
    const what = role(at)
    if (what == ROLE_OPEN) {
      const symbol = load<u32>(first, 12)
      const inner = step(load<u32>(states + (<usize>depth << 2)), symbol)
      if (inner == -1) return unknown(UNKNOWN_STEP, load<u32>(states + (<usize>depth << 2)), symbol)
      const flags = load<u32>(stateAt(inner))
      const partner = <usize>load<u32>(at, 12) << ENTRY_SHIFT
      const before = openCount
      if (flags != FLAG_DEAD) {
        if ((flags & (FLAG_GENERAL | FLAG_WATCHED)) != 0 || depth + 1 == MOST_DEPTH) return PROJECT_LEFT
        if ((flags & (FLAG_ACTS | FLAG_ATTRIBUTES)) != 0) {
          if (!hasRoom(first, at, inner)) return PROJECT_FULL
          reason = takeTag(first, at, inner, depth + 1)
          if (reason != GO) return reason
        }
      }
      if ((flags & FLAG_DEAD) != 0 && openCount == before) {
        // Nothing in it is wanted besides its text.
        at += partner
      } else {
        depth++
        store<u32>(states + (<usize>depth << 2), inner)
        if ((flags & FLAG_DEAD) != 0) at += partner - RECORD_SIZE
      }
    } else if (what == ROLE_CLOSE) {
      reason = closeRecords(depth, absolute(load<u32>(at, 8)))
      if (reason != GO) return reason
      if (depth == 0) return GO
      depth--
    } else if (what == ROLE_LITERAL || what == ROLE_HOLE || what == ROLE_NAME) {
      continue
    }
    first = at + RECORD_SIZE
  }
  return PROJECT_LEFT
}

/**
 * Goes over parts between two addresses of the tape, children of one element in a state, and writes what is wanted of those of which records are made.
 * Gives why it stopped; the results in the job say where. `link` was called before. The offset of the window's first byte is given.
 */
export function project(address: usize, from: usize, end: usize, state: u32, offset: f64): i32 {
  job = address
  const scratch = <usize>load<u32>(job, SCRATCH)
  steps = wordAt(load<u32>(job, NEXT))
  width = load<u32>(job, WIDTH)
  statesAt = wordAt(load<u32>(job, STATES))
  endTag = load<u32>(job, END_TAG)
  mostCovered = <f64>load<u32>(job, MOST_COVERED)
  current = scratch
  currentLists = scratch + (MOST_RECORDS << 2)
  states = scratch + (MOST_RECORDS << 3)
  opens = states + (<usize>MOST_DEPTH << 2)
  entries = <usize>load<u32>(job, ENTRIES)
  lists = <usize>load<u32>(job, LISTS)
  firstEntry = load<u32>(job, FIRST_ENTRY)
  firstList = load<u32>(job, FIRST_LIST)
  entryCount = listCount = foundCount = 0
  windowOffset = offset
  windowStart = <u32>registerOf(WINDOW_START)
  windowAt = registerOf(WINDOW)
  memory.fill(current, 0, MOST_RECORDS << 2)
  foundTo = <usize>load<u32>(job, FOUND)
  foundEnd = <usize>load<u32>(job, FOUND_END)
  let part = from
  let reason = PROJECT_DONE
  for (let at = from; at < end; at += RECORD_SIZE) {
    const what = role(at)
    if (what == ROLE_OPEN) {
      const symbol = load<u32>(part, 12)
      const partner = <usize>load<u32>(at, 12) << ENTRY_SHIFT
      const inner = step(state, symbol)
      if (inner == -1) {
        reason = unknown(UNKNOWN_STEP, state, symbol)
        break
      }
      const flags = load<u32>(stateAt(inner))
      // The host has done its part for elements of one state.
      const isDone = (flags & FLAG_HOST) == 0 || <u32>inner == load<u32>(job, DONE_STATE)
      const isFor = isDone && (flags & FLAG_GENERAL) == 0 && (flags & (FLAG_FOUND | FLAG_AROUND)) != 0
      if (partner == 0 || (flags != FLAG_DEAD && !isFor)) {
        reason = PROJECT_LEFT
        break
      }
      if (flags != FLAG_DEAD) {
        const before = entryCount
        const listsBefore = listCount
        const foundBefore = foundCount
        reason = hasRoom(part, at, inner) ? takeElement(part, at, inner) : PROJECT_FULL
        if (reason != GO) {
          entryCount = before
          listCount = listsBefore
          foundCount = foundBefore
          memory.fill(current, 0, MOST_RECORDS << 2)
          break
        }
        reason = PROJECT_DONE
      }
      at += partner
    } else if (what == ROLE_CLOSE) {
      reason = PROJECT_LEFT
      break
    } else if (what == ROLE_LITERAL || what == ROLE_HOLE || what == ROLE_NAME) {
      continue
    }
    part = at + RECORD_SIZE
  }
  store<u32>(job, <u32>((part - from) / RECORD_SIZE), STOPPED_AT)
  store<u32>(job, entryCount, ENTRY_COUNT)
  store<u32>(job, listCount, LIST_COUNT)
  store<u32>(job, foundCount, FOUND_COUNT)
  return reason
}
