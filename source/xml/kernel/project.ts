// Finding values in records whose elements are complete: goes over the tags on the tape of a machine, and writes captures as
// xml/projection/captures.ts has them. What is wanted is a closed plan (xml/question/closed-plan.ts). What it says to be general is left to the host:
// then nothing of the record stays. Its twin is `Projector.read`. The layout of all this is xml/question/layout.ts.

import { compare, UNKNOWN_ORDER } from './scalars'

/** Within a record: continue. */
const GO: i32 = -1

/** Entries of the tape have 16 bytes. */
const ENTRY_SHIFT: usize = 4

/**
 * Scratch memory: the open records by their numbers, and their lists; the rows of steps of open elements; the open records one in the other.
 */
const MOST_DEPTH: i32 = 256
const OPEN_SIZE: usize = 40
const MOST_OPEN: i32 = 256

const FOUND_SIZE: usize = FOUND_WORDS << 2
/** The last word of an action is how many keys there are. */
const ACTION_SIZE: usize = ACTION_KEY_COUNT + 4
/** What an action does, without what is added to that. */
const TAKES: u32 = <u32>OF_AROUND - 1

let call: usize = 0
let plan: usize = 0
/** Where the classes of symbols are, and the type of end tags. */
let classes: usize = 0
let endTag: u32 = 0
/** By the number of a record: the entry of the open one, and the address of its lists. */
let current: usize = 0
let currentLists: usize = 0
let rows: usize = 0
let opens: usize = 0
let openCount = 0
let entries: usize = 0
let entryCount: u32 = 0
let lists: usize = 0
let listCount: u32 = 0
let foundCount: u32 = 0
/** What is around the last record, where the kernel has found that, and what that record has of it. */
let lastAround: u32 = 0
let lastCopy: u32 = 0
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
/** Whether records are audited, and whether the one that is taken has something that no field has a place for. */
let isAudited = false
let hasMore = false
/** In an audited record: for each open element what it may have, and its number; how many elements there were; and where the last tag ended. */
let elements: usize = 0
let elementCount: u32 = 0
let textFrom: u32 = 0

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
  return entries + <usize>(entry - firstEntry) * CAPTURE_LENGTH
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
  return <usize>load<u32>(call, CALL_FOUND) + <usize>index * FOUND_SIZE
}

/** The address of a place in the plan. */
// @ts-ignore: decorator
@inline export function wordAt(place: u32): usize {
  return plan + (<usize>place << 2)
}

/**
 * The address of the state in an element, from the row of its parent's state and the entries of the tape that are its name and its tag; 0 where that is
 * for the host to say.
 */
// @ts-ignore: decorator
@inline function step(row: usize, name: usize, tag: usize): usize {
  const nameClass = load<u32>(classes + <usize>load<u32>(name, 12) * (CLASS_WORDS << 2))
  const place = load<i32>(row + (<usize>nameClass << 2))
  return place < 0 ? decide(wordAt(-place), name + RECORD_SIZE, tag) : wordAt(place)
}

/** The address of the state that a guard leads to, for a tag with attributes from `first` to `tag`. */
function decide(guard: usize, first: usize, tag: usize): usize {
  const count = load<u32>(guard)
  let outcome: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const isTrue = holds(load<u32>(guard + (<usize>i << 2), 4), first, tag)
    if (isTrue < 0) return 0
    outcome |= <u32>isTrue << i
  }
  return wordAt(load<u32>(guard + (<usize>(count + outcome) << 2), 4))
}

// @ts-ignore: decorator
@inline function attributeClass(name: usize): u32 {
  return load<u32>(classes + <usize>load<u32>(name, 12) * (CLASS_WORDS << 2), 4)
}

/** The entry of a row for the class of the attribute whose name an entry of the tape is. */
// @ts-ignore: decorator
@inline function ofAttribute(row: u32, name: usize): u32 {
  const nameClass = attributeClass(name) & ~<u32>NIL_CLASS
  return load<u32>(wordAt(row + nameClass))
}

// @ts-ignore: decorator
@inline function rowOf(state: usize): usize {
  return wordAt(load<u32>(state, STATE_ROW))
}

