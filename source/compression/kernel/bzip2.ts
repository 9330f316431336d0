// The bzip2 kernel: decodes blocks, several side by side.
//
// A block goes through four steps:
//
//   retrieve   Huffman codes, move-to-front and runs of zeros: the last column of the sorted rotations        (bits in, LAST out)
//   prepare    from the last column to pairs: for each row, its first two bytes and the row two bytes on        (LAST in, PAIRS out)
//   walk       follow the pairs: the block as it was before sorting, in the place of the last column            (PAIRS in, LAST out)
//   emit       undo the runs that were taken out before sorting, and the checksum                               (LAST in, OUTPUT out)
//
// Walking is what takes most of the time, since every step waits for memory. So a step gives two bytes, and blocks stand in lanes,
// so four are walked at once: while one waits, the others continue.
//
// bzip2 has no specification of its own; the format is what Julian Seward's program writes (https://sourceware.org/bzip2/), described
// by Joe Tsai ("BZIP2: Format Specification", 2016). The transform is that of Burrows and Wheeler (SRC research report 124, 1994).
//
// Memory layout. What must change together: this, and block-decoder.ts, which reads it from the exports.
//   1024 ..    LANE_STATES, tables, lists of a block that is being retrieved
//   OUTPUT     what emit has written
//   LINKS      from which pairs are made: one byte and one row each
//   LANE_AREAS one after another, LANE_SIZE each: LAST, then PAIRS. How many there are is the host's to say
//   INPUT      after the lanes: the bytes of a block; the host says where
// The kernel keeps state between two calls in LANE_STATES only.
//
// The twin is compiled from this too, without SIMD (ASC_FEATURE_SIMD), for runtimes without WebAssembly. It reads numbers from arrays of numbers, so an
// address that need not be a multiple of the number's size is said to have an alignment of 1 (`load<u64>(address, 0, 1)`).

/** Results of retrieve and emit; what must change together: BlockStatus in block-decoder.ts. */
const GOOD = 0
/** The input ends before the block does. */
const TRUNCATED = 1
/** A randomised block, which programs before version 0.9.5 could write. */
const RANDOMISED = 2
const BAD_ORIGIN = 3
const NO_SYMBOLS = 4
const BAD_TABLE_COUNT = 5
const BAD_SELECTOR = 6
const BAD_CODE_LENGTH = 7
const BAD_CODE = 8
const TOO_LONG = 9
const NO_SELECTOR_LEFT = 10

/** Fields of a lane's state, in bytes. */
const LANE_STATE_SIZE: usize = 32
const LENGTH: usize = 0
const ORIGIN: usize = 4
const POSITION: usize = 8
const CHECKSUM: usize = 12
const END_BIT: usize = 16
const STORED_CHECKSUM: usize = 20
const ROW: usize = 24
const WALKED: usize = 28

const LANE_STATES: usize = 1024
const ACTIVE: usize = 1536 // numbers of lanes that are being walked, as u32
const CRC_TABLES: usize = 2048 // 8 × 256 × u32
const SHUFFLES: usize = CRC_TABLES + 8 * 1024 // 16 × 16 bytes
const ORDER: usize = SHUFFLES + 256 // 256 bytes: the list that is moved to the front, and room for a vector after it
const COUNTS: usize = ORDER + 288 // 256 × u32
const TABLE_LIST: usize = COUNTS + 1024 // 6 bytes: the list of tables that is moved to the front
const SELECTORS: usize = TABLE_LIST + 16 // one byte each
const MAX_SELECTORS = 18002
const LENGTHS: usize = SELECTORS + 18432 // 258 bytes of code lengths
const TABLES: usize = LENGTHS + 512
/** A table: quick look-ups of u16, then for each length the first code after it and what to add, then symbols in order of code. */
const QUICK_BITS = 10
const LIMITS: usize = (1 << QUICK_BITS) * 2
const OFFSETS: usize = LIMITS + 24 * 4
const PERMUTATION: usize = OFFSETS + 24 * 4
const TABLE_SIZE: usize = PERMUTATION + 258 * 2 + 4
const MAX_CODE_LENGTH = 20

