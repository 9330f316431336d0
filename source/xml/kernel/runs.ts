// Runs of tags that came before are known again by their bytes: what stands between two texts of a document that is made of records, as
// `</id>\n    <revision>\n      <id>`, is nearly always what stood there in the record before. One comparison then shows what the
// instructions would find in several tags, in the manner of Takase, Miyashita, Suzumura and Tatsubori, "An adaptive, fast, and safe XML
// parser based on byte sequences memorization" (WWW 2005).
//
// A run is some end tags, then some start tags without attributes, with nothing but blanks between them. What is kept of it is what the
// instructions did: which symbols are popped and pushed, which frames are pushed, and which records are written, all with offsets from the
// start of the run. Taking a run does the same at once, and only where each of its instructions would have matched and found room;
// elsewhere nothing is done, and the instructions continue. So nothing here decides what is matched.
//
// This stands after compiled.ts where a program has such tags; constants that begin with RUN_ and are not declared here are
// written by scripts/kernels/compile-program.ts: the head of the frame of an inner element, the blocks that continue after start tags and
// end tags, and the types of records, where -1 says that text has none.

const LESS_THAN: u32 = 0x3c
const GREATER_THAN: u32 = 0x3e
const SLASH: u32 = 0x2f
const TAB: u32 = 0x09
const LINE_FEED: u32 = 0x0a
const SPACE: u32 = 0x20
const EXCLAMATION: u32 = 0x21
const QUESTION: u32 = 0x3f

/** Bytes of a run at the most; with the bytes that are compared after it. */
const RUN_LENGTH: usize = 64
/** End tags and start tags of a run at the most. */
const RUN_TAGS: usize = 4

// An entry: the bytes, with ones in a second row for those that do not matter.
const RUN_OTHERS: usize = 64
/** What the position moves by, and the stack. */
const RUN_MOVE: usize = 128
const RUN_RISE: usize = 132
/** How many symbols are popped, and pushed; bytes of records; the block that continues. */
const RUN_POPS: usize = 136
const RUN_PUSHES: usize = 140
const RUN_RECORDS: usize = 144
const RUN_BLOCK: usize = 148
/** Where the entries are that came after it, the last one first, from the start of the region. */
const RUN_NEXT: usize = 152
const RUN_OTHER: usize = 156
/** What is added to the score: of something else than a run, which is known to be there, -1. */
const RUN_WORTH: usize = 160
/**
 * Entries of symbols that are popped; those that are on top of others stand after them, first the upper two; ones where they matter,
 * and for each frame that is popped. Entries of symbols, and frames, that are pushed; records.
 */
const RUN_POPPED: usize = 176
const RUN_POPPED_BITS: usize = 208
const RUN_FRAME_BITS: usize = 240
const RUN_PUSHED: usize = 256
const RUN_FRAMES: usize = 288
const RUN_RECORD_LIST: usize = 352

// The first entry is not a run, and matches nothing. Where others have what they pop, it has: how many tags are to be passed before
// the next is looked for, the run that was last, how well they are found, how many there are, which one is the next to be replaced, and how
// long to wait when they are not found.
const RUNS_REST: usize = 176
const RUNS_LAST: usize = 180
const RUNS_SCORE: usize = 184
const RUNS_COUNT: usize = 188
const RUNS_OLDEST: usize = 192
const RUNS_PAUSE: usize = 196

/**
 * What is added to the score when a run does not come after the last as before; one that does adds one for each tag but the first: to learn
 * takes some times as long as is won by one. How high and how low the score gets.
 */
const RUN_MISSED: i32 = -4
const RUN_MOST: i32 = 64
const RUN_LEAST: i32 = -128
/** Tags that are passed where runs are mostly not found, at first and at the most. */
const RUN_PAUSE: u32 = 1024
const RUN_LONGEST_PAUSE: u32 = 65536

/** How many tags the instructions are to go over before the next run is looked for; while `advance` runs. */
let rest: u32 = 0

/** Bytes of records that the run wrote which was taken. */
let recorded: usize = 0

// @ts-ignore: decorator
@inline function compareRun(p: usize, run: usize, offset: usize): v128 {
  return v128.or(i8x16.eq(v128.load(p + offset), v128.load(run + offset)), v128.load(run + offset, RUN_OTHERS))
}

