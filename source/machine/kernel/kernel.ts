// The kernel of the parsing machine. What each instruction does is said in machine/program/instructions.ts, what the registers and the
// regions of memory are in machine/program/registers.ts; the constants in capitals that are not declared here are made from these two files
// and stand before this one when it is compiled. The host lays out the memory, moves regions that are full, and calls `run` again.
// Its twin in plain TypeScript is machine/run/interpreter.ts: what one does, the other does.
//
// Inside `run`, positions and the tape's end are addresses; in the stack, the tape and the registers they are offsets modulo 2^32.

// @ts-ignore: decorator
@inline function register(index: i32): usize {
  return <usize>load<u32>(REGISTERS + (index << 2))
}

// @ts-ignore: decorator
@inline function setRegister(index: i32, value: usize): void {
  store<u32>(REGISTERS + (index << 2), <u32>value)
}

/** Bit h of byte l of a class's first 16 bytes says whether the byte with the high half h and the low half l belongs to it. */
const HIGH_BITS = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0)
/** Parts of a class: what each byte says (0 not a member, 1 a member, 2 decode), whether all but ASCII belong, ranges. */
const CLASS_BYTES: usize = 16
const CLASS_ALL: usize = 272
const CLASS_RANGE_COUNT: usize = 276
const CLASS_RANGES: usize = 280

// @ts-ignore: decorator
@inline function sequenceLength(first: u32): usize {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** Whether the code point at `at`, which is not ASCII, is in one of the ranges of the class. The text is well-formed. */
function isInRanges(set: usize, at: usize): bool {
  const first = <u32>load<u8>(at)
  let point: u32
  if (first < 0xe0) {
    point = ((first & 31) << 6) | (<u32>load<u8>(at, 1) & 63)
  } else if (first < 0xf0) {
    point = ((first & 15) << 12) | ((<u32>load<u8>(at, 1) & 63) << 6) | (<u32>load<u8>(at, 2) & 63)
  } else {
    point =
      ((first & 7) << 18) |
      ((<u32>load<u8>(at, 1) & 63) << 12) |
      ((<u32>load<u8>(at, 2) & 63) << 6) |
      (<u32>load<u8>(at, 3) & 63)
  }
  let low = 0
  let high = <i32>load<u32>(set, CLASS_RANGE_COUNT)
  while (low < high) {
    const middle = (low + high) >>> 1
    const range = set + CLASS_RANGES + (<usize>middle << 3)
    if (point < load<u32>(range)) high = middle
    else if (point > load<u32>(range, 4)) low = middle + 1
    else return true
  }
  return false
}

/** Whether the code point at `at` is of the class. */
// @ts-ignore: decorator
@inline function isMember(set: usize, at: usize): bool {
  const says = load<u8>(set + <usize>load<u8>(at), CLASS_BYTES)
  return says == 1 || (says == 2 && isInRanges(set, at))
}

/** A bit for each of 16 bytes that is outside of a class. Of bytes that are not ASCII, `all` says whether none is or all may be. */
// @ts-ignore: decorator
@inline function findOutside(at: usize, table: v128, all: i32): i32 {
  const bytes = v128.load(at)
  const bits = v128.and(
    i8x16.swizzle(table, v128.and(bytes, i8x16.splat(15))),
    i8x16.swizzle(HIGH_BITS, v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15))),
  )
  return i8x16.bitmask(i8x16.eq(bits, i8x16.splat(0))) & ~(i8x16.bitmask(bytes) & all)
}

/** The end of the run of code points of the class that begins at `from`; at most `end`. Reads up to 16 bytes after `end`. */
// @ts-ignore: decorator
@inline function findSpanEnd(set: usize, from: usize, end: usize): usize {
  const table = v128.load(set)
  const all = load<i32>(set, CLASS_ALL)
  let at = from
  while (at < end) {
    const outside = findOutside(at, table, all)
    if (outside == 0) {
      at += 16
      continue
    }
    at += ctz(outside)
    if (at >= end) break
    const first = <u32>load<u8>(at)
    if (first < 0x80 || !isMember(set, at)) return at
    at += sequenceLength(first)
  }
  return min(at, end)
}

/** Parts of a list of literals: how many there are, how many of them are longer than a byte, the bytes that are one, as bits. */
const LIST_LONG_COUNT: usize = 4
const LIST_BYTES: usize = 8
const LIST_ENTRIES: usize = 24

/** What `findLiteral` found: nothing (0), a literal (1), or what may be one when more input comes (2). */
let found = 0

/** Whether a listed literal of several bytes begins at `at` (1), or may begin there when more input comes (2), or none does (0). */
function matchLong(list: usize, data: usize, at: usize, end: usize): i32 {
  let answer = 0
  const word = load<u32>(at)
  let entry = list + LIST_ENTRIES
  for (let i = load<u32>(list, LIST_LONG_COUNT); i > 0; i--) {
    const isLike = (word & load<u32>(entry, 12)) == load<u32>(entry, 8)
    const length = <usize>load<u32>(entry, 4)
    const literal = data + <usize>load<u32>(entry)
    entry += 16
    if (at + length <= end) {
      if (isLike && (length <= 4 || memory.compare(at, literal, length) == 0)) return 1
    } else if (memory.compare(at, literal, end - at) == 0) {
      answer = 2
    }
  }
  return answer
}

