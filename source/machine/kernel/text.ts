// What the machine does to text before it matches it: finding where it stops being well-formed UTF-8 in the grammar's alphabet, and
// measuring lines and UTF-16 units. Their plain twins are in text/utf8.ts and machine/run/plain-engine.ts.

// The tables of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2021): each bit is a way in which two
// bytes in a row can be wrong. It is set in all three when the high half of the first, its low half, and the high half of the
// second allow it.
const FIRST_HIGH = i8x16(2, 2, 2, 2, 2, 2, 2, 2, -128, -128, -128, -128, 33, 1, 21, 73)
const FIRST_LOW = i8x16(-25, -93, -125, -125, -117, -53, -53, -53, -53, -53, -53, -53, -53, -37, -53, -53)
const SECOND_HIGH = i8x16(1, 1, 1, 1, 1, 1, 1, 1, -26, -82, -70, -70, 1, 1, 1, 1)

/** The upper four bits of each byte. A shift of bytes would cost V8 five instructions; three of them make a mask. */
// @ts-ignore: decorator
@inline function highHalves(bytes: v128): v128 {
  return v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15))
}

/** Not zero where the 16 bytes are ill-formed after the 16 before them, as far as they go. */
// @ts-ignore: decorator
@inline function findFaults(before: v128, bytes: v128): v128 {
  const one = i8x16.shuffle(before, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
  const two = i8x16.shuffle(before, bytes, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
  const three = i8x16.shuffle(before, bytes, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28)
  const pairs = v128.and(
    v128.and(
      i8x16.swizzle(FIRST_HIGH, highHalves(one)),
      i8x16.swizzle(FIRST_LOW, v128.and(one, i8x16.splat(15))),
    ),
    i8x16.swizzle(SECOND_HIGH, highHalves(bytes)),
  )
  // The third byte of three and the third and fourth of four must continue, and only they may follow a continuation.
  const mustContinue = v128.and(
    v128.or(i8x16.sub_sat_u(two, i8x16.splat(0x60)), i8x16.sub_sat_u(three, i8x16.splat(0x70))),
    i8x16.splat(-128),
  )
  return v128.xor(pairs, mustContinue)
}

/** The length of the sequence at `at`, or 0 when it is ill-formed or cut off by `end`. */
function wellFormedLength(at: usize, end: usize): usize {
  const first = <u32>load<u8>(at)
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length: usize = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (at + length > end) return 0
  const second = <u32>load<u8>(at, 1)
  const least: u32 = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80
  const most: u32 = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let i: usize = 2; i < length; i++) {
    if ((<u32>load<u8>(at + i) & 0xc0) != 0x80) return 0
  }
  return length
}

/** Where the sequence begins that `at` cuts, after text that is well-formed as far as it goes; `at` where it cuts none. */
function findCutSequence(from: usize, at: usize): usize {
  for (let back: usize = 1; back < 4 && from + back <= at; back++) {
    const byte = load<u8>(at - back)
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length: usize = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? at - back : at
  }
  return at
}

/** Where the first sequence begins that is ill-formed, or that `end` cuts off; `end` where there is none. */
export function findMalformed(from: usize, end: usize): usize {
  let at = from
  let before = i8x16.splat(0)
  let wasAscii = true
  // 64 bytes at a time: whether they are all ASCII is guessed better than for 16.
  while (at + 64 <= end) {
    const one = v128.load(at)
    const two = v128.load(at, 16)
    const three = v128.load(at, 32)
    const four = v128.load(at, 48)
    const isAscii = i8x16.bitmask(v128.or(v128.or(one, two), v128.or(three, four))) == 0
    if (!isAscii || !wasAscii) {
      const faults = v128.or(
        v128.or(findFaults(before, one), findFaults(one, two)),
        v128.or(findFaults(two, three), findFaults(three, four)),
      )
      if (v128.any_true(faults)) break
    }
    before = four
    wasAscii = isAscii
    at += 64
  }
  at = findCutSequence(from, at)
  while (at < end) {
    const length = wellFormedLength(at, end)
    if (length == 0) return at
    at += length
  }
  return at
}

/** By its low half: not zero for the control characters below 16 that no XML 1.0 document may hold. */
const LOW_CONTROLS = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, -1, -1, 0, -1, -1)