/** Whether the bytes at p are those of the run. Reads 64 bytes; the input does not end in them, since it has a zero there for now. */
// @ts-ignore: decorator
@inline function isRunAt(p: usize, run: usize): bool {
  const first = v128.and(compareRun(p, run, 0), compareRun(p, run, 16))
  const second = v128.and(compareRun(p, run, 32), compareRun(p, run, 48))
  return i8x16.all_true(v128.and(first, second))
}

/**
 * Takes the run that begins at p where one is known, and gives its entry; 0 where nothing was done, and `rest` says how many tags the
 * instructions are to go over before it is called again.
 */
function takeRun(p: usize, shift: usize, sp: usize, low: usize, t: usize): usize {
  const runs = register(RUNS)
  const last = runs + <usize>load<u32>(runs, RUNS_LAST)
  const next = load<u32>(last, RUN_NEXT)
  let run = runs + <usize>next
  let isFound = isRunAt(p, run)
  if (!isFound) {
    run = runs + <usize>load<u32>(last, RUN_OTHER)
    isFound = isRunAt(p, run)
    if (!isFound) {
      if (!count(runs, RUN_MISSED)) return 0
      run = learnRun(p, sp)
      if (run == 0) return 0
    }
    store<u32>(last, <u32>(run - runs), RUN_NEXT)
    store<u32>(last, next, RUN_OTHER)
  }
  store<u32>(runs, <u32>(run - runs), RUNS_LAST)
  if (isFound && !count(runs, load<i32>(run, RUN_WORTH))) return 0
  // Here begins something else.
  if (load<u32>(run, RUN_BLOCK) == 0) return 0
  if (canTake(run, sp, low, t)) {
    applyRun(run, p - shift, sp, t)
    return run
  }
  // The instructions are to go over all of its tags.
  rest = load<u32>(run, RUN_POPS) + load<u32>(run, RUN_PUSHES) - 1
  return 0
}

/** Whether to continue after something with this score: if scores are low, runs are not searched for a while. */
// @ts-ignore: decorator
@inline function count(runs: usize, worth: i32): bool {
  const score = load<i32>(runs, RUNS_SCORE) + worth
  store<i32>(runs, min(score, RUN_MOST), RUNS_SCORE)
  if (score >= RUN_LEAST) return true
  pause(runs)
  return false
}

function pause(runs: usize): void {
  const length = min(max(2 * load<u32>(runs, RUNS_PAUSE), RUN_PAUSE), RUN_LONGEST_PAUSE)
  rest = length
  store<u32>(runs, length, RUNS_PAUSE)
  store<i32>(runs, RUN_LEAST / 2, RUNS_SCORE)
}

/** Whether parts are to be dropped at once: see closePart. */
// @ts-ignore: decorator
@inline function isSkimming(t: usize): bool {
  return register(SKIMS) != 0 && t == register(TAPE)
}

/** Whether all instructions of a run would match, and have room; rather too much of it. */
// @ts-ignore: decorator
@inline function canTake(run: usize, sp: usize, low: usize, t: usize): bool {
  const depth = register(SYMBOL_DEPTH)
  const symbols = register(SYMBOLS) + depth * SYMBOL_SIZE
  let differs = v128.and(v128.xor(v128.load(symbols - 16), v128.load(run, RUN_POPPED)), v128.load(run, RUN_POPPED_BITS))
  const below = v128.xor(v128.load(symbols - 32), v128.load(run, RUN_POPPED + 16))
  differs = v128.or(differs, v128.and(below, v128.load(run, RUN_POPPED_BITS + 16)))
  let heads = i32x4.splat(load<u32>(sp - ENTRY_SIZE))
  heads = i32x4.replace_lane(heads, 1, load<u32>(sp - 2 * ENTRY_SIZE))
  heads = i32x4.replace_lane(heads, 2, load<u32>(sp - 3 * ENTRY_SIZE))
  heads = i32x4.replace_lane(heads, 3, load<u32>(sp - 4 * ENTRY_SIZE))
  const others = v128.and(v128.xor(heads, i32x4.splat(RUN_HEAD)), v128.load(run, RUN_FRAME_BITS))
  if (v128.any_true(v128.or(differs, others))) return false
  // What is popped for the first time since the checkpoint is to be saved.
  const popped = <usize>load<u32>(run, RUN_POPS) * ENTRY_SIZE
  if (sp - popped < low) return false
  if (sp + (RUN_TAGS + 1) * ENTRY_SIZE > register(STACK) + register(STACK_SIZE)) return false
  if ((depth + RUN_TAGS) * SYMBOL_SIZE > register(SYMBOLS_SIZE)) return false
  if ((register(LOG_LENGTH) + 2 * RUN_TAGS) * LOG_ENTRY_SIZE > register(LOG_SIZE)) return false
  if (isTapeMarked(t + <usize>load<u32>(run, RUN_RECORDS))) return false
  return !isSkimming(t) || canSkim(run)
}