export const OUTPUT: usize = 65536
/** A piece of output ends when this is reached; what passes it is at most a vector and a run. */
export const OUTPUT_SIZE: i32 = 1024 * 1024 - 320
const MAX_LENGTH = 900000
const LINKS: usize = OUTPUT + 1024 * 1024
export const LANE_AREAS: usize = LINKS + MAX_LENGTH * 4 + 64
const LAST_SIZE: usize = 900096
/** Of one lane, in bytes; five for a pair. */
export const LANE_SIZE: usize = LAST_SIZE + MAX_LENGTH * 5 + 64
/** Zero bytes that must stand after the input: a group of codes is read without checking for its end. */
export const INPUT_PADDING: i32 = 256

/** At how many places emit looks at once. */
const PLACES: usize = ASC_FEATURE_SIMD ? 16 : 1

const RUN_A = 0
const RUN_B = 1
const GROUP_SIZE = 50

// The reader of bits: the next ones are at the top of `bits`, `bitCount` of them are there.
let bits: u64 = 0
let bitCount: i32 = 0
let nextByte: usize = 0

@inline
function stateOf(lane: i32): usize {
  return LANE_STATES + <usize>lane * LANE_STATE_SIZE
}

@inline
function lastOf(lane: i32): usize {
  return LANE_AREAS + <usize>lane * LANE_SIZE
}

@inline
function loadBigEndian(address: usize): u32 {
  const word = load<u32>(address, 0, 1)
  return rotr(word & 0x00ff00ff, 8) | rotl(word & 0xff00ff00, 8)
}

/** Makes at least 32 bits available. */
@inline
function refill(): void {
  if (bitCount <= 32) {
    bits |= (<u64>loadBigEndian(nextByte)) << (32 - bitCount)
    nextByte += 4
    bitCount += 32
  }
}

/** Up to 32 bits, at least one. */
function readBits(count: i32): u32 {
  refill()
  const value = <u32>(bits >> (64 - count))
  bits <<= count
  bitCount -= count
  return value
}

/** Makes the constant tables. Called once. */
export function initialise(): void {
  for (let i: u32 = 0; i < 256; i++) {
    let crc = i << 24
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc >> 31 ? 0x04c11db7 : 0)
    store<u32>(CRC_TABLES + <usize>i * 4, crc)
  }
  for (let table: usize = 1; table < 8; table++) {
    for (let i: usize = 0; i < 256; i++) {
      const before = load<u32>(CRC_TABLES + ((table - 1) << 10) + (i << 2))
      store<u32>(CRC_TABLES + (table << 10) + (i << 2), (before << 8) ^ load<u32>(CRC_TABLES + ((before >> 24) << 2)))
    }
  }
  for (let n = 0; n < 16; n++) {
    for (let i = 0; i < 16; i++) {
      const from = i == 0 ? n : i <= n ? i - 1 : i
      store<u8>(SHUFFLES + <usize>(n * 16 + i), <u8>from)
    }
  }
}

/** The fields of a lane that the host wants. */
export function lengthOf(lane: i32): i32 {
  return load<i32>(stateOf(lane) + LENGTH)
}
/** Where the block ends, in bits from the first byte of the input; after an error, where that was noticed. */
export function endBitOf(lane: i32): i32 {
  return load<i32>(stateOf(lane) + END_BIT)
}
export function storedChecksumOf(lane: i32): u32 {
  return load<u32>(stateOf(lane) + STORED_CHECKSUM)
}
export function checksumOf(lane: i32): u32 {
  return ~load<u32>(stateOf(lane) + CHECKSUM)
}
/** Whether all of a block has been emitted. */
export function isEmitted(lane: i32): bool {
  const state = stateOf(lane)
  return load<i32>(state + POSITION) == load<i32>(state + LENGTH)
}

/**
 * Reads the block whose magic number stands at bit `bit` of the input into a lane. The input has `length` bytes and padding after it.
 */
export function retrieve(lane: i32, input: usize, length: i32, bit: i32): i32 {
  const state = stateOf(lane)
  nextByte = input + <usize>(bit >> 3)
  bits = 0
  bitCount = 0
  if (bit & 7) readBits(bit & 7)
  // The magic number, which the host has seen.
  readBits(24)
  readBits(24)
  const stored = readBits(32)
  store<u32>(state + STORED_CHECKSUM, stored)
  store<i32>(state + WALKED, 0)
  rewind(lane)
  let status = readTables(state, input + <usize>length)
  if (status == GOOD) status = readSymbols(lane, input + <usize>length)
  const end = <i32>(nextByte - input) * 8 - bitCount
  store<i32>(state + END_BIT, end)
  // What was read of the padding is no information, and above all not an error.
  if (end > length * 8) status = TRUNCATED
  if (status != GOOD) store<i32>(state + LENGTH, 0)
  return status
}

