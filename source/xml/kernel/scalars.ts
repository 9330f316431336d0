// Texts as values: which number one is, and which of two comes first.

export const MINUS: u8 = 0x2d
export const ZERO: u8 = 0x30
const POINT: u8 = 0x2e
/** Digits that a number of JavaScript keeps, and the least number that it writes without an exponent. */
const MOST_DIGITS: usize = 15
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