/** Not zero where a byte is a control character that no XML 1.0 document may hold. */
// @ts-ignore: decorator
@inline function findControls(bytes: v128): v128 {
  // A swizzle gives 0 for what is 16 and more.
  return v128.or(i8x16.swizzle(LOW_CONTROLS, bytes), i8x16.eq(v128.and(bytes, i8x16.splat(-16)), i8x16.splat(16)))
}

/** Not zero where a byte is not an XML character, or is 0xEF: the first byte of U+FFFE and U+FFFF. */
// @ts-ignore: decorator
@inline function findSuspects(bytes: v128): v128 {
  return v128.or(findControls(bytes), i8x16.eq(bytes, i8x16.splat(-17)))
}

/** Where the first code point begins that no XML 1.0 document may hold (section 2.2, Char), or `end`. The text is well-formed. */
export function findNoXmlCharacter(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    if (at + 64 <= end) {
      const suspects = v128.or(
        v128.or(findSuspects(v128.load(at)), findSuspects(v128.load(at, 16))),
        v128.or(findSuspects(v128.load(at, 32)), findSuspects(v128.load(at, 48))),
      )
      if (!v128.any_true(suspects)) {
        at += 64
        continue
      }
    }
    // One of the 64, which need not be malformed, or the last ones.
    const last = min(at + 64, end)
    for (; at < last; at += 16) {
      let mask = i8x16.bitmask(findSuspects(v128.load(at)))
      while (mask != 0) {
        const suspect = at + ctz(mask)
        if (suspect >= last) break
        const isControl = load<u8>(suspect) < 32
        if (isControl || (load<u8>(suspect, 1) == 0xbf && load<u8>(suspect, 2) >= 0xbe)) return suspect
        mask &= mask - 1
      }
    }
  }
  return end
}

/** Not zero where one of 16 well-formed bytes ends U+FFFE or U+FFFF, after the 16 before them. */
// @ts-ignore: decorator
@inline function findNoncharacters(before: v128, bytes: v128): v128 {
  const one = i8x16.shuffle(before, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
  const two = i8x16.shuffle(before, bytes, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
  const begins = v128.and(i8x16.eq(two, i8x16.splat(-17)), i8x16.eq(one, i8x16.splat(-65)))
  return v128.and(begins, i8x16.gt_s(bytes, i8x16.splat(-67)))
}

/** Ones where a sequence of two bytes begins, or one that is ill-formed: in text that has none of three and four. */
// @ts-ignore: decorator
@inline function findPairs(bytes: v128): v128 {
  return i8x16.eq(v128.and(bytes, i8x16.splat(-32)), i8x16.splat(-64))
}

/** Not zero where sequences of two bytes are ill-formed, in text that has none of three and four. */
// @ts-ignore: decorator
@inline function findPairFaults(pairsBefore: v128, pairs: v128, bytes: v128): v128 {
  const begun = i8x16.shuffle(pairsBefore, pairs, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
  const continues = i8x16.lt_s(bytes, i8x16.splat(-64))
  // 0xC0 and 0xC1 begin nothing.
  return v128.or(v128.xor(begun, continues), i8x16.eq(v128.and(bytes, i8x16.splat(-2)), i8x16.splat(-64)))
}

/** How many times 64 bytes are checked in the general way after a sequence of three bytes or four: such sequences mostly come together. */
const WIDE_STRETCH = 8

/**
 * How far text is certainly well-formed, of characters of XML 1.0, and ends with a complete sequence. What follows need not be wrong. It
 * goes by 64 bytes at a time and does what fits most of them: for ASCII, for text of sequences of two bytes at most, or for all.
 */
export function passXmlText(from: usize, end: usize): usize {
  let at = from
  let before = i8x16.splat(0)
  let wasAscii = true
  let wide = 0
  while (at + 64 <= end) {
    const one = v128.load(at)
    const two = v128.load(at, 16)
    const three = v128.load(at, 32)
    const four = v128.load(at, 48)
    let faults = v128.or(v128.or(findControls(one), findControls(two)), v128.or(findControls(three), findControls(four)))
    const most = i8x16.max_u(i8x16.max_u(one, two), i8x16.max_u(three, four))
    const isAscii = i8x16.bitmask(most) == 0
    if (!isAscii || !wasAscii) {
      if (v128.any_true(i8x16.sub_sat_u(most, i8x16.splat(-33)))) wide = WIDE_STRETCH
      if (wide > 0) {
        wide--
        faults = v128.or(faults, v128.or(findFaults(before, one), findFaults(one, two)))
        faults = v128.or(faults, v128.or(findFaults(two, three), findFaults(three, four)))
        const suspects = v128.or(
          v128.or(i8x16.eq(one, i8x16.splat(-17)), i8x16.eq(two, i8x16.splat(-17))),
          v128.or(i8x16.eq(three, i8x16.splat(-17)), i8x16.eq(four, i8x16.splat(-17))),
        )
        if (v128.any_true(v128.or(suspects, i8x16.eq(before, i8x16.splat(-17))))) {
          faults = v128.or(faults, v128.or(findNoncharacters(before, one), findNoncharacters(one, two)))
          faults = v128.or(faults, v128.or(findNoncharacters(two, three), findNoncharacters(three, four)))
        }
      } else {
        const first = findPairs(one)
        const second = findPairs(two)
        const third = findPairs(three)
        const fourth = findPairs(four)
        faults = v128.or(faults, findPairFaults(findPairs(before), first, one))
        faults = v128.or(faults, findPairFaults(first, second, two))
        faults = v128.or(faults, findPairFaults(second, third, three))
        faults = v128.or(faults, findPairFaults(third, fourth, four))
      }
    }
    if (v128.any_true(faults)) break
    before = four
    wasAscii = isAscii
    at += 64
  }
  return findCutSequence(from, at)
}

/** What `count` counted: line feeds and UTF-16 units. */
let feeds = 0
let units = 0

// @ts-ignore: decorator
@inline function sumOf(bytes: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes))
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  )
}