let tableCount: i32 = 0
let selectorCount: i32 = 0
/** Symbols in use: two for runs, the bytes but one, and the end of the block. */
let symbolCount: i32 = 0

/** Reads what stands before the symbols of a block. */
function readTables(state: usize, end: usize): i32 {
  if (readBits(1)) return RANDOMISED
  store<u32>(state + ORIGIN, readBits(24))

  const ranges = readBits(16)
  let used = 0
  for (let range = 0; range < 16; range++) {
    if (!((ranges >> (15 - range)) & 1)) continue
    const members = readBits(16)
    for (let i = 0; i < 16; i++) {
      if (!((members >> (15 - i)) & 1)) continue
      store<u8>(ORDER + <usize>used, <u8>(range * 16 + i))
      used++
    }
  }
  if (used == 0) return NO_SYMBOLS
  symbolCount = used + 2

  tableCount = readBits(3)
  if (tableCount < 2 || tableCount > 6) return BAD_TABLE_COUNT
  const count = <i32>readBits(15)
  if (count == 0) return NO_SELECTOR_LEFT
  for (let table = 0; table < tableCount; table++) store<u8>(TABLE_LIST + <usize>table, <u8>table)
  for (let i = 0; i < count; i++) {
    let place = 0
    while (readBits(1)) {
      if (++place >= tableCount) return BAD_SELECTOR
    }
    if (nextByte > end + 16) return TRUNCATED
    const table = load<u8>(TABLE_LIST + <usize>place)
    for (; place > 0; place--) store<u8>(TABLE_LIST + <usize>place, load<u8>(TABLE_LIST + <usize>(place - 1)))
    store<u8>(TABLE_LIST, table)
    // More than a block can need are written by some programs, and ignored by all.
    if (i < MAX_SELECTORS) store<u8>(SELECTORS + <usize>i, table)
  }
  selectorCount = min(count, MAX_SELECTORS)

  for (let table = 0; table < tableCount; table++) {
    let length = <i32>readBits(5)
    for (let symbol = 0; symbol < symbolCount; symbol++) {
      for (;;) {
        if (length < 1 || length > MAX_CODE_LENGTH) return BAD_CODE_LENGTH
        if (!readBits(1)) break
        length += readBits(1) ? -1 : 1
        if (nextByte > end + 16) return TRUNCATED
      }
      store<u8>(LENGTHS + <usize>symbol, <u8>length)
    }
    if (!makeTable(TABLES + <usize>table * TABLE_SIZE)) return BAD_CODE_LENGTH
  }
  return GOOD
}

/**
 * Makes a table of the code lengths. Codes are canonical: shorter ones first, those of one length in the order of their symbols.
 * Returns false when there are more codes than bits can distinguish.
 */
function makeTable(table: usize): bool {
  memory.fill(table, 0, 1 << (QUICK_BITS + 1))
  let place = 0
  let code: u32 = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    code <<= 1
    store<i32>(table + OFFSETS + <usize>length * 4, place - <i32>code)
    for (let symbol = 0; symbol < symbolCount; symbol++) {
      if (<i32>load<u8>(LENGTHS + <usize>symbol) != length) continue
      store<u16>(table + PERMUTATION + <usize>place * 2, <u16>symbol)
      if (length <= QUICK_BITS) {
        const entries = 1 << (QUICK_BITS - length)
        const first = code << (QUICK_BITS - length)
        if (first + entries > 1 << QUICK_BITS) return false
        for (let i = 0; i < entries; i++) store<u16>(table + <usize>(first + i) * 2, <u16>((symbol << 5) | length))
      }
      place++
      code++
    }
    if (code > <u32>1 << length) return false
    // The first code that is longer, with bits of the longest one.
    store<u32>(table + LIMITS + <usize>length * 4, code << (MAX_CODE_LENGTH - length))
  }
  return true
}