/**
 * Where the first of the listed literals begins from `from` on, or may begin when more input comes, or `end`. The class holds the bytes
 * that begin none of them.
 */
function findLiteral(set: usize, list: usize, data: usize, from: usize, end: usize): usize {
  const table = v128.load(set)
  const all = load<i32>(set, CLASS_ALL)
  for (let at = from; at < end; at += 32) {
    // No literal begins in the middle of a code point, so that all bytes of those that are not ASCII may be looked at, or none.
    let candidates = findOutside(at, table, all)
    if (at + 16 < end) candidates |= findOutside(at + 16, table, all) << 16
    while (candidates != 0) {
      const candidate = at + <usize>ctz(candidates)
      if (candidate >= end) {
        found = 0
        return end
      }
      const byte = <usize>load<u8>(candidate)
      const isLiteral = byte < 0x80 && (load<u8>(list + (byte >>> 3), LIST_BYTES) >>> (<u8>byte & 7)) & 1
      found = isLiteral ? 1 : matchLong(list, data, candidate, end)
      if (found != 0) return candidate
      candidates &= candidates - 1
    }
  }
  found = 0
  return end
}

/** Compares with a lower-case literal where A-Z in the input stand for a-z. */
function equalsFolded(at: usize, literal: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = <u32>load<u8>(at + i)
    const folded = byte - 65 < 26 ? byte | 32 : byte
    if (folded != <u32>load<u8>(literal + i)) return false
  }
  return true
}

/** Where in the entry of a name its first bytes stand. */
const NAME_BEGINNING: usize = 16

/** Bytes up to which a text is compared and hashed as one vector: names mostly are, and are of all lengths, which no branch can foresee. */
const SHORT: usize = 16