/** Counts line feeds and UTF-16 units. The text is well-formed: a unit for each byte that begins a sequence, two for one of four bytes. */
function count(from: usize, end: usize): void {
  feeds = 0
  units = 0
  let at = from
  while (at + 16 <= end) {
    // Bytes of a vector count to 255.
    const last = min(end - 15, at + 255 * 16)
    let lines = i8x16.splat(0)
    let continuing = i8x16.splat(0)
    let pairs = i8x16.splat(0)
    const start = at
    for (; at < last; at += 16) {
      const bytes = v128.load(at)
      lines = i8x16.sub(lines, i8x16.eq(bytes, i8x16.splat(10)))
      continuing = i8x16.sub(continuing, i8x16.lt_s(bytes, i8x16.splat(-64)))
      pairs = i8x16.sub(pairs, i8x16.ge_u(bytes, i8x16.splat(-16)))
    }
    feeds += sumOf(lines)
    units += <i32>(at - start) - sumOf(continuing) + sumOf(pairs)
  }
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 10) feeds++
    units += <i32>((byte & 0xc0) != 0x80) + <i32>(byte >= 0xf0)
  }
}

/** Counts line feeds alone. */
function countFeeds(from: usize, end: usize): void {
  feeds = 0
  let at = from
  while (at + 32 <= end) {
    // Bytes of a vector count to 255.
    const last = min(end - 31, at + 255 * 32)
    let lines = i8x16.splat(0)
    let others = i8x16.splat(0)
    for (; at < last; at += 32) {
      lines = i8x16.sub(lines, i8x16.eq(v128.load(at), i8x16.splat(10)))
      others = i8x16.sub(others, i8x16.eq(v128.load(at, 16), i8x16.splat(10)))
    }
    feeds += sumOf(lines) + sumOf(others)
  }
  for (; at < end; at++) if (<u32>load<u8>(at) == 10) feeds++
}

/** After the last line feed, or `from` where there is none. */
function findLastLine(from: usize, end: usize): usize {
  let at = end
  while (at >= from + 16) {
    at -= 16
    const lines = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(10)))
    if (lines != 0) return at + (32 - clz(lines))
  }
  while (at > from && load<u8>(at - 1) != 10) at--
  return at
}

/**
 * Counts line feeds, UTF-16 units, and the units after the last line feed, into the registers; not all units where nobody wants them. The
 * text is well-formed.
 */
export function measure(from: usize, end: usize, countsUnits: bool): void {
  const line = findLastLine(from, end)
  count(line, end)
  const unitsInLine = units
  units = 0
  if (countsUnits) count(from, line)
  else countFeeds(from, line)
  store<u32>(REGISTERS + (LINE_FEEDS << 2), feeds)
  store<u32>(REGISTERS + (UNITS << 2), units + unitsInLine)
  store<u32>(REGISTERS + (UNITS_IN_LINE << 2), unitsInLine)
}