/** Whether nothing in a run needs inspection. */
// @ts-ignore: decorator
@inline function canSkim(run: usize): bool {
  if (register(SKIM_DEPTH) < register(SKIM_FLOOR) + <usize>load<u32>(run, RUN_POPS)) return false
  const names = register(NAMES)
  const plain = isPlain(names, run, 0) & isPlain(names, run, 1) & isPlain(names, run, 2) & isPlain(names, run, 3)
  return (plain & 1) != 0 && areSkimmed()
}

/** 1 in the lowest bit where a name that is pushed needs no look, or there is none. */
// @ts-ignore: decorator
@inline function isPlain(names: usize, run: usize, index: usize): u32 {
  const symbol = <usize>load<u32>(run + index * SYMBOL_SIZE, RUN_PUSHED)
  return load<u32>(names + symbol * NAME_SIZE, 8) | <u32>(symbol == 0)
}

/** Whether the parts of runs are of the kinds that are dropped here. */
// @ts-ignore: decorator
@inline function areSkimmed(): bool {
  if (<i32>load<u8>(ROLES + RUN_NAME) != ROLE_NAME) return false
  if (<i32>load<u8>(ROLES + RUN_START) != ROLE_OPEN || <i32>load<u8>(ROLES + RUN_END) != ROLE_CLOSE) return false
  return RUN_TEXT == -1 || <i32>load<u8>(ROLES + <usize>RUN_TEXT) == ROLE_TEXT
}

/** Does what the instructions of a run do except for the registers that are kept in `advance`. */
// @ts-ignore: decorator
@inline function applyRun(run: usize, position: usize, sp: usize, t: usize): void {
  const pops = <usize>load<u32>(run, RUN_POPS)
  const pushes = <usize>load<u32>(run, RUN_PUSHES)
  const depth = register(SYMBOL_DEPTH)
  const isDropped = isSkimming(t)
  const tapeEnd = <u32>(t - register(TAPE) + register(TAPE_START))

  // As many are written as there may be at the most: the others lie where nothing is.
  const symbols = register(SYMBOLS) + depth * SYMBOL_SIZE
  const entry = register(LOG) + register(LOG_LENGTH) * LOG_ENTRY_SIZE
  v128.store(entry, logOf(v128.load(symbols - 16)))
  v128.store(entry, logOf(v128.load(symbols - 32)), 16)
  v128.store(entry + pops * LOG_ENTRY_SIZE, i64x2.splat(LOG_PUSH))
  v128.store(entry + pops * LOG_ENTRY_SIZE, i64x2.splat(LOG_PUSH), 16)
  const place = i64x2.splat(<i64>position << 32)
  const pushed = symbols - pops * SYMBOL_SIZE
  v128.store(pushed, i32x4.add(v128.load(run, RUN_PUSHED), place))
  v128.store(pushed, i32x4.add(v128.load(run, RUN_PUSHED + 16), place), 16)
  const frame = sp - pops * ENTRY_SIZE
  const base = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(0), 1, position), 2, tapeEnd)
  const kept = i32x4.replace_lane(i32x4.splat(-1), 2, isDropped ? 0 : -1)
  v128.store(frame, i32x4.add(v128.and(v128.load(run, RUN_FRAMES), kept), base))
  v128.store(frame, i32x4.add(v128.and(v128.load(run, RUN_FRAMES + 16), kept), base), 16)
  v128.store(frame, i32x4.add(v128.and(v128.load(run, RUN_FRAMES + 32), kept), base), 32)
  v128.store(frame, i32x4.add(v128.and(v128.load(run, RUN_FRAMES + 48), kept), base), 48)
  setRegister(LOG_LENGTH, register(LOG_LENGTH) + pops + pushes)
  setRegister(SYMBOL_DEPTH, depth + pushes - pops)

  if (isDropped) {
    recorded = 0
    setRegister(SKIM_DEPTH, register(SKIM_DEPTH) + pushes - pops)
    setRegister(SKIM_FOUND, 1)
    setRegister(SKIM_END, position + <usize>load<u32>(run, RUN_MOVE))
    return
  }
  recorded = <usize>load<u32>(run, RUN_RECORDS)
  const places = v128.and(i32x4.splat(<i32>position), i32x4(0, -1, -1, 0))
  const trees = i32x4.replace_lane(places, 3, tapeEnd)
  for (let i: usize = 0; i < recorded; i += RECORD_SIZE) {
    const record = v128.load(run + i, RUN_RECORD_LIST)
    // A name has its symbol where others have the start of their subtree.
    const isName = i32x4.extract_lane(record, 0) == RUN_NAME
    v128.store(t + i, i32x4.add(record, select<v128>(places, trees, isName)))
  }
  setRegister(CLOSED, <usize>tapeEnd + recorded)
}