/** Reads the symbols of a block, and writes the last column. */
function readSymbols(lane: i32, end: usize): i32 {
  const state = stateOf(lane)
  const last = lastOf(lane)
  memory.fill(COUNTS, 0, 1024)
  const endSymbol = symbolCount - 1
  let at = last
  const limit = last + MAX_LENGTH
  // A run of the byte in front, whose length is written in digits of 1 and 2, least significant first.
  let run = 0
  let digit = 0
  for (let group = 0; group < selectorCount; group++) {
    if (nextByte > end + 16) return TRUNCATED
    const table = TABLES + <usize>load<u8>(SELECTORS + <usize>group) * TABLE_SIZE
    for (let left = GROUP_SIZE; left > 0; left--) {
      if (bitCount <= 32) {
        bits |= (<u64>loadBigEndian(nextByte)) << (32 - bitCount)
        nextByte += 4
        bitCount += 32
      }
      const quick = <i32>load<u16>(table + (<usize>(bits >> (64 - QUICK_BITS)) << 1))
      let length = quick & 31
      let symbol = quick >> 5
      if (length == 0) {
        const code = <u32>(bits >> (64 - MAX_CODE_LENGTH))
        length = QUICK_BITS + 1
        while (length <= MAX_CODE_LENGTH && code >= load<u32>(table + LIMITS + <usize>length * 4)) length++
        if (length > MAX_CODE_LENGTH) return BAD_CODE
        const place = load<i32>(table + OFFSETS + <usize>length * 4) + <i32>(code >> (MAX_CODE_LENGTH - length))
        symbol = <i32>load<u16>(table + PERMUTATION + <usize>place * 2)
      }
      bits <<= length
      bitCount -= length

      if (symbol <= RUN_B) {
        if (digit > 20) return TOO_LONG
        run += (symbol + 1) << digit++
        continue
      }
      if (run > 0) {
        if (<usize>run > limit - at) return TOO_LONG
        const byte = load<u8>(ORDER)
        const count = COUNTS + (<usize>byte << 2)
        store<u32>(count, load<u32>(count) + run)
        if (ASC_FEATURE_SIMD) {
          const vector = i8x16.splat(<i8>byte)
          v128.store(at, vector)
          for (let done = 16; done < run; done += 16) v128.store(at + <usize>done, vector)
        } else {
          memory.fill(at, byte, run)
        }
        at += run
        run = 0
        digit = 0
      }
      if (symbol == endSymbol) {
        const length = <i32>(at - last)
        store<i32>(state + LENGTH, length)
        return load<i32>(state + ORIGIN) < length ? GOOD : BAD_ORIGIN
      }
      if (at >= limit) return TOO_LONG
      const place = <usize>(symbol - 1)
      const byte = load<u8>(ORDER + place)
      if (!ASC_FEATURE_SIMD) {
        memory.copy(ORDER + 1, ORDER, place)
        store<u8>(ORDER, byte)
      } else if (place < 16) {
        v128.store(ORDER, i8x16.swizzle(v128.load(ORDER), v128.load(SHUFFLES + (place << 4))))
      } else {
        // From the end, sixteen at a time; the last step covers again what an earlier one has moved, unless it would.
        let from = ORDER + place
        while (from >= ORDER + 16) {
          from -= 16
          v128.store(from + 1, v128.load(from))
        }
        const rest = from - ORDER
        if (rest > 0) v128.store(ORDER, i8x16.swizzle(v128.load(ORDER), v128.load(SHUFFLES + (rest << 4))))
        store<u8>(ORDER, byte)
      }
      const count = COUNTS + (<usize>byte << 2)
      store<u32>(count, load<u32>(count) + 1)
      store<u8>(at++, byte)
    }
  }
  return NO_SELECTOR_LEFT
}

/**
 * Makes the pairs of a block that was just retrieved: no other block may have been since, because COUNTS are those of one. A link is a row's first byte in the top eight bits, and below it four times the
 * number of the row after. A pair is two bytes in the third and fourth byte, and below them five times the number of the row two
 * bytes on. The rows after those that begin alike are in order, so that both passes read and write along some hundred ways at once,
 * and never anywhere.
 */
