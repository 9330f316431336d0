// Texts as values: which number one is, and which of two comes first.

export const MINUS: u8 = 0x2d
export const ZERO: u8 = 0x30
const POINT: u8 = 0x2e
const COLON: u8 = 0x3a
/** Digits that a number of JavaScript keeps, and the least number that it writes without an exponent. */
const MOST_DIGITS: usize = 15
/** Digits of the largest number of 64 bits. */
const MOST_DIGITS_64: usize = 19
const LEAST_FRACTION: f64 = 1e-6

/** The number that a text is, whole or with a point in it as well, if JavaScript would write it in the same way; NaN for others. */
export function parseNumber(from: usize, end: usize, isWhole: bool): f64 {
  const isNegative = load<u8>(from) == MINUS
  const first = isNegative ? from + 1 : from
  // With a point.
  if (end <= first || end - first > MOST_DIGITS + 1) return NaN
  let digits: i64 = 0
  let scale: f64 = 1
  let point: usize = 0
  for (let at = first; at < end; at++) {
    const byte = load<u8>(at)
    if (byte == POINT && point == 0 && !isWhole) {
      point = at
      continue
    }
    if (<u32>byte - ZERO > 9) return NaN
    digits = digits * 10 + (byte - ZERO)
    if (point != 0) scale *= 10
  }
  const length = (point == 0 ? end : point) - first
  const isZeroFirst = load<u8>(first) == ZERO
  if (length == 0 || (isZeroFirst && length > 1)) return NaN
  if (point == 0 ? length > MOST_DIGITS || (isZeroFirst && isNegative) : load<u8>(end - 1) == ZERO || point + 1 == end) return NaN
  // Both are exact, so the quotient is rounded once (W. D. Clinger, How to read floating point numbers accurately, 1990).
  const number = <f64>digits / scale
  if (point != 0 && number < LEAST_FRACTION) return NaN
  return isNegative ? -number : number
}

/** The number that `parseInt64` has found. */
export let whole: i64 = 0

/** Whether a text is a whole number of 64 bits, as it is written in decimal. */
export function parseInt64(from: usize, end: usize): bool {
  const isNegative = load<u8>(from) == MINUS
  const first = isNegative ? from + 1 : from
  if (end <= first || end - first > MOST_DIGITS_64) return false
  if (load<u8>(first) == ZERO && (isNegative || end - first > 1)) return false
  let digits: u64 = 0
  for (let at = first; at < end; at++) {
    const digit = <u32>load<u8>(at) - ZERO
    if (digit > 9) return false
    digits = digits * 10 + digit
  }
  if (digits > <u64>i64.MAX_VALUE + <u64>isNegative) return false
  whole = isNegative ? -(<i64>digits) : <i64>digits
  return true
}

/** The number that two digits are, which stand at an address; 100 and more for anything else. */
// @ts-ignore: decorator
@inline function pairAt(at: usize): u32 {
  const tens = <u32>load<u8>(at) - ZERO
  const ones = <u32>load<u8>(at, 1) - ZERO
  return tens > 9 || ones > 9 ? 100 : 10 * tens + ones
}

/**
 * The milliseconds since 1970 of a time such as 2026-11-24T10:00:00Z or 2026-11-24T10:00:00.123, or of a day such as 2026-11-24, in UTC; NaN for anything else,
 * also for a leap day.
 */
export function parseTime(from: usize, end: usize): f64 {
  const last = end > from && load<u8>(end - 1) == 0x5a ? end - 1 : end
  const length = last - from
  if (length != 19 && length != 23 && (length != 10 || last != end)) return NaN
  const century = pairAt(from)
  const years = pairAt(from + 2)
  const month = pairAt(from + 5)
  const day = pairAt(from + 8)
  const most: u32 = month == 2 ? 28 : 30 + ((month + (month >> 3)) & 1)
  if (century > 99 || years > 99 || month - 1 > 11 || day - 1 >= most || load<u8>(from, 4) != MINUS || load<u8>(from, 7) != MINUS) return NaN
  // Of years that begin with March, so that the leap day is the last one (H. Hinnant, Low-level date algorithms).
  const year: i64 = <i64>(100 * century + years) - (month < 3 ? 1 : 0)
  if (year < 0) return NaN
  const days: i64 = 365 * year + year / 4 - year / 100 + year / 400 + <i64>((153 * ((month + 9) % 12) + 2) / 5 + day) - 719469
  if (length == 10) return <f64>(days * 86400000)
  const hours = pairAt(from + 11)
  const minutes = pairAt(from + 14)
  const seconds = pairAt(from + 17)
  if (hours > 23 || minutes > 59 || seconds > 59 || load<u8>(from, 10) != 0x54 || load<u8>(from, 13) != COLON || load<u8>(from, 16) != COLON) return NaN
  let fraction: u32 = 0
  if (length == 23) {
    const digit = <u32>load<u8>(from, 22) - ZERO
    const pair = pairAt(from + 20)
    if (pair > 99 || digit > 9 || load<u8>(from, 19) != POINT) return NaN
    fraction = 10 * pair + digit
  }
  return <f64>(days * 86400000 + <i64>(1000 * (60 * (60 * hours + minutes) + seconds) + fraction))
}

const TRUE: u32 = 0x65757274
const FALSE: u64 = 0x65736c6166

/** Whether a text is `true` (1) or `false` (0); -1 for others. */
export function parseBoolean(from: usize, end: usize): i32 {
  if (end - from == 4 && load<u32>(from) == TRUE) return 1
  return end - from == 5 && (load<u64>(from) & 0xffffffffff) == FALSE ? 0 : -1
}

/** The order of two values that the kernel cannot find. */
export const UNKNOWN_ORDER: i32 = 2

/** Whether bytes of text stand for themselves, in content as in values, and compare as its units do. */
function isPlain(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at)
    if (byte == 0x26 || byte == 0x3c || byte < 0x20 || byte >= 0x80) return false
  }
  return true
}

/** Whether a text comes before another one (-1), is the same (0), or comes after it (1), as whole numbers or else by their units. */
export function compare(from: usize, end: usize, otherFrom: usize, otherEnd: usize, areNumbers: bool): i32 {
  if (areNumbers) {
    const number = parseNumber(from, end, true)
    const other = parseNumber(otherFrom, otherEnd, true)
    if (isNaN(number) || isNaN(other)) return UNKNOWN_ORDER
    return <i32>(number > other) - <i32>(number < other)
  }
  if (!isPlain(from, end) || !isPlain(otherFrom, otherEnd)) return UNKNOWN_ORDER
  const length = end - from
  const otherLength = otherEnd - otherFrom
  const difference = memory.compare(from, otherFrom, min(length, otherLength))
  if (difference != 0) return difference < 0 ? -1 : 1
  return <i32>(length > otherLength) - <i32>(length < otherLength)
}