/** Entries of the log for the pops of two symbols; the second is popped first. */
// @ts-ignore: decorator
@inline function logOf(symbols: v128): v128 {
  const swapped = i8x16.shuffle(symbols, symbols, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
  const heads = v128.or(i32x4.shl(swapped, 8), i32x4.splat(LOG_POP))
  return v128.bitselect(heads, swapped, i32x4(-1, 0, -1, 0))
}

// Learning.

/**
 * The entry of the run that begins at p, a new one where it was not known; 0 where there is none, or it is not to be seen yet how it goes
 * on. Changes nothing but entries.
 */
function learnRun(p: usize, sp: usize): usize {
  const runs = register(RUNS)
  // It is written after all entries, and moved when it is complete.
  const draft = runs + RUN_SIZE * (RUN_COUNT + 1)
  if (!describeRun(draft, p, sp)) return 0
  const count = load<u32>(runs, RUNS_COUNT)
  for (let i: u32 = 1; i <= count; i++) {
    const run = runs + RUN_SIZE * <usize>i
    if (memory.compare(run, draft, RUN_MOVE) == 0) return run
  }
  let place = count + 1
  if (place <= RUN_COUNT) {
    store<u32>(runs, place, RUNS_COUNT)
  } else {
    place = (load<u32>(runs, RUNS_OLDEST) % RUN_COUNT) + 1
    store<u32>(runs, place, RUNS_OLDEST)
  }
  const run = runs + RUN_SIZE * <usize>place
  memory.copy(run, draft, RUN_SIZE)
  return run
}

/** Writes what the run that begins at p does. False where there is none, or where the bytes that decide have not arrived. */
function describeRun(run: usize, p: usize, sp: usize): bool {
  const symbols = register(SYMBOLS) + register(SYMBOL_DEPTH) * SYMBOL_SIZE
  memory.fill(run, 0, RUN_SIZE)
  let pops: usize = 0
  let pushes: usize = 0
  let tape: usize = 0
  // After the last tag, and after the compared bytes: the run must match only where it continues, or ends, in the same way.
  let last = p
  let seen = p
  let at = p
  while (load<u8>(at) == LESS_THAN) {
    let runEnd = at
    if (load<u8>(at, 1) == SLASH) {
      // What follows a start tag is a run of its own.
      if (pushes != 0) {
        seen = at + 2
        break
      }
      if (pops == RUN_TAGS || load<u32>(sp - (pops + 1) * ENTRY_SIZE) != RUN_HEAD) break
      const symbol = load<u32>(symbols - (pops + 1) * SYMBOL_SIZE)
      const name = register(NAMES) + <usize>symbol * NAME_SIZE
      const length = <usize>load<u32>(name, 4)
      if (length >= RUN_LENGTH || !isNameAt(at + 2, name, length)) return false
      if (load<u8>(at + 2 + length) != GREATER_THAN) return false
      runEnd = at + length + 3
      if (runEnd - p > RUN_LENGTH) break
      tape = describeText(run, p, last, at, tape)
      tape = describeRecord(run, tape, RUN_END, at - p, runEnd - p, tape)
      const popped = run + (pops ^ 1) * SYMBOL_SIZE
      store<u32>(popped, symbol, RUN_POPPED)
      store<i32>(popped, -1, RUN_POPPED_BITS)
      store<i32>(run + (pops << 2), -1, RUN_FRAME_BITS)
      pops++
    } else {
      let end = at + 1
      while (isInTag(load<u8>(end)) && end - p < RUN_LENGTH) end++
      const stop = <u32>load<u8>(end)
      if (stop == 0) return false
      const begins = <u32>load<u8>(at, 1)
      if (begins == EXCLAMATION || begins == QUESTION) {
        seen = at + 2
        break
      }
      if (end - p >= RUN_LENGTH || pushes == RUN_TAGS) break
      if (stop != GREATER_THAN) {
        seen = end + 1
        break
      }
      // Names that begin otherwise may be called from elsewhere.
      if (begins > 127) break
      const symbol = findSymbol(at + 1, end)
      if (symbol == 0) return false
      runEnd = end + 1
      tape = describeText(run, p, last, at, tape)
      const first = tape
      tape = describeRecord(run, tape, RUN_NAME, at + 1 - p, end - p, symbol)
      tape = describeRecord(run, tape, RUN_START, at - p, end - p, first)
      const pushed = run + pushes * SYMBOL_SIZE
      store<u32>(pushed, symbol, RUN_PUSHED)
      store<u32>(pushed, <u32>(at + 1 - p), RUN_PUSHED + 4)
      const frame = run + pushes * ENTRY_SIZE
      store<u32>(frame, RUN_HEAD, RUN_FRAMES)
      store<u32>(frame, <u32>(end - p), RUN_FRAMES + 4)
      store<u32>(frame, <u32>tape, RUN_FRAMES + 8)
      pushes++
    }
    last = runEnd
    seen = runEnd
    at = runEnd
    while (isBlank(load<u8>(at)) && at - p < RUN_LENGTH) at++
    if (load<u8>(at) == 0) return false
    if (at - p >= RUN_LENGTH - 2) break
  }
  const length = seen - p
  if (length == 0) return false
  memory.copy(run, p, length)
  memory.fill(run + RUN_OTHERS + length, 0xff, RUN_LENGTH - length)
  // What is after a start tag begins with its last byte.
  store<u32>(run, <u32>(last - p) - (pushes == 0 ? 0 : 1), RUN_MOVE)
  store<u32>(run, <u32>((pushes - pops) * ENTRY_SIZE), RUN_RISE)
  store<u32>(run, <u32>pops, RUN_POPS)
  store<u32>(run, <u32>pushes, RUN_PUSHES)
  store<u32>(run, <u32>tape, RUN_RECORDS)
  store<u32>(run, pushes != 0 ? RUN_CONTENT : pops != 0 ? RUN_BEHIND : 0, RUN_BLOCK)
  store<i32>(run, <i32>(pops + pushes) - 1, RUN_WORTH)
  return true
}

/** Blanks between two tags, where they are recorded. */
function describeText(run: usize, p: usize, start: usize, end: usize, tape: usize): usize {
  if (RUN_TEXT == -1 || start == end) return tape
  return describeRecord(run, tape, RUN_TEXT, start - p, end - p, tape)
}

function describeRecord(run: usize, tape: usize, type: i32, start: usize, end: usize, first: usize): usize {
  writeRecord(run + RUN_RECORD_LIST + tape, type, <u32>start, <u32>end, <u32>first)
  return tape + RECORD_SIZE
}

/** The symbol of a name; 0 where it is new. */
function findSymbol(start: usize, end: usize): u32 {
  const length = end - start
  const bytes = beginningOf(start, length)
  return findName(start, length, bytes, length <= SHORT ? hashOf(bytes, length) : hashLong(start, length))
}

// @ts-ignore: decorator
@inline function isBlank(byte: u32): bool {
  return byte == SPACE || byte == LINE_FEED || byte == TAB
}

// @ts-ignore: decorator
@inline function isInTag(byte: u32): bool {
  return byte > SPACE && byte != GREATER_THAN && byte != SLASH && byte != LESS_THAN
}