export function prepare(lane: i32): void {
  const state = stateOf(lane)
  const last = lastOf(lane)
  const pairs = last + LAST_SIZE
  let sum = LINKS
  for (let byte: usize = 0; byte < 256; byte++) {
    const count = load<u32>(COUNTS + (byte << 2))
    store<usize>(COUNTS + (byte << 2), sum)
    sum += count << 2
  }
  const length = load<u32>(state + LENGTH)
  for (let row: u32 = 0; row < length; row++) {
    const byte = <u32>load<u8>(last + row)
    const next = COUNTS + (byte << 2)
    const link = load<usize>(next)
    store<u32>(link, (byte << 24) | (row << 2))
    store<usize>(next, link + 4)
  }
  for (let row: u32 = 0; row < length; row++) {
    const link = load<u32>(LINKS + (row << 2))
    const next = load<u32>(LINKS + (link & 0xffffff))
    const to = next & 0xffffff
    store<u64>(pairs + row * 5, (<u64>(next >> 24) << 32) | <u64>((link & 0xff000000) | (to + (to >> 2))), 0, 1)
  }
  store<u32>(state + ROW, load<u32>(state + ORIGIN) * 5)
}

/**
 * Walks the blocks of the first `count` lanes on by up to `limit` bytes each, an even number. Returns whether all are at their ends.
 */
export function walk(count: i32, limit: u32): bool {
  for (let left = limit; left > 0; ) {
    // Those that are not at their ends, and how far all of them can go: blocks of one file have nearly the same length.
    let active = 0
    let length = left
    for (let lane = 0; lane < count; lane++) {
      const rest = leftToWalk(lane)
      if (rest == 0) continue
      length = min(length, rest)
      store<i32>(ACTIVE + (<usize>active << 2), lane)
      active++
    }
    if (active == 0) return true
    let first = ACTIVE
    for (; active >= 4; active -= 4, first += 16) walkFour(first, length)
    for (; active > 0; active--, first += 4) walkOne(first, length)
    left -= length
  }
  return false
}

// Walking is written out for four and for one: `first` is where the numbers of the lanes stand. With the rows in memory one loop would serve any number;
// it took 3 % longer in all (one thread 51.7 MB/s instead of 53.1, two threads 99.0 instead of 101.6, means of runs taken in turn).

function walkFour(first: usize, length: u32): void {
  const lane0 = load<i32>(first)
  const lane1 = load<i32>(first, 4)
  const lane2 = load<i32>(first, 8)
  const lane3 = load<i32>(first, 12)
  const links0 = pairsOf(lane0)
  const links1 = pairsOf(lane1)
  const links2 = pairsOf(lane2)
  const links3 = pairsOf(lane3)
  const to0 = placeOf(lane0)
  const to1 = placeOf(lane1)
  const to2 = placeOf(lane2)
  const to3 = placeOf(lane3)
  let row0 = rowOf(lane0)
  let row1 = rowOf(lane1)
  let row2 = rowOf(lane2)
  let row3 = rowOf(lane3)
  for (let i: u32 = 0; i < length; i += 2) {
    const pair0 = load<u64>(links0 + row0, 0, 1)
    const pair1 = load<u64>(links1 + row1, 0, 1)
    const pair2 = load<u64>(links2 + row2, 0, 1)
    const pair3 = load<u64>(links3 + row3, 0, 1)
    store<u16>(to0 + i, <u16>(pair0 >> 24))
    store<u16>(to1 + i, <u16>(pair1 >> 24))
    store<u16>(to2 + i, <u16>(pair2 >> 24))
    store<u16>(to3 + i, <u16>(pair3 >> 24))
    row0 = <u32>pair0 & 0xffffff
    row1 = <u32>pair1 & 0xffffff
    row2 = <u32>pair2 & 0xffffff
    row3 = <u32>pair3 & 0xffffff
  }
  advance(lane0, row0, length)
  advance(lane1, row1, length)
  advance(lane2, row2, length)
  advance(lane3, row3, length)
}

function walkOne(first: usize, length: u32): void {
  const lane0 = load<i32>(first)
  const links0 = pairsOf(lane0)
  const to0 = placeOf(lane0)
  let row0 = rowOf(lane0)
  for (let i: u32 = 0; i < length; i += 2) {
    const pair0 = load<u64>(links0 + row0, 0, 1)
    store<u16>(to0 + i, <u16>(pair0 >> 24))
    row0 = <u32>pair0 & 0xffffff
  }
  advance(lane0, row0, length)
}

@inline
function pairsOf(lane: i32): usize {
  return lastOf(lane) + LAST_SIZE
}