function addCapture(kind: i32, from: f64, end: f64, origin: f64): u32 {
  const to = entries + <usize>entryCount * CAPTURE_LENGTH
  store<f64>(to, <f64>kind)
  store<f64>(to, from, CAPTURE_FROM)
  store<f64>(to, end, CAPTURE_END)
  v128.store(to, i64x2.splat(0), CAPTURE_NEXT)
  store<f64>(to, 0, CAPTURE_MARK)
  store<f64>(to, origin, CAPTURE_ORIGIN)
  store<f64>(to, 0, CAPTURE_FIELD)
  store<f64>(to, 0, CAPTURE_SIZE)
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

/** The literal of the attribute whose name an entry of the tape is. */
// @ts-ignore: decorator
@inline function literalAfter(name: usize): usize {
  let at = name + RECORD_SIZE
  while (role(at) != ROLE_LITERAL) at += RECORD_SIZE
  return at
}

/** Whether a condition holds of a tag with attributes from `first` to `tag`: 1 or 0; -1 where that is for the host to say. */
function holds(place: u32, first: usize, tag: usize): i32 {
  const condition = wordAt(place)
  const inverted = load<i32>(condition, CONDITION_INVERTED)
  for (let at = first; at < tag; at += RECORD_SIZE) {
    if (role(at) != ROLE_NAME || ofAttribute(load<u32>(condition, CONDITION_ROW), at) == 0) continue
    const kind = load<u32>(condition, CONDITION_KIND)
    if (kind == CONDITION_KIND_IS_THERE) return 1 ^ inverted
    const literal = literalAfter(at)
    // With references or blanks its value is not what stands there.
    if (literal != at + RECORD_SIZE) return -1
    const value = wordAt(load<u32>(condition, CONDITION_VALUE))
    const length = <usize>load<u32>(condition, CONDITION_LENGTH)
    const from = byteAddress(load<u32>(literal, 4))
    const isSame = byteAddress(load<u32>(literal, 8)) - from == length && memory.compare(from, value, length) == 0
    return <i32>(isSame == (kind == CONDITION_KIND_IS)) ^ inverted
  }
  return inverted
}

/** What a tag with attributes from `first` to `tag` says of a null element: a mark or 0; -1 where that is for the host to say. */
function nilOf(first: usize, tag: usize): i32 {
  for (let at = first; at < tag; at += RECORD_SIZE) {
    if (role(at) != ROLE_NAME || (attributeClass(at) & <u32>NIL_CLASS) == 0) continue
    const literal = literalAfter(at)
    const from = byteAddress(load<u32>(literal, 4))
    const isTrue = byteAddress(load<u32>(literal, 8)) - from == 4 && load<u32>(from) == 0x65757274
    return literal == at + RECORD_SIZE && isTrue ? <i32>IS_NIL : -1
  }
  return 0
}

/**
 * Whether a value of a field is wanted, of a tag with attributes from `first` to `tag`. What is to be marked of it; -1 where it is not, because it counts
 * as absent; -2 where that is for the host to say.
 */
function markOf(action: usize, first: usize, tag: usize): i32 {
  const unless = load<u32>(action, ACTION_UNLESS)
  const isOff = unless == 0 ? 0 : holds(unless, first, tag)
  if (isOff != 0) return isOff == 1 ? -1 : -2
  let mark = <i32>load<u32>(action, ACTION_MARK)
  if (first < tag && (load<u32>(action) & <u32>IS_NILLABLE) != 0) {
    const nil = nilOf(first, tag)
    // Of records, the host says whether they are empty.
    if (nil < 0 || (nil > 0 && (load<u32>(action) & TAKES) == TAKES_RECORD)) return -2
    mark |= nil
  }
  const empty = load<u32>(action, ACTION_EMPTY)
  if (empty == 0) return mark
  const isOn = holds(empty, first, tag)
  return isOn < 0 ? -2 : isOn == 1 ? mark | <i32>ABSENT_IF_EMPTY : mark
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

/** Whether something other than blanks stands between two offsets. */
function hasText(from: u32, end: u32): bool {
  const last = byteAddress(end)
  for (let at = byteAddress(from); at < last; at++) {
    const byte = load<u8>(at)
    if (byte != 0x20 && byte != 0x0a && byte != 0x09 && byte != 0x0d) return true
  }
  return false
}

/** Whether an element in an audited record is, or has, something that no field has a place for, beside attributes. `depth`: how many are open around it. */
function isUnexpected(state: usize, tag: usize, depth: i32): bool {
  const here = elements + (<usize>depth << 3)
  const expected = load<u32>(state, STATE_EXPECTED)
  const from = textFrom
  textFrom = load<u32>(tag, 8) + 1
  store<u32>(here, expected)
  store<u32>(here, ++elementCount, 4)
  if (depth > 0) {
    const around = here - 8
    if (expected == 0 || ((load<u32>(around) & EXPECTED_NO_TEXT) != 0 && hasText(from, load<u32>(tag, 4)))) return true
    if ((expected & EXPECTED_ONCE) != 0 && load<u32>(state, STATE_SEEN) == load<u32>(around, 4)) return true
    store<u32>(state, load<u32>(around, 4), STATE_SEEN)
  }
  return (load<u32>(state) & STATE_FLAG_DEAD) != 0 && (expected & EXPECTED_ALL) == 0 && load<u32>(tag, 12) > 1
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
function takeTag(part: usize, tag: usize, state: usize, depth: i32): i32 {
  const first = part + RECORD_SIZE
  const origin = absolute(load<u32>(tag, 4))
  let action = wordAt(load<u32>(state, STATE_ACTIONS))
  for (let left = load<u32>(state, STATE_ACTION_COUNT); left > 0; left--, action += ACTION_SIZE) {
    const how = load<u32>(action)
    const takes = how & TAKES
    if (takes == TAKES_FOUND || takes == TAKES_AROUND) {
      if (takes == TAKES_FOUND) covered = 0
      if (openRecord(action, depth, origin) == 0) return REASON_LEFT
      continue
    }
    if (!isOpen(action)) {
      // A record that is not here may be open with the host.
      if ((how & <u32>OF_AROUND) != 0 && ((how & <u32>IS_DONE) == 0 || depth > 0)) return REASON_LEFT
      continue
    }
    if (!isWanted(action)) continue
    const mark = markOf(action, first, tag)
    if (mark == -1) {
      linkAbsent(action, origin)
      continue
    }
    if (mark < -1) return REASON_LEFT
    let entry: u32
    if (takes == TAKES_RECORD) {
      entry = openRecord(action, depth, origin)
      if (entry == 0) return REASON_LEFT
      if (load<u32>(action, ACTION_LINK) == LINK_NEWEST) continue
    } else if (takes == TAKES_PRESENCE) {
      entry = addCapture(KIND_PRESENT, 0, 0, origin)
    } else if (takes == TAKES_NAME) {
      entry = addCapture(DECODE_PLAIN, absolute(load<u32>(part, 4)), absolute(load<u32>(part, 8)), origin)
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
  const row = load<u32>(state, STATE_TAKERS)
  if (row == 0 && !isAudited) return isCovering()
  for (let at = first; at < tag; at += RECORD_SIZE) {
    if (role(at) != ROLE_NAME) continue
    const takers = row == 0 ? 0 : ofAttribute(row, at)
    if (isAudited && takers == 0 && (attributeClass(at) & <u32>NIL_CLASS) == 0) hasMore = true
    at = literalAfter(at)
    if (takers == 0) continue
    const value = absolute(load<u32>(at, 4))
    const end = absolute(load<u32>(at, 8))
    const list = wordAt(takers)
    let taker = list + 4
    for (let left = load<u32>(list); left > 0; left--, taker += ACTION_SIZE) {
      if (!isOpen(taker)) {
        if ((load<u32>(taker) & <u32>OF_AROUND) != 0) return REASON_LEFT
        continue
      }
      if (!isWanted(taker)) continue
      const mark = markOf(taker, first, tag)
      if (mark == -1) {
        linkAbsent(taker, value)
        continue
      }
      if (mark < -1) return REASON_LEFT
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
  return covered > mostCovered ? REASON_LEFT : GO
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
    const order = compare(from, end, heldFrom, heldEnd, load<u32>(key, 4) == 1)
    if (order == UNKNOWN_ORDER) return -1
    if (order != 0) return <i32>(order > 0)
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
function addFound(entry: u32, action: usize, after: f64): bool {
  const isFull = foundTo + FOUND_SIZE > foundEnd || entries + <usize>(entryCount + 1) * CAPTURE_LENGTH > <usize>load<u32>(call, CALL_ENTRIES_END)
  if (isFull || lists + (<usize>listCount << 3) + LISTS_ROOM > <usize>load<u32>(call, CALL_ENTRIES)) return false
  const number = load<u32>(action, ACTION_INNER)
  let here: u32 = 0
  if (isAudited && hasMore) store<f64>(captureAt(entry), <f64>HAS_MORE, CAPTURE_MARK)
  if (load<u32>(action) == TAKES_FOUND && load<u32>(action, ACTION_KEY_COUNT) != 0) {
    // It has a field with what is around it.
    here = load<u32>(current + (<usize>load<u32>(action, ACTION_RECORD) << 2))
    if (here != lastAround || load<u32>(call, CALL_SHARES_AROUND) == 0) {
      lastAround = here
      lastCopy = here == 0 ? load<u32>(call, CALL_AROUND) : copyAround(here, action, load<f64>(captureAt(entry), CAPTURE_ORIGIN), after)
    }
    const list = listOf(entry, load<u32>(action, ACTION_SLOT))
    store<f64>(list, <f64>lastCopy)
    store<f64>(list, <f64>lastCopy, 8)
  }
  store<u32>(foundTo, entry)
  store<u32>(foundTo, 0, FOUND_LINE_END)
  store<f64>(foundTo, after, FOUND_ELEMENT_END)
  store<u32>(foundTo, number, FOUND_NUMBER)
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
      if (!addFound(entry, action, after)) return REASON_FULL
      continue
    }
    const before = load<f64>(open, 24)
    store<f64>(captureAt(entry), covered - before, CAPTURE_SIZE)
    if (load<u32>(action, ACTION_LINK) != LINK_NEWEST) continue
    const held = <u32>load<f64>(listFor(action))
    if (held != 0) {
      const isNew = isAsNew(action, entry, held)
      if (isNew == -1) return REASON_LEFT
      if (isNew == 0) {
        covered = before
        continue
      }
      covered -= load<f64>(captureAt(held), CAPTURE_SIZE)
    }
    link(action, entry, 0)
  }
  return GO
}

/** Bytes of lists that the actions of one state may add. */
const LISTS_ROOM: usize = MOST_LISTS << 4

/** Whether there is room for what a tag may add in a state: few captures for each of its entries, and one for each action. */
function hasRoom(part: usize, tag: usize, state: usize): bool {
  const most = ((tag - part) / RECORD_SIZE + 2) * MOST_TAKERS + <usize>load<u32>(state, STATE_ACTION_COUNT)
  const isFull = entries + (<usize>entryCount + most) * CAPTURE_LENGTH > <usize>load<u32>(call, CALL_ENTRIES_END)
  return !isFull && lists + (<usize>listCount << 3) + LISTS_ROOM <= <usize>load<u32>(call, CALL_ENTRIES)
}

/** Goes over a complete element of which a record is made, or in which some are: its name stands at `part`, its tag at `tag`. GO, or a reason to stop. */
function takeElement(part: usize, tag: usize, state: usize): i32 {
  const last = tag + ((<usize>load<u32>(tag, 12) + 1) << ENTRY_SHIFT)
  let depth = 0
  openCount = 0
  covered = 0
  store<u32>(rows, <u32>rowOf(state))
  hasMore = isAudited && isUnexpected(state, tag, 0)
  let reason = takeTag(part, tag, state, 0)
  if (reason != GO) return reason
  let first = tag + RECORD_SIZE
  for (let at = first; at < last; at += RECORD_SIZE) {
    const what = role(at)
    if (what == ROLE_OPEN) {
      const inner = step(load<u32>(rows + (<usize>depth << 2)), first, at)
      if (inner == 0) return REASON_LEFT
      const flags = load<u32>(inner)
      const partner = <usize>load<u32>(at, 12) << ENTRY_SHIFT
      const before = openCount
      if (isAudited && !hasMore) hasMore = isUnexpected(inner, at, depth + 1)
      if (flags != STATE_FLAG_DEAD) {
        if ((flags & (STATE_FLAG_GENERAL | STATE_FLAG_WATCHED)) != 0 || depth + 1 == MOST_DEPTH) return REASON_LEFT
        if (isAudited || (flags & (STATE_FLAG_ACTS | STATE_FLAG_ATTRIBUTES)) != 0) {
          if (!hasRoom(first, at, inner)) return REASON_FULL
          reason = takeTag(first, at, inner, depth + 1)
          if (reason != GO) return reason
        }
      }
      if ((flags & STATE_FLAG_DEAD) != 0 && openCount == before && (!isAudited || hasMore)) {
        // Nothing in it is wanted besides its text.
        at += partner
      } else {
        depth++
        store<u32>(rows + (<usize>depth << 2), <u32>rowOf(inner))
        if ((flags & STATE_FLAG_DEAD) != 0) at += partner - RECORD_SIZE
      }
    } else if (what == ROLE_CLOSE) {
      if (isAudited && !hasMore) {
        const hasNoText = (load<u32>(elements + (<usize>depth << 3)) & EXPECTED_NO_TEXT) != 0
        hasMore = hasNoText && load<u32>(at) == endTag && hasText(textFrom, load<u32>(at, 4))
        textFrom = load<u32>(at, 8)
      }
      reason = closeRecords(depth, absolute(load<u32>(at, 8)))
      if (reason != GO) return reason
      if (depth == 0) return GO
      depth--
    } else if (what == ROLE_LITERAL || what == ROLE_HOLE || what == ROLE_NAME) {
      continue
    }
    first = at + RECORD_SIZE
  }
  return REASON_LEFT
}

/**
 * Goes over parts between two addresses of the tape, children of one element in the state at a place, and writes what is wanted of those of which records are made.
 * Gives why it stopped; the results in the call say where. `link` was called before. The offset of the window's first byte is given.
 */
export function project(address: usize, from: usize, end: usize, state: u32, offset: f64): i32 {
  call = address
  plan = address + (CALL_WORDS << 2)
  const scratch = <usize>load<u32>(call, CALL_SCRATCH)
  classes = <usize>load<u32>(call, CALL_CLASSES)
  endTag = load<u32>(call, CALL_END_TAG)
  mostCovered = <f64>load<u32>(call, CALL_MOST_COVERED)
  current = scratch
  currentLists = scratch + (MOST_RECORDS << 2)
  rows = scratch + (MOST_RECORDS << 3)
  opens = rows + (<usize>MOST_DEPTH << 2)
  elements = opens + <usize>MOST_OPEN * OPEN_SIZE
  entries = <usize>load<u32>(call, CALL_ENTRIES)
  lists = <usize>load<u32>(call, CALL_LISTS)
  firstEntry = load<u32>(call, CALL_FIRST_ENTRY)
  firstList = load<u32>(call, CALL_FIRST_LIST)
  entryCount = listCount = foundCount = 0
  lastAround = lastCopy = <u32>-1
  windowOffset = offset
  windowStart = <u32>registerOf(WINDOW_START)
  windowAt = registerOf(WINDOW)
  memory.fill(current, 0, MOST_RECORDS << 2)
  foundTo = <usize>load<u32>(call, CALL_FOUND)
  foundEnd = <usize>load<u32>(call, CALL_LISTS)
  const row = rowOf(wordAt(state))
  const doneState = wordAt(load<u32>(call, CALL_DONE_STATE))
  isAudited = load<u32>(doneState, STATE_EXPECTED) != 0
  let part = from
  let reason = REASON_DONE
  for (let at = from; at < end; at += RECORD_SIZE) {
    const what = role(at)
    if (what == ROLE_OPEN) {
      const partner = <usize>load<u32>(at, 12) << ENTRY_SHIFT
      const inner = step(row, part, at)
      const flags = inner == 0 ? <u32>STATE_FLAG_GENERAL : load<u32>(inner)
      // The host has done its part for elements of one state.
      const isDone = (flags & STATE_FLAG_HOST) == 0 || inner == doneState
      const isFor = isDone && (flags & STATE_FLAG_GENERAL) == 0 && (flags & (STATE_FLAG_FOUND | STATE_FLAG_AROUND)) != 0
      // What stands around audited records is for the host.
      const isLeft = flags == STATE_FLAG_DEAD ? isAudited : !isFor
      if (partner == 0 || isLeft || (isAudited && part > from && hasText(textFrom, load<u32>(at, 4)))) {
        reason = REASON_LEFT
        break
      }
      if (flags != STATE_FLAG_DEAD) {
        const before = entryCount
        const listsBefore = listCount
        const foundBefore = foundCount
        reason = hasRoom(part, at, inner) ? takeElement(part, at, inner) : REASON_FULL
        if (reason != GO) {
          entryCount = before
          listCount = listsBefore
          foundCount = foundBefore
          memory.fill(current, 0, MOST_RECORDS << 2)
          break
        }
        reason = REASON_DONE
      }
      at += partner
      textFrom = load<u32>(at, 8)
    } else if (what == ROLE_CLOSE) {
      reason = REASON_LEFT
      break
    } else if (what == ROLE_LITERAL || what == ROLE_HOLE || what == ROLE_NAME) {
      continue
    }
    part = at + RECORD_SIZE
  }
  store<u32>(call, <u32>((part - from) / RECORD_SIZE), CALL_STOPPED_AT)
  store<u32>(call, entryCount, CALL_ENTRY_COUNT)
  store<u32>(call, listCount, CALL_LIST_COUNT)
  store<u32>(call, foundCount, CALL_FOUND_COUNT)
  return reason
}