/** Ones for the first bytes of a vector: so many, at most 16. */
// @ts-ignore: decorator
@inline function maskOf(length: usize): v128 {
  return i8x16.gt_s(i8x16.splat(<i8>length), i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
}

/** Whether so many bytes are the same in two places. Reads up to 16 bytes more. */
// @ts-ignore: decorator
@inline function isSame(one: usize, other: usize, length: usize): bool {
  if (length > SHORT) return memory.compare(one, other, length) == 0
  return !v128.any_true(v128.and(v128.xor(v128.load(one), v128.load(other)), maskOf(length)))
}

/** Whether the text from `start` to `end` is one of the listed literals. */
function isListed(list: usize, data: usize, start: usize, end: usize): bool {
  let entry = list + LIST_ENTRIES
  for (let i = load<u32>(list); i > 0; i--) {
    const literal = data + <usize>load<u32>(entry)
    const length = <usize>load<u32>(entry, 4)
    entry += 16
    if (length == end - start && isSame(start, literal, length)) return true
  }
  return false
}

/** Saves the stack entry at `at` before it is gone, for the checkpoint: how low the stack has been then. */
function save(at: usize): usize {
  const saved = register(SAVED)
  v128.store(register(SAVES) + (saved << 4), v128.load(at))
  setRegister(SAVED, saved + 1)
  return at
}

/** Whether the undo log has room for an entry. */
// @ts-ignore: decorator
@inline function hasLogRoom(): bool {
  return (register(LOG_LENGTH) + 1) * LOG_ENTRY_SIZE <= register(LOG_SIZE)
}

function log(kind: u32, what: u32, value: u32): void {
  const length = register(LOG_LENGTH)
  const entry = register(LOG) + length * LOG_ENTRY_SIZE
  store<u32>(entry, (what << 8) | kind)
  store<u32>(entry, value, 4)
  setRegister(LOG_LENGTH, length + 1)
}

/** Undoes all changes of symbols since the log had this length. */
export function undo(length: i32): void {
  let at = register(LOG_LENGTH)
  while (at > <usize>length) {
    at--
    const entry = register(LOG) + at * LOG_ENTRY_SIZE
    const head = load<u32>(entry)
    const value = load<u32>(entry, 4)
    const depth = register(SYMBOL_DEPTH)
    switch (head & 255) {
      case LOG_PUSH:
        setRegister(SYMBOL_DEPTH, depth - 1)
        break
      case LOG_POP: {
        const symbol = register(SYMBOLS) + depth * SYMBOL_SIZE
        store<u32>(symbol, head >> 8)
        store<u32>(symbol, value, 4)
        setRegister(SYMBOL_DEPTH, depth + 1)
        break
      }
      case LOG_SCOPE:
        setRegister(SCOPE_NOW, value)
        break
      case LOG_PART:
        setRegister(CLOSED, value)
        break
      default:
        store<u32>(register(NAMES) + <usize>(head >> 8) * NAME_SIZE, value, 12)
    }
  }
  setRegister(LOG_LENGTH, length)
  if (<usize>length < register(LOG_LOW)) setRegister(LOG_LOW, length)
}

// @ts-ignore: decorator
@inline function mix(hash: u32, word: u32): u32 {
  const mixed = (hash ^ word) * 0x9e3779b1
  return mixed ^ (mixed >> 15)
}

/**
 * A hash of up to 16 bytes, with zeros after: four at a time, mixed by multiplication and shift as in MurmurHash. It begins with a seed of
 * the process, so that nobody can prepare names that collide.
 */
// @ts-ignore: decorator
@inline function hashOf(bytes: v128, length: usize): u32 {
  let hash = <u32>register(SEED) ^ <u32>length
  hash = mix(hash, i32x4.extract_lane(bytes, 0))
  hash = mix(hash, i32x4.extract_lane(bytes, 1))
  if (length > 8) {
    hash = mix(hash, i32x4.extract_lane(bytes, 2))
    hash = mix(hash, i32x4.extract_lane(bytes, 3))
  }
  return hash & ~1
}

/** Hash of a name of more than 16 bytes. Reads up to 3 bytes more. */
function hashLong(start: usize, length: usize): u32 {
  let hash = <u32>register(SEED) ^ <u32>length
  let i: usize = 0
  while (i + 4 <= length) {
    hash = mix(hash, load<u32>(start + i))
    i += 4
  }
  if (i < length) hash = mix(hash, load<u32>(start + i) & ((1 << (<u32>(length - i) << 3)) - 1))
  return hash & ~1
}

/** The first bytes of a name, with zeros after; not more than what is there: the entry of a longer name has its beginning as well. */
// @ts-ignore: decorator
@inline function beginningOf(start: usize, length: usize): v128 {
  return v128.and(v128.load(start), maskOf(min(length, SHORT)))
}

/** Where the name that was last looked for would be entered. */
let vacant: u32 = 0

/** The number of a name; 0 where it is new. */
// @ts-ignore: decorator
@inline function findName(start: usize, length: usize, bytes: v128, hash: u32): u32 {
  const names = register(NAMES)
  const hashes = register(HASHES)
  const slots = <u32>register(HASHES_SIZE) >> 2
  let slot = (hash >>> 1) & (slots - 1)
  for (;;) {
    const name = load<u32>(hashes + (<usize>slot << 2))
    if (name == 0) break
    const entry = names + <usize>name * NAME_SIZE
    const isLike = !v128.any_true(v128.xor(bytes, v128.load(entry, NAME_BEGINNING)))
    if (isLike && <usize>load<u32>(entry, 4) == length) {
      if (length <= SHORT || isSame(register(NAME_BYTES) + <usize>load<u32>(entry), start, length)) return name
    }
    slot = (slot + 1) & (slots - 1)
  }
  vacant = slot
  return 0
}

/** The number of the name from `start` to `end`, which is made when it is new; 0 when there is no room for it. */
function intern(start: usize, end: usize): u32 {
  const length = end - start
  const bytes = beginningOf(start, length)
  const hash = length <= SHORT ? hashOf(bytes, length) : hashLong(start, length)
  const known = findName(start, length, bytes, hash)
  if (known != 0) return known
  const names = register(NAMES)
  const slots = <u32>register(HASHES_SIZE) >> 2
  const name = <u32>register(NAME_COUNT) + 1
  const used = register(NAME_BYTES_USED)
  // At most half of the slots are used.
  if (name * 2 > slots || <usize>(name + 1) * NAME_SIZE > register(NAMES_SIZE)) return 0
  if (used + length > register(NAME_BYTES_SIZE)) return 0
  memory.copy(register(NAME_BYTES) + used, start, length)
  const entry = names + <usize>name * NAME_SIZE
  store<u32>(entry, <u32>used)
  store<u32>(entry, <u32>length, 4)
  store<u32>(entry, hash, 8)
  store<u32>(entry, 0, 12)
  v128.store(entry, bytes, NAME_BEGINNING)
  store<u32>(register(HASHES) + (<usize>vacant << 2), name)
  setRegister(NAME_BYTES_USED, used + length)
  setRegister(NAME_COUNT, name)
  return name
}

/** Whether a complete name stands at `at`. Reads up to 16 bytes more. */
// @ts-ignore: decorator
@inline function isNameAt(at: usize, entry: usize, length: usize): bool {
  if (length > SHORT) return memory.compare(at, register(NAME_BYTES) + <usize>load<u32>(entry), length) == 0
  const bytes = v128.and(v128.load(at), maskOf(length))
  return !v128.any_true(v128.xor(bytes, v128.load(entry, NAME_BEGINNING)))
}

/** Enters all names into the table of hashes again, after the host has enlarged and cleared it. */
export function rehash(): void {
  const hashes = register(HASHES)
  const slots = <u32>register(HASHES_SIZE) >> 2
  const count = <u32>register(NAME_COUNT)
  for (let name: u32 = 1; name <= count; name++) {
    let slot = (load<u32>(register(NAMES) + <usize>name * NAME_SIZE, 8) >>> 1) & (slots - 1)
    while (load<u32>(hashes + (<usize>slot << 2)) != 0) slot = (slot + 1) & (slots - 1)
    store<u32>(hashes + (<usize>slot << 2), name)
  }
}

// @ts-ignore: decorator
@inline function writeRecord(at: usize, type: u32, start: u32, end: u32, first: u32): usize {
  store<u32>(at, type)
  store<u32>(at, start, 4)
  store<u32>(at, end, 8)
  store<u32>(at, first, 12)
  return at + RECORD_SIZE
}

/** Pushes an entry of the stack. */
// @ts-ignore: decorator
@inline function pushEntry(sp: usize, head: u32, position: u32, tapeEnd: u32, last: u32): void {
  store<u32>(sp, head)
  store<u32>(sp, position, 4)
  store<u32>(sp, tapeEnd, 8)
  store<u32>(sp, last, 12)
}

/** What an instruction gives that neither fails nor has a reason to stop. */
const PASSED: i32 = -1

/** The symbol of the name that was pushed last, or was unique. */
let symbol: u32 = 0

/** Pushes the symbol of the name from `start` to `end`, which begins at the offset: PASSED, or the reason to stop. */
// @ts-ignore: decorator
@inline function pushSymbol(start: usize, end: usize, offset: usize): i32 {
  const depth = register(SYMBOL_DEPTH)
  if (!hasLogRoom()) return STOP_LOG_FULL
  if (depth * SYMBOL_SIZE == register(SYMBOLS_SIZE)) return STOP_SYMBOLS_FULL
  symbol = intern(start, end)
  if (symbol == 0) return STOP_NAMES_FULL
  log(LOG_PUSH, 0, 0)
  const entry = register(SYMBOLS) + depth * SYMBOL_SIZE
  store<u32>(entry, symbol)
  store<u32>(entry, <u32>offset, 4)
  setRegister(SYMBOL_DEPTH, depth + 1)
  return PASSED
}

/** Pops the symbol whose entry is on top, where the log has room. */
// @ts-ignore: decorator
@inline function popEntry(entry: usize, depth: usize): void {
  log(LOG_POP, load<u32>(entry), load<u32>(entry, 4))
  setRegister(SYMBOL_DEPTH, depth - 1)
}

/** Pops the symbol on top: PASSED, the reason to stop, or 0 where there is none. */
// @ts-ignore: decorator
@inline function popSymbol(): i32 {
  const depth = register(SYMBOL_DEPTH)
  if (depth == 0) return 0
  if (!hasLogRoom()) return STOP_LOG_FULL
  popEntry(register(SYMBOLS) + (depth - 1) * SYMBOL_SIZE, depth)
  return PASSED
}

/** Begins a scope in which no symbol was seen: PASSED, or the reason to stop. */
// @ts-ignore: decorator
@inline function beginScope(): i32 {
  if (!hasLogRoom()) return STOP_LOG_FULL
  log(LOG_SCOPE, 0, <u32>register(SCOPE_NOW))
  setRegister(SCOPE_NEWEST, register(SCOPE_NEWEST) + 1)
  setRegister(SCOPE_NOW, register(SCOPE_NEWEST))
  return PASSED
}

/** Sees the symbol of the name from `start` to `end` in the scope: PASSED, the reason to stop, or 0 where it was seen before. */
// @ts-ignore: decorator
@inline function seeSymbol(start: usize, end: usize): i32 {
  if (!hasLogRoom()) return STOP_LOG_FULL
  symbol = intern(start, end)
  if (symbol == 0) return STOP_NAMES_FULL
  const entry = register(NAMES) + <usize>symbol * NAME_SIZE
  const scope = <u32>register(SCOPE_NOW)
  if (load<u32>(entry, 12) == scope) return 0
  log(LOG_SEEN, symbol, load<u32>(entry, 12))
  store<u32>(entry, scope, 12)
  return PASSED
}

/** Whether a BYTE is next and matches: after a span it mostly does, and to see that at once saves a turn of the loop. */
// @ts-ignore: decorator
@inline function isByteNext(pc: usize, p: usize, end: usize): bool {
  const word = load<u32>(pc)
  return (word & 255) == BYTE && p < end && load<u8>(p) == <u8>(word >> 8)
}

/** After a SPAN that is next, and may match nothing, when it does: blanks that may be there mostly are not. Else `pc`. */
// @ts-ignore: decorator
@inline function passAbsent(pc: usize, p: usize, end: usize, data: usize): usize {
  const word = load<u32>(pc)
  if ((word & 255) != SPAN || load<u32>(pc, 4) != 0 || p >= end) return pc
  return load<u8>(data + <usize>(word >> 8) + CLASS_BYTES + <usize>load<u8>(p)) == 0 ? pc + 8 : pc
}

/** Where a jump that is next, and then a look at the next byte, lead to: they mostly are after what matches, and save two turns. */
// @ts-ignore: decorator
@inline function follow(pc: usize, p: usize, end: usize, code: usize, data: usize): usize {
  let at = pc
  let word = load<u32>(at)
  if ((word & 255) == JUMP) {
    at = code + (<usize>(word >> 8) << 2)
    word = load<u32>(at)
  }
  if (p >= end) return at
  if (word == SWITCH) {
    // Its depth is 0.
    const table = data + <usize>load<u32>(at, 4)
    const way = <usize>load<u8>(table + <usize>load<u8>(p))
    at = code + (<usize>load<u32>(table + (way << 2), 256) << 2)
    word = load<u32>(at)
  }
  if ((word & 255) == TEST && load<u32>(at, 4) == 0) {
    const isIn = load<u8>(data + <usize>load<u32>(at, 8) + <usize>load<u8>(p)) != 0
    at = isIn ? at + 12 : code + (<usize>(word >> 8) << 2)
  }
  return at
}

/** Pays for going back from one address to another: 0, or a reason to stop. */
function pay(from: usize, to: usize, shift: usize): i32 {
  let budget = load<i64>(REGISTERS + (BUDGET << 2))
  const reached = register(REACHED) + shift
  if (from > reached) {
    // What is read for the first time may be read again.
    budget = min(budget + <i64>(from - reached) * <i64>register(REWIND_FACTOR), MOST_BUDGET)
    setRegister(REACHED, from - shift)
  }
  const cost = <i32>(from - to + REWIND_COST)
  budget -= cost
  store<i64>(REGISTERS + (BUDGET << 2), budget)
  const fuel = <i32>register(FUEL) - cost
  setRegister(FUEL, fuel)
  return budget < 0 ? STOP_REWOUND : fuel < 0 ? STOP_PAUSED : 0
}

/** No reason to stop for the host: the compiled code may continue. */
const STOP_COMPILED: i32 = -1

/** Runs until something stops it, and says what (Stop in machine/program/instructions.ts). */
export function run(): i32 {
  if (!IS_COMPILED) return interpret()
  for (;;) {
    enterCompiled()
    const stop = interpret()
    if (stop != STOP_COMPILED) return stop
  }
  return 0
}

/** Interprets code until something stops it, or it comes to where compiled code may be entered; at least one instruction. */
function interpret(): i32 {
  const code = register(CODE)
  const data = register(DATA)
  const stack = register(STACK)
  const stackEnd = stack + register(STACK_SIZE)
  const tapeShift = register(TAPE) - register(TAPE_START)
  const tapeEnd = register(TAPE) + register(TAPE_SIZE)
  const tapeMark = register(TAPE) + register(TAPE_MARK)
  const shift = register(WINDOW) - register(WINDOW_START)
  const end = register(INPUT_END) + shift
  const isFinal = register(IS_FINAL) != 0

  let pc = code + (register(PC) << 2)
  let p = register(POSITION) + shift
  let m = register(MARK) + shift
  let sp = stack + register(STACK_TOP)
  let t = register(TAPE_END) + tapeShift
  let low = stack + register(LOW)
  let oldest = stack + register(OLDEST) // equal to `stack`: none
  let part = stack + register(PART)
  let farthest = register(FARTHEST) + shift
  let quiet = register(QUIET)
  let resumed = register(RESUMED) != 0
  let result = 0
  let isFirst = true

  while (true) {
    if (IS_COMPILED) {
      if (!isFirst && oldest == stack && isEntry((pc - code) >> 2)) {
        result = STOP_COMPILED
        break
      }
      isFirst = false
    }
    let stop = 0
    const word = load<u32>(pc)
    const a = <usize>(word >> 8)
    switch (word & 255) {
      case DONE:
        stop = STOP_DONE
        break
      case FAIL:
        break

      case BYTE:
        if (p < end) {
          if (load<u8>(p) != <u8>a) break
          m = p
          p++
          pc = follow(pc + 4, p, end, code, data)
          continue
        }
        if (!isFinal) stop = STOP_INPUT
        break

      case WORD:
        if (p + a <= end) {
          if ((load<u32>(p) & load<u32>(pc, 8)) != load<u32>(pc, 4)) break
          m = p
          p += a
          pc += 12
          continue
        }
        // What is there decides already when it differs.
        if (!isFinal && memory.compare(p, pc + 4, end - p) == 0) stop = STOP_INPUT
        break

      case LITERAL: {
        const length = <usize>load<u32>(pc, 4)
        if (p + length <= end) {
          if (memory.compare(p, data + a, length) != 0) break
          m = p
          p += length
          pc += 8
          continue
        }
        if (!isFinal && memory.compare(p, data + a, end - p) == 0) stop = STOP_INPUT
        break
      }

      case FOLD: {
        const length = <usize>load<u32>(pc, 4)
        if (p + length <= end) {
          if (!equalsFolded(p, data + a, length)) break
          m = p
          p += length
          pc += 8
          continue
        }
        if (!isFinal && equalsFolded(p, data + a, end - p)) stop = STOP_INPUT
        break
      }

      case CLASS: {
        if (p >= end) {
          if (!isFinal) stop = STOP_INPUT
          break
        }
        if (!isMember(data + a, p)) break
        m = p
        p += sequenceLength(<u32>load<u8>(p))
        pc += 4
        continue
      }

      case SPAN:
        if (resumed) resumed = false
        else m = p
        // What may be left out often is, as blanks are.
        if (p == end || load<u32>(pc, 4) != 0 || load<u8>(data + a + CLASS_BYTES + <usize>load<u8>(p)) != 0) {
          p = findSpanEnd(data + a, p, end)
        }
        if (p == end && !isFinal) {
          resumed = true
          stop = STOP_INPUT
          break
        }
        if (p == m && load<u32>(pc, 4) != 0) break
        pc += 8
        if (isByteNext(pc, p, end)) {
          m = p
          p++
          pc += 4
        }
        continue

      case NAME:
        if (resumed) {
          resumed = false
        } else {
          if (p >= end) {
            if (!isFinal) stop = STOP_INPUT
            break
          }
          if (!isMember(data + a, p)) break
          m = p
          p += sequenceLength(<u32>load<u8>(p))
        }
        p = findSpanEnd(data + <usize>load<u32>(pc, 4), p, end)
        if (p == end && !isFinal) {
          resumed = true
          stop = STOP_INPUT
          break
        }
        pc += 8
        continue

      case SPAN_COUNTED: {
        const least = load<u32>(pc, 4)
        const most = load<u32>(pc, 8)
        let count: u32 = 0
        let at = p
        while (count < most && at < end && isMember(data + a, at)) {
          at += sequenceLength(<u32>load<u8>(at))
          count++
        }
        if (at == end && count < most && !isFinal) {
          stop = STOP_INPUT
          break
        }
        m = p
        // Where it fails, it is the one that is missing.
        p = at
        if (count < least) break
        pc += 12
        continue
      }

      case UNTIL: {
        if (resumed) resumed = false
        else m = p
        const list = data + <usize>load<u32>(pc, 4)
        p = findLiteral(data + a, list, data, p, end)
        // What might have begun a literal before the input ended does not.
        while (found == 2 && isFinal) p = findLiteral(data + a, list, data, p + 1, end)
        if (found != 1 && !isFinal) {
          resumed = true
          stop = STOP_INPUT
          break
        }
        if (p == m && load<u32>(pc, 8) != 0) break
        pc = follow(pc + 12, p, end, code, data)
        continue
      }

      case LISTED: {
        const list = data + <usize>load<u32>(pc, 4)
        const word = load<u32>(p)
        let entry = list + LIST_ENTRIES
        let isOpen = false
        let i = load<u32>(list)
        for (; i > 0; i--) {
          const length = <usize>load<u32>(entry, 4)
          const literal = data + <usize>load<u32>(entry)
          if (p + length > end) {
            if (!isFinal && isSame(p, literal, end - p)) isOpen = true
          } else if (
            (word & load<u32>(entry, 12)) == load<u32>(entry, 8) &&
            (length <= 4 || isSame(p, literal, length))
          ) {
            m = p
            p += length
            break
          }
          entry += 16
        }
        if (i > 0) {
          pc += 8
          continue
        }
        if (isOpen) {
          stop = STOP_INPUT
          break
        }
        pc = code + (a << 2)
        continue
      }

      case END_OF_INPUT:
        if (p < end) break
        if (!isFinal) {
          stop = STOP_INPUT
          break
        }
        pc += 4
        continue

      case JUMP:
        pc = code + (a << 2)
        continue

      case TICK:
        pc += 4
        stop = pay(p, p, shift)
        if (stop == 0) continue
        break

      case TEST: {
        const at = p + <usize>load<u32>(pc, 4)
        if (at < end) {
          pc = load<u8>(data + <usize>load<u32>(pc, 8) + <usize>load<u8>(at)) ? pc + 12 : code + (a << 2)
          continue
        }
        if (!isFinal) {
          stop = STOP_INPUT
          break
        }
        pc = code + (a << 2)
        continue
      }

      case TEST_WORD: {
        const mask = load<u32>(pc, 8)
        const length = <usize>(4 - (clz(mask) >> 3))
        if (p + length <= end) {
          pc = (load<u32>(p) & mask) == load<u32>(pc, 4) ? pc + 12 : code + (a << 2)
          continue
        }
        if (!isFinal && memory.compare(p, pc + 4, end - p) == 0) {
          stop = STOP_INPUT
          break
        }
        pc = code + (a << 2)
        continue
      }

      case SWITCH: {
        const table = data + <usize>load<u32>(pc, 4)
        const at = p + a
        if (at < end) {
          const way = <usize>load<u8>(table + <usize>load<u8>(at))
          pc = code + (<usize>load<u32>(table + (way << 2), 256) << 2)
          continue
        }
        if (!isFinal) {
          stop = STOP_INPUT
          break
        }
        pc = code + (<usize>load<u32>(table, 256) << 2)
        continue
      }

      case CHOICE:
      case LOOK:
        if (sp == stackEnd) {
          stop = STOP_STACK_FULL
          break
        }
        pushEntry(sp, <u32>(a << 4) | ENTRY_REWIND, <u32>(p - shift), <u32>(t - tapeShift), <u32>register(LOG_LENGTH))
        if (oldest == stack) oldest = sp
        if ((word & 255) == LOOK) {
          store<u32>(sp, load<u32>(sp) | ENTRY_LOOK)
          quiet++
        }
        sp += ENTRY_SIZE
        pc += 4
        continue

      case COMMIT:
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        if (sp == oldest) oldest = stack
        pc = code + (a << 2)
        continue

      case PARTIAL_COMMIT: {
        const entry = sp - ENTRY_SIZE
        if (entry < low) low = save(entry)
        if (oldest == stack) oldest = entry // a CUT had spent it
        const head = load<u32>(entry) | ENTRY_REWIND
        pushEntry(entry, head, <u32>(p - shift), <u32>(t - tapeShift), <u32>register(LOG_LENGTH))
        pc = code + (a << 2)
        continue
      }

      case BACK_COMMIT: {
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        if (sp == oldest) oldest = stack
        if (load<u32>(sp) & ENTRY_LOOK) quiet--
        pc = code + (a << 2)
        const start = <usize>load<u32>(sp, 4) + shift
        stop = pay(p, start, shift)
        p = start
        t = <usize>load<u32>(sp, 8) + tapeShift
        if (load<u32>(sp, 12) != <u32>register(LOG_LENGTH)) undo(load<i32>(sp, 12))
        if (stop == 0) continue
        break
      }

      case CUT: {
        let entry = sp - ENTRY_SIZE
        while (entry > stack && (load<u32>(entry) & (ENTRY_CALL | ENTRY_LOOK)) == 0) {
          if (load<u32>(entry) & ENTRY_REWIND) {
            // The entries above it are gone from the checkpoint's point of view as well.
            while (low > entry) low = save(low - ENTRY_SIZE)
            store<u32>(entry, load<u32>(entry) & ~ENTRY_REWIND)
            if (entry == oldest) oldest = stack
          }
          entry -= ENTRY_SIZE
        }
        pc += 4
        continue
      }

      case THROW: {
        let entry = sp - ENTRY_SIZE
        while (entry > stack && (load<u32>(entry) & ENTRY_LOOK) == 0) entry -= ENTRY_SIZE
        if (entry == stack) {
          setRegister(LABEL, a)
          stop = STOP_LABEL
          break
        }
        // What lies above the look-ahead goes as by a failure.
        while (sp > entry + ENTRY_SIZE) {
          sp -= ENTRY_SIZE
          if (sp < low) low = save(sp)
          if (sp == oldest) oldest = stack
        }
        break
      }

      case CALL:
        if (sp == stackEnd) {
          stop = STOP_STACK_FULL
          break
        }
        pushEntry(sp, <u32>((((pc - code) >> 2) + 1) << 4) | ENTRY_CALL, <u32>(p - shift), <u32>(t - tapeShift), 0)
        sp += ENTRY_SIZE
        pc = code + (a << 2)
        // Rules often begin as a part, and with a byte.
        if ((load<u32>(pc) & 255) == BEGIN_PART) {
          if (part == stack) part = sp - ENTRY_SIZE
          pc += 4
        }
        if (isByteNext(pc, p, end)) {
          m = p
          p++
          pc += 4
        }
        continue

      case RETURN:
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        pc = follow(code + (<usize>(load<u32>(sp) >> 4) << 2), p, end, code, data)
        continue

      case OPEN:
        if (sp == stackEnd) {
          stop = STOP_STACK_FULL
          break
        }
        pushEntry(sp, <u32>a, <u32>(p - shift), <u32>(t - tapeShift), 0)
        sp += ENTRY_SIZE
        pc += 4
        continue

      case DROP:
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        pc += 4
        continue

      case CLOSE:
      case RETURN_NODE:
        if (t == tapeEnd) {
          stop = STOP_TAPE_FULL
          break
        }
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        if (part != stack) t = writeRecord(t, <u32>a, load<u32>(sp, 4), <u32>(p - shift), load<u32>(sp, 8))
        pc = (word & 255) == CLOSE ? pc + 4 : code + (<usize>(load<u32>(sp) >> 4) << 2)
        continue

      case LEAF:
        if (part != stack) {
          if (t == tapeEnd) {
            stop = STOP_TAPE_FULL
            break
          }
          t = writeRecord(t, <u32>a, <u32>(m - shift), <u32>(p - shift), <u32>(t - tapeShift))
        }
        pc += 4
        if (isByteNext(pc, p, end)) {
          m = p
          p++
          pc += 4
        }
        pc = follow(pc, p, end, code, data)
        continue

      case BEGIN_PART:
        if (part == stack) part = sp - ENTRY_SIZE
        pc += 4
        continue

      case END_PART: {
        if (t == tapeEnd) {
          stop = STOP_TAPE_FULL
          break
        }
        if (!hasLogRoom()) {
          stop = STOP_LOG_FULL
          break
        }
        sp -= ENTRY_SIZE
        if (sp < low) low = save(sp)
        pc = code + (<usize>(load<u32>(sp) >> 4) << 2)
        // A part that holds another is not the innermost.
        const first = load<u32>(sp, 8)
        const holdsPart = <i32>(<u32>register(CLOSED) - first) > 0
        if (part != stack && !holdsPart) {
          t = writeRecord(t, <u32>a, load<u32>(sp, 4), <u32>(p - shift), first)
          if (oldest != stack) log(LOG_PART, 0, <u32>register(CLOSED))
          setRegister(CLOSED, t - tapeShift)
        }
        if (sp == part) part = stack
        if (oldest == stack) {
          // Nothing is left that could undo it: so no part around it can be delivered any more.
          part = stack
          if (t >= tapeMark) {
            stop = STOP_PART
            break
          }
        }
        pc = follow(pc, p, end, code, data)
        continue
      }

      case COUNT: {
        const count = load<u32>(sp - ENTRY_SIZE, 12)
        if (count < load<u32>(pc, 4)) pc = code + (a << 2)
        else if (count >= load<u32>(pc, 8)) pc = code + (<usize>load<u32>(pc, 12) << 2)
        else pc += 16
        continue
      }

      case STEP: {
        const entry = sp - ENTRY_SIZE
        if (entry < low) low = save(entry)
        store<u32>(entry, load<u32>(entry, 12) + 1, 12)
        pc += 4
        continue
      }

      case SIGNAL:
        pc += 8
        if (isListed(data + <usize>load<u32>(pc - 4), data, m, p)) continue
        setRegister(LABEL, a)
        stop = STOP_SIGNAL
        break

      case PUSH_SYMBOL:
        stop = t == tapeEnd ? STOP_TAPE_FULL : pushSymbol(m, p, m - shift)
        if (stop != PASSED) break
        if (part != stack) t = writeRecord(t, <u32>a, <u32>(m - shift), <u32>(p - shift), symbol)
        pc = follow(pc + 4, p, end, code, data)
        continue

      case MATCH_SYMBOL: {
        const depth = register(SYMBOL_DEPTH)
        if (depth == 0) break
        const top = register(SYMBOLS) + (depth - 1) * SYMBOL_SIZE
        const name = register(NAMES) + <usize>load<u32>(top) * NAME_SIZE
        const bytes = register(NAME_BYTES) + <usize>load<u32>(name)
        const length = <usize>load<u32>(name, 4)
        if (p + length >= end && !isFinal) {
          if (isSame(p, bytes, end - p)) stop = STOP_INPUT
          break
        }
        if (p + length > end || !isNameAt(p, name, length)) break
        if (p + length < end && isMember(data + a, p + length)) break
        stop = popSymbol()
        if (stop != PASSED) break
        m = p
        p += length
        pc += 4
        const next = passAbsent(pc, p, end, data)
        if (next != pc) {
          m = p
          pc = next
        }
        if (isByteNext(pc, p, end)) {
          m = p
          p++
          pc += 4
        }
        continue
      }

      case POP_SYMBOL:
        stop = popSymbol()
        if (stop != PASSED) break
        pc += 4
        continue

      case SCOPE:
        stop = beginScope()
        if (stop != PASSED) break
        pc += 4
        continue

      case UNIQUE:
        stop = t == tapeEnd ? STOP_TAPE_FULL : seeSymbol(m, p)
        if (stop != PASSED) break
        if (part != stack) t = writeRecord(t, <u32>a, <u32>(m - shift), <u32>(p - shift), symbol)
        pc += 4
        continue

      default:
        unreachable()
    }
    if (stop != 0) {
      result = stop
      break
    }

    // A failure: back to the newest rewind entry that no CUT has spent.
    if (quiet == 0 && p > farthest) farthest = p
    if (oldest == stack) {
      result = STOP_FAILED
      break
    }
    let entry: u32 = 0
    do {
      sp -= ENTRY_SIZE
      if (sp < low) low = save(sp)
      entry = load<u32>(sp)
    } while ((entry & ENTRY_REWIND) == 0)
    if (sp == oldest) oldest = stack
    if (entry & ENTRY_LOOK) quiet--
    if (sp <= part) part = stack
    const start = <usize>load<u32>(sp, 4) + shift
    result = pay(p, start, shift)
    p = start
    t = <usize>load<u32>(sp, 8) + tapeShift
    if (load<u32>(sp, 12) != <u32>register(LOG_LENGTH)) undo(load<i32>(sp, 12))
    pc = code + (<usize>(entry >> 4) << 2)
    if (result != 0) break
  }

  setRegister(PC, (pc - code) >> 2)
  setRegister(POSITION, p - shift)
  setRegister(MARK, m - shift)
  setRegister(RESUMED, resumed ? 1 : 0)
  setRegister(STACK_TOP, sp - stack)
  setRegister(TAPE_END, t - tapeShift)
  setRegister(QUIET, quiet)
  setRegister(FARTHEST, farthest - shift)
  setRegister(OLDEST, oldest - stack)
  setRegister(PART, part - stack)
  setRegister(LOW, low - stack)
  return result
}