@inline
function placeOf(lane: i32): usize {
  return lastOf(lane) + load<u32>(stateOf(lane) + WALKED)
}

@inline
function rowOf(lane: i32): u32 {
  return load<u32>(stateOf(lane) + ROW)
}

@inline
function leftToWalk(lane: i32): u32 {
  const state = stateOf(lane)
  return (load<u32>(state + LENGTH) + 1 - load<u32>(state + WALKED)) & ~1
}

@inline
function advance(lane: i32, row: u32, length: u32): void {
  const state = stateOf(lane)
  store<u32>(state + ROW, row)
  store<u32>(state + WALKED, load<u32>(state + WALKED) + length)
}

/** Lets a lane's block be emitted from its start, once more if need be. */
export function rewind(lane: i32): void {
  const state = stateOf(lane)
  store<i32>(state + POSITION, 0)
  store<u32>(state + CHECKSUM, 0xffffffff)
}

/**
 * Writes more of a lane's block to the output: four equal bytes are followed by how many more there are. Returns the number of bytes,
 * or -1 where that is missing.
 */
export function emit(lane: i32): i32 {
  const state = stateOf(lane)
  const last = lastOf(lane)
  const end = last + load<u32>(state + LENGTH)
  let from = last + load<u32>(state + POSITION)
  let at = OUTPUT
  const limit = OUTPUT + OUTPUT_SIZE
  while (from < end && at < limit) {
    // Where the next four equal bytes begin, among PLACES.
    let mask: i32
    if (ASC_FEATURE_SIMD) {
      const one = v128.load(from)
      const two = v128.load(from + 1)
      const three = v128.load(from + 2)
      const pairs = v128.and(i8x16.eq(one, two), i8x16.eq(three, v128.load(from + 3)))
      mask = i8x16.bitmask(v128.and(pairs, i8x16.eq(two, three)))
      v128.store(at, one)
    } else {
      const byte = load<u8>(from)
      mask = <i32>(load<u32>(from, 0, 1) == <u32>byte * 0x01010101)
      store<u8>(at, byte)
    }
    const room = end - from
    // The bytes after the end belong to another block.
    if (room < 19) mask &= room < 4 ? 0 : (1 << (<i32>room - 3)) - 1
    if (mask == 0) {
      const length = min<usize>(room, PLACES)
      from += length
      at += length
      continue
    }
    const place = <usize>ctz(mask)
    const byte = load<u8>(from + place)
    store<u32>(at + place, <u32>byte * 0x01010101, 0, 1)
    from += place + 4
    at += place + 4
    if (from == end) return -1
    const more = <usize>load<u8>(from++)
    memory.fill(at, byte, more)
    at += more
  }
  store<i32>(state + POSITION, <i32>(from - last))
  const length = <i32>(at - OUTPUT)
  store<u32>(state + CHECKSUM, addToChecksum(load<u32>(state + CHECKSUM), OUTPUT, length))
  return length
}

/** The checksum with more bytes: the CRC-32 of Ethernet, most significant bit first; eight bytes at a time by eight tables. */
function addToChecksum(checksum: u32, from: usize, length: i32): u32 {
  let crc = checksum
  let left = length
  for (; left >= 8; left -= 8, from += 8) {
    const high = crc ^ loadBigEndian(from)
    const low = loadBigEndian(from + 4)
    crc =
      load<u32>(CRC_TABLES + ((high >> 24) << 2), 7 * 1024) ^
      load<u32>(CRC_TABLES + (((high >> 16) & 255) << 2), 6 * 1024) ^
      load<u32>(CRC_TABLES + (((high >> 8) & 255) << 2), 5 * 1024) ^
      load<u32>(CRC_TABLES + ((high & 255) << 2), 4 * 1024) ^
      load<u32>(CRC_TABLES + ((low >> 24) << 2), 3 * 1024) ^
      load<u32>(CRC_TABLES + (((low >> 16) & 255) << 2), 2 * 1024) ^
      load<u32>(CRC_TABLES + (((low >> 8) & 255) << 2), 1024) ^
      load<u32>(CRC_TABLES + ((low & 255) << 2))
  }
  for (; left > 0; left--, from++) {
    crc = (crc << 8) ^ load<u32>(CRC_TABLES + (((crc >> 24) ^ <u32>load<u8>(from)) << 2))
  }
  return crc
}
